package dev.assay.collect.kv;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.history.OpKind;
import java.util.Arrays;
import java.util.Locale;

/**
 * Registers, lists and sets in a store that has keys and texts. A list is text, with a comma after
 * each number; an append reads it and writes it back.
 */
final class KeyValueSession implements ClientSession {
  private final KeyValues store;
  private final String run;
  private long[] elements = new long[16];
  private long versionRead = NONE;

  /**
   * @param run what the keys of the run begin with, which no other run's do
   */
  KeyValueSession(KeyValues store, String run) {
    this.store = store;
    this.run = run;
  }

  private String name(OpKind.Type type, long key) {
    return run + "-" + type.name().toLowerCase(Locale.ROOT) + "-" + key;
  }

  @Override
  public void begin() throws ClientException {
    store.begin();
  }

  @Override
  public long readNumber(OpKind.Type type, long key) throws ClientException {
    String text = store.get(name(type, key));
    versionRead = text == null ? NONE : store.version(name(type, key));
    return text == null ? NONE : Long.parseLong(text);
  }

  @Override
  public long versionRead() {
    return versionRead;
  }

  @Override
  public long versionWritten() {
    return store.versionWritten();
  }

  @Override
  public int readElements(OpKind.Type type, long key) throws ClientException {
    String text = store.get(name(type, key));
    int count = 0;
    for (int from = 0; text != null && from < text.length(); count++) {
      int to = text.indexOf(',', from);
      if (count == elements.length) {
        elements = Arrays.copyOf(elements, 2 * count);
      }
      elements[count] = Long.parseLong(text, from, to, 10);
      from = to + 1;
    }
    return count;
  }

  @Override
  public long[] elements() {
    return elements;
  }

  @Override
  public void write(OpKind.Type type, long key, long value) throws ClientException {
    String name = name(type, key);
    if (type == OpKind.Type.REGISTER) {
      store.put(name, Long.toString(value));
    } else {
      String before = store.getToChange(name);
      store.put(name, (before == null ? "" : before) + value + ",");
    }
  }

  @Override
  public void commit() throws ClientException {
    store.commit();
  }

  @Override
  public void rollback() throws ClientException {
    store.rollback();
  }

  @Override
  public void cutOff() {
    store.cutOff();
  }

  @Override
  public void close() {
    store.close();
  }
}
