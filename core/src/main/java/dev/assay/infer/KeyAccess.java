package dev.assay.infer;

import java.util.Arrays;

/**
 * Who wrote and who read some keys, transaction by transaction. Kept only for keys on which an
 * order of commits can matter: a key that one transaction wrote and whose readers all read that
 * write says nothing. Several of these, one for each range of keys, make up a history, so that work
 * over all keys runs in parallel and in order of memory.
 *
 * <p>A transaction that wrote a key several times is listed once. Reads are those not preceded by
 * an own write of the key; each pair of reader and source is listed once in a row.
 */
public final class KeyAccess {
  private int keys;
  private int[] key = new int[16];
  private int[] writerEnd = new int[16];
  private int[] readEnd = new int[16];
  private int writers;
  private int[] writer = new int[16];
  private int reads;
  private int[] reader = new int[16];
  private int[] source = new int[16];

  KeyAccess() {}

  /** Number of keys listed. */
  public int size() {
    return keys;
  }

  /** The key at an index. */
  public int key(int index) {
    return key[index];
  }

  public int firstWriter(int index) {
    return index == 0 ? 0 : writerEnd[index - 1];
  }

  public int endWriter(int index) {
    return writerEnd[index];
  }

  /** A transaction that wrote the key; ascending in the range of one key. */
  public int writer(int entry) {
    return writer[entry];
  }

  public int firstRead(int index) {
    return index == 0 ? 0 : readEnd[index - 1];
  }

  public int endRead(int index) {
    return readEnd[index];
  }

  /** A transaction that read the key. */
  public int reader(int entry) {
    return reader[entry];
  }

  /** The transaction it read from, or {@link ReadsFrom#INITIAL}. */
  public int source(int entry) {
    return source[entry];
  }

  void addWriter(int txn) {
    if (writers == writer.length) {
      writer = Arrays.copyOf(writer, grown(writers));
    }
    writer[writers++] = txn;
  }

  void addRead(int byTxn, int fromTxn) {
    if (reads > firstRead(keys) && reader[reads - 1] == byTxn && source[reads - 1] == fromTxn) {
      return;
    }
    if (reads == reader.length) {
      reader = Arrays.copyOf(reader, grown(reads));
      source = Arrays.copyOf(source, grown(reads));
    }
    reader[reads] = byTxn;
    source[reads++] = fromTxn;
  }

  /** Ends the key whose writers and reads were added last. */
  void endKey(int ended) {
    if (keys == key.length) {
      key = Arrays.copyOf(key, grown(keys));
      writerEnd = Arrays.copyOf(writerEnd, grown(keys));
      readEnd = Arrays.copyOf(readEnd, grown(keys));
    }
    key[keys] = ended;
    writerEnd[keys] = writers;
    readEnd[keys++] = reads;
  }

  void trim() {
    key = Arrays.copyOf(key, keys);
    writerEnd = Arrays.copyOf(writerEnd, keys);
    readEnd = Arrays.copyOf(readEnd, keys);
    writer = Arrays.copyOf(writer, writers);
    reader = Arrays.copyOf(reader, reads);
    source = Arrays.copyOf(source, reads);
  }

  private static int grown(int size) {
    return Math.addExact(size, Math.max(size >>> 1, 16));
  }
}
