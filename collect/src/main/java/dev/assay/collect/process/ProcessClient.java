package dev.assay.collect.process;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.client.Opening;
import dev.assay.collect.json.Json;
import dev.assay.history.OpKind;
import dev.assay.level.Level;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** A client that is a program; what it is, it says itself. */
public final class ProcessClient implements Client {
  private static final int PROTOCOL = 1;
  static final Duration HELLO = Duration.ofSeconds(20);
  private static final Duration STANDARD_PATIENCE = Duration.ofSeconds(30);

  private final List<String> command;
  private final String id;
  private final String title;
  private final String version;
  private final List<Isolation> isolations;
  private final Set<OpKind.Type> types;
  private final boolean shared;
  private final boolean locks;
  private final boolean versions;
  private final Duration patience;

  private ProcessClient(List<String> command, Map<String, Object> answer) throws ClientException {
    this.command = command;
    id = Json.text(answer.get("name"));
    title = Json.text(answer.getOrDefault("title", id));
    version = Json.text(answer.get("version"));
    shared = Boolean.TRUE.equals(answer.get("shared"));
    locks = Boolean.TRUE.equals(answer.get("locks"));
    versions = Boolean.TRUE.equals(answer.get("versions"));
    patience =
        answer.get("timeout") instanceof Number seconds && seconds.doubleValue() > 0
            ? Duration.ofMillis((long) (seconds.doubleValue() * 1000))
            : STANDARD_PATIENCE;
    if (!id.matches("[a-z0-9][a-z0-9.-]{0,39}")) {
      throw wrong("\"name\" must have up to 40 lower-case letters, digits, dots and hyphens");
    }
    isolations = isolations(answer.get("levels"));
    types = types(answer.get("types"));
  }

  /**
   * Starts the program and asks what it is.
   *
   * @throws IOException if it does not say; the message is for the user
   */
  public static ProcessClient of(List<String> command) throws IOException {
    try (Conversation conversation = new Conversation(command, Map.of())) {
      return new ProcessClient(command, hello(conversation, HELLO));
    } catch (ClientException e) {
      throw new IOException(
          "the client " + String.join(" ", command) + " cannot be used: " + e.getMessage(), e);
    }
  }

  static Map<String, Object> hello(Conversation conversation, Duration patience)
      throws ClientException {
    Map<String, Object> request = new LinkedHashMap<>();
    request.put("op", "hello");
    request.put("protocol", PROTOCOL);
    return requireNoError(conversation.ask(request).await(patience));
  }

  /** The answer, unless it is an error. */
  static Map<String, Object> requireNoError(Map<String, Object> answer) throws ClientException {
    if (!answer.containsKey("error")) {
      return answer;
    }
    String kind = Json.text(answer.get("error"));
    String message = Json.text(answer.getOrDefault("message", "without a message"));
    throw switch (kind) {
      case "aborted" -> new ClientException(Failure.REFUSED, message);
      case "unknown" -> new ClientException(Failure.LOST, message);
      case "fatal" -> new ClientException(Failure.WRONG, message);
      default ->
          new ClientException(
              Failure.WRONG,
              "the client answered with the error '%s', which is not one of aborted, unknown, fatal"
                  .formatted(Conversation.shown(kind)));
    };
  }

  private static ClientException wrong(String what) {
    return new ClientException(Failure.WRONG, "in its answer to hello " + what);
  }

  private static List<Isolation> isolations(Object described) throws ClientException {
    Map<String, Object> names = new LinkedHashMap<>(Json.object(described));
    Json.list(described).forEach(name -> names.put(Json.text(name), name));
    List<Isolation> isolations = new ArrayList<>();
    for (Map.Entry<String, Object> entry : names.entrySet()) {
      String claimed = Json.text(entry.getValue());
      Level level =
          Level.find(claimed)
              .orElseThrow(() -> wrong("\"levels\" names the unknown level '" + claimed + "'"));
      isolations.add(Isolation.of(entry.getKey(), level));
    }
    if (isolations.isEmpty()) {
      throw wrong("\"levels\" must name the levels that it offers, weakest first");
    }
    return isolations;
  }

  private static Set<OpKind.Type> types(Object described) throws ClientException {
    Set<OpKind.Type> types = EnumSet.noneOf(OpKind.Type.class);
    for (Object name : Json.list(described)) {
      OpKind.Type found = null;
      for (OpKind.Type type : OpKind.Type.values()) {
        if (type != OpKind.Type.PREDICATE && name(type).equals(name)) {
          found = type;
        }
      }
      if (found == null) {
        throw wrong("\"types\" names '" + name + "'; known are register, list, set, counter");
      }
      types.add(found);
    }
    if (types.isEmpty()) {
      throw wrong("\"types\" must name the data types that it has, such as register");
    }
    return types;
  }

  static String name(OpKind.Type type) {
    return type.name().toLowerCase(Locale.ROOT);
  }

  List<String> command() {
    return command;
  }

  /** Whether one process serves all sessions, rather than one each. */
  boolean isShared() {
    return shared;
  }

  /** How long an answer may take. */
  Duration patience() {
    return patience;
  }

  String describe() {
    return version.isEmpty() ? title : title + " " + version;
  }

  @Override
  public String id() {
    return id;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public List<Isolation> isolations() {
    return isolations;
  }

  @Override
  public Set<OpKind.Type> types() {
    return types;
  }

  @Override
  public boolean numbersVersions() {
    return versions;
  }

  @Override
  public boolean locksReads() {
    return locks;
  }

  /** Whether it needs an address it says when it is asked to open a session. */
  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Cluster open(Opening opening) throws IOException {
    return new ProcessCluster(this, opening.target());
  }
}
