package dev.assay.resolve;

import dev.assay.graph.IntList;

/**
 * The writers and readers of a range of keys, by transaction. Only keys on which the commit order
 * can matter are listed: a key with one writer from which all readers read does not constrain it. A
 * history has one of these per range of keys, so that work over all keys runs in parallel and reads
 * memory sequentially.
 *
 * <p>A transaction that wrote a key several times is listed once. Reads are external, that is, not
 * preceded by a write of the key in the same transaction; consecutive repetitions of a pair of
 * reader and source are listed once.
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

  /** Moves what was added to a copy of minimal size; this one is empty afterwards. */
  public KeyAccess taken() {
    return new KeyAccess(
        key.take(), writerEnd.take(), readEnd.take(), writer.take(), reader.take(), source.take());
  }
}
