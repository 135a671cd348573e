package dev.assay.resolve;

import dev.assay.graph.IntList;

/**
 * The writers and readers of some keys, transaction by transaction. Kept only for keys on which an
 * order of commits can matter: a key that one transaction wrote and whose readers all read that
 * write says nothing. Several of these, one for each range of keys, make up a history, so that work
 * over all keys runs in parallel and in order of memory.
 *
 * <p>A transaction that wrote a key several times is listed once. Reads are those not preceded by
 * an own write of the key; each pair of reader and source is listed once in a row.
 */
public final class KeyAccess {
  private final IntList key;
  private final IntList writerEnd;
  private final IntList readEnd;
  private final IntList writer;
  private final IntList reader;
  private final IntList source;

  public KeyAccess() {
    this(new IntList(), new IntList(), new IntList(), new IntList(), new IntList(), new IntList());
  }

  private KeyAccess(
      IntList key,
      IntList writerEnd,
      IntList readEnd,
      IntList writer,
      IntList reader,
      IntList source) {
    this.key = key;
    this.writerEnd = writerEnd;
    this.readEnd = readEnd;
    this.writer = writer;
    this.reader = reader;
    this.source = source;
  }

  /** Number of keys listed. */
  public int size() {
    return key.size();
  }

  /** The key at an index. */
  public int key(int index) {
    return key.get(index);
  }

  public int firstWriter(int index) {
    return index == 0 ? 0 : writerEnd.get(index - 1);
  }

  public int endWriter(int index) {
    return writerEnd.get(index);
  }

  /** A transaction that wrote the key; ascending in the range of one key. */
  public int writer(int entry) {
    return writer.get(entry);
  }

  public int firstRead(int index) {
    return index == 0 ? 0 : readEnd.get(index - 1);
  }

  public int endRead(int index) {
    return readEnd.get(index);
  }

  /** A transaction that read the key. */
  public int reader(int entry) {
    return reader.get(entry);
  }

  /** The transaction it read from, or {@link ReadsFrom#INITIAL}. */
  public int source(int entry) {
    return source.get(entry);
  }

  public void addWriter(int txn) {
    writer.add(txn);
  }

  public void addRead(int byTxn, int fromTxn) {
    boolean repeats =
        reader.size() > firstRead(size()) && reader.last() == byTxn && source.last() == fromTxn;
    if (!repeats) {
      reader.add(byTxn);
      source.add(fromTxn);
    }
  }

  /** Ends the key whose writers and reads were added last. */
  public void endKey(int ended) {
    key.add(ended);
    writerEnd.add(writer.size());
    readEnd.add(reader.size());
  }

  /** A copy of what was added, no larger than it has to be; this one is empty then. */
  public KeyAccess taken() {
    return new KeyAccess(
        key.take(), writerEnd.take(), readEnd.take(), writer.take(), reader.take(), source.take());
  }
}
