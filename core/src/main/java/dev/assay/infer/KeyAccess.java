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
  private int[] key;
  private int[] writerEnd;
  private int[] readEnd;
  private int writers;
  private int[] writer;
  private int reads;
  private int[] reader;
  private int[] source;

  KeyAccess() {
    this(16, 16, 16);
  }

  private KeyAccess(int keyRoom, int writerRoom, int readRoom) {
    key = new int[keyRoom];
    writerEnd = new int[keyRoom];
    readEnd = new int[keyRoom];
    writer = new int[writerRoom];
    reader = new int[readRoom];
    source = new int[readRoom];
  }

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

  /** A copy of what was added, no larger than it has to be; this one is empty then. */
  KeyAccess taken() {
    KeyAccess copy = new KeyAccess(keys, writers, reads);
    System.arraycopy(key, 0, copy.key, 0, keys);
    System.arraycopy(writerEnd, 0, copy.writerEnd, 0, keys);
    System.arraycopy(readEnd, 0, copy.readEnd, 0, keys);
    System.arraycopy(writer, 0, copy.writer, 0, writers);
    System.arraycopy(reader, 0, copy.reader, 0, reads);
    System.arraycopy(source, 0, copy.source, 0, reads);
    copy.keys = keys;
    copy.writers = writers;
    copy.reads = reads;
    keys = 0;
    writers = 0;
    reads = 0;
    return copy;
  }

  private static int grown(int size) {
    return Math.addExact(size, Math.max(size >>> 1, 16));
  }
}
