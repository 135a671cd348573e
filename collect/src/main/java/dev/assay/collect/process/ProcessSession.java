package dev.assay.collect.process;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Failure;
import dev.assay.collect.json.Json;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A session with a program: each step is a request and its answer. */
final class ProcessSession implements ClientSession {
  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final Conversation conversation;
  private final int session;
  private final Duration patience;
  private final boolean alone;
  private volatile Conversation.Asked asked;
  private long[] elements = new long[0];
  private long versionRead = NONE;
  private long versionWritten = NONE;

  /**
   * @param alone whether the program serves no other session
   */
  ProcessSession(Conversation conversation, int session, Duration patience, boolean alone) {
    this.conversation = conversation;
    this.session = session;
    this.patience = patience;
    this.alone = alone;
  }

  Map<String, Object> request(String op) {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("op", op);
    request.put("session", session);
    return request;
  }

  private Map<String, Object> ask(Map<String, Object> request) throws ClientException {
    return ask(request, patience);
  }

  Map<String, Object> ask(Map<String, Object> request, Duration within) throws ClientException {
    asked = conversation.ask(request);
    return ProcessClient.requireNoError(asked.await(within));
  }

  @Override
  public void begin() throws ClientException {
    ask(request("begin"));
  }

  private Map<String, Object> read(OpKind.Type type, long key) throws ClientException {
    Map<String, Object> request = request("read");
    request.put("type", ProcessClient.name(type));
    request.put("key", key);
    return ask(request);
  }

  @Override
  public long readNumber(OpKind.Type type, long key) throws ClientException {
    Map<String, Object> answer = read(type, key);
    if (!answer.containsKey("value")) {
      throw wrong("a read of a " + ProcessClient.name(type) + " needs a \"value\", or null");
    }
    Object value = answer.get("value");
    versionRead = version(answer);
    return value == null ? NONE : number(value);
  }

  private static long version(Map<String, Object> answer) throws ClientException {
    Object version = answer.get("version");
    return version == null ? NONE : number(version);
  }

  @Override
  public long versionRead() {
    return versionRead;
  }

  @Override
  public long versionWritten() {
    return versionWritten;
  }

  private static long number(Object value) throws ClientException {
    if (value instanceof Long number && RawScalars.isInteger(number)) {
      return number;
    }
    throw wrong("'" + Conversation.shown(Json.text(value)) + "' is not a whole number");
  }

  private static ClientException wrong(String what) {
    return new ClientException(Failure.WRONG, "in an answer of the client, " + what);
  }

  @Override
  public int readElements(OpKind.Type type, long key) throws ClientException {
    Object values = read(type, key).get("values");
    if (!(values instanceof List<?> list)) {
      throw wrong("a read of a " + ProcessClient.name(type) + " needs a list of \"values\"");
    }
    long[] read = new long[list.size()];
    for (int i = 0; i < read.length; i++) {
      read[i] = number(list.get(i));
    }
    elements = read;
    return read.length;
  }

  @Override
  public long[] elements() {
    return elements;
  }

  @Override
  public void write(OpKind.Type type, long key, long value) throws ClientException {
    Map<String, Object> request = request("write");
    request.put("type", ProcessClient.name(type));
    request.put("key", key);
    request.put("value", value);
    ask(request);
  }

  @Override
  public void commit() throws ClientException {
    versionWritten = NONE;
    versionWritten = version(ask(request("commit")));
  }

  @Override
  public void rollback() throws ClientException {
    ask(request("abort"));
  }

  @Override
  public void cutOff() {
    Conversation.Asked open = asked;
    if (open != null) {
      open.cutOff();
    }
    if (alone) {
      conversation.abort();
    }
  }

  @Override
  public void close() {
    if (alone) {
      conversation.close();
      return;
    }
    try {
      conversation.ask(request("close")).await(CLOSING);
    } catch (ClientException e) {
      // It is of no more use, whether or not it closes.
    }
  }
}
