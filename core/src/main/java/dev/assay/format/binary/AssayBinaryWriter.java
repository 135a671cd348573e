package dev.assay.format.binary;

import dev.assay.format.LongList;
import dev.assay.format.TransactionRecord;
import dev.assay.history.LongIndex;
import dev.assay.history.RawScalars;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Writes an {@code .assay} file as transactions finish, without holding the history in memory. What
 * has been {@linkplain #flush flushed} survives a crash; {@link #close} marks the file complete.
 *
 * <p>Any number of threads may share a writer: each fills {@link TransactionRecord}s of its own and
 * appends them, or notes them in a {@linkplain #journal journal} of its own if there are many. A
 * session's transactions must come in session order.
 *
 * <pre>{@code
 * try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, metadata)) {
 *   int session = writer.session("client 1");
 *   TransactionRecord record = new TransactionRecord();
 *   record.begin(session);
 *   record.op(OpKind.WRITE, writer.scalar("x"), writer.scalar(1));
 *   writer.append(record);
 * }
 * }</pre>
 */
public final class AssayBinaryWriter implements Closeable {
  private static final int FULL_DEFINITIONS = 1 << 22;

  private OutputStream out;
  private final boolean zeroIsInitial;
  private final Map<String, String> metadata;
  private final RawScalars scalars = new RawScalars();
  private final LongIndex sessions = new LongIndex();
  private final AssayBinaryBlock block = new AssayBinaryBlock();
  private final List<AssayBinaryJournal> journals = new CopyOnWriteArrayList<>();

  /** The payload of the block being made, after the room for its frame. */
  private final AssayBinaryOut payload = new AssayBinaryOut();

  private final int givenScalars = scalars.size();
  private int scalarsWritten = givenScalars;
  private int sessionsWritten;
  private long offset;

  /** Where the blocks begin that are not in the file before, if there is one. */
  private long body;

  /** Where the end block begins. */
  private long end;

  private long transactions;
  private long operations;
  private volatile boolean finished;
  private volatile boolean failed;

  /**
   * Begins a file.
   *
   * @param zeroIsInitial whether 0 is the initial value of every key, rather than nil
   * @param metadata what is known about the run now; {@link #metadata} adds to it
   */
  public AssayBinaryWriter(OutputStream out, boolean zeroIsInitial, Map<String, String> metadata)
      throws IOException {
    this.out = out;
    this.zeroIsInitial = zeroIsInitial;
    this.metadata = new LinkedHashMap<>(metadata);
    beginFile(Map.of());
  }

  private void beginFile(Map<String, String> more) throws IOException {
    offset = 0;
    payload.clear();
    AssayBinaryFrame.writeFileHead(payload);
    emit(payload.array(), payload.size());
    beginBlock();
    payload.u8(zeroIsInitial ? 1 : 0);
    Map<String, String> all = new LinkedHashMap<>(metadata);
    all.putAll(more);
    writePairs(all);
    writeBlock(AssayBinaryFrame.HEADER);
    body = offset;
  }

  /**
   * The extent of a file.
   *
   * @param body where the blocks begin that are not in the file before
   * @param end where its end block begins
   */
  record Extent(long body, long end, long transactions, long operations) {}

  /** The number of bytes of the file so far. */
  public synchronized long size() {
    return offset;
  }

  /**
   * Completes the file, and goes on in another one, which can be read by itself: it begins with
   * what is known about the run and with all definitions.
   *
   * @param last what the file that ends says about itself
   * @param first what the next one says about itself, given the extent of this one
   */
  synchronized Extent goOnIn(
      OutputStream next, Map<String, String> last, Function<Extent, Map<String, String>> first)
      throws IOException {
    requireOpen();
    writeTransactions();
    Extent extent = extent();
    writePairs(last);
    writeBlock(AssayBinaryFrame.METADATA);
    writeEnd();
    out.close();
    out = next;
    scalarsWritten = givenScalars;
    sessionsWritten = 0;
    transactions = 0;
    operations = 0;
    // The file before has the longest reads of lists.
    block.shareNothing();
    beginFile(first.apply(extent));
    writeDefinitions();
    body = offset;
    return extent;
  }

  private Extent extent() {
    return new Extent(body, offset, transactions, operations);
  }

  /** The extent of the last file, once it is finished. */
  synchronized Extent last() {
    return new Extent(body, end, transactions, operations);
  }

  private void writeEnd() throws IOException {
    end = offset;
    payload.varint(transactions);
    payload.varint(operations);
    writeBlock(AssayBinaryFrame.END);
    out.flush();
  }

  /** The raw scalar of a value, for use in records that are appended to this writer. */
  public long scalar(Object value) {
    synchronized (scalars) {
      return scalars.of(value);
    }
  }

  /** The raw scalar of an integer. */
  public long scalar(long integer) {
    if (RawScalars.isInteger(integer)) {
      return integer;
    }
    synchronized (scalars) {
      return scalars.of(integer);
    }
  }

  /** The number of the session with this name, new or known. */
  public synchronized int session(Object name) {
    return sessions.indexOf(scalar(name));
  }

  /** For one client, which notes its transactions there apart from the others. */
  public AssayBinaryJournal journal() {
    AssayBinaryJournal journal = new AssayBinaryJournal(this);
    journals.add(journal);
    return journal;
  }

  /** Writes a journal that is complete, but for its frame, up to this length. */
  synchronized void write(AssayBinaryJournal journal, int length) throws IOException {
    requireOpen();
    requireSession(journal.highestSession());
    // A session may have been in there before it came here.
    writeTransactions();
    block.shareNothing();
    transactions += journal.transactions();
    operations += journal.operations();
    writeBlock(AssayBinaryFrame.JOURNAL, journal.block(), length);
  }

  /** Appends a finished transaction; the record may be reused at once. */
  public synchronized void append(TransactionRecord record) throws IOException {
    requireOpen();
    requireSession(record.session());
    block.add(record);
    transactions++;
    operations += record.size();
    if (block.isFull()) {
      writeTransactions();
    }
  }

  private void requireSession(int session) {
    if (session < 0 || session >= sessions.size()) {
      throw new IllegalArgumentException("no session " + session);
    }
  }

  /** Adds something that is known only now about the run. */
  public synchronized void metadata(String name, String text) throws IOException {
    requireOpen();
    metadata.put(name, text);
    writePairs(Map.of(name, text));
    writeBlock(AssayBinaryFrame.METADATA);
  }

  /**
   * Declares initial values of registers, all of them raw scalars of this writer.
   *
   * @param ofOthers what all keys that are not declared otherwise begin with
   */
  synchronized void initial(long ofOthers, LongList keys, LongList values) throws IOException {
    requireOpen();
    writeTransactions();
    LongList others = new LongList();
    others.add(ofOthers);
    AssayBinaryColumns.writeScalars(payload, others);
    payload.varint(keys.size());
    AssayBinaryColumns.writeScalars(payload, keys);
    AssayBinaryColumns.writeScalars(payload, values);
    writeBlock(AssayBinaryFrame.INITIAL);
  }

  /** Writes all that was appended so far, so that a crash cannot lose it. */
  public void flush() throws IOException {
    for (AssayBinaryJournal journal : journals) {
      journal.drain();
    }
    flushBlock();
  }

  private synchronized void flushBlock() throws IOException {
    requireOpen();
    writeTransactions();
    out.flush();
  }

  /** Marks the file complete and leaves the stream open. */
  public void finish() throws IOException {
    for (AssayBinaryJournal journal : journals) {
      journal.close();
    }
    finishFile();
  }

  private synchronized void finishFile() throws IOException {
    if (finished) {
      return;
    }
    requireOpen();
    writeTransactions();
    writeEnd();
    finished = true;
  }

  /**
   * {@linkplain #finish Finishes} the file, unless writing failed before, and closes the stream.
   */
  @Override
  public void close() throws IOException {
    // Which file that is may change until the journals are closed.
    try {
      if (!failed) {
        finish();
      }
    } finally {
      out.close();
    }
  }

  private void requireOpen() throws IOException {
    if (failed) {
      throw new IOException("an earlier write failed, so the file ends there");
    }
    if (finished) {
      throw complete();
    }
  }

  static IllegalStateException complete() {
    return new IllegalStateException("the file is complete");
  }

  private void writeTransactions() throws IOException {
    try {
      writeDefinitions();
      if (block.transactions() > 0) {
        block.write(payload);
        block.clear();
        writeBlock(AssayBinaryFrame.TRANSACTIONS);
      }
    } catch (IllegalArgumentException e) {
      failed = true;
      throw new IOException(e.getMessage(), e);
    }
  }

  private void writeDefinitions() throws IOException {
    synchronized (scalars) {
      while (scalarsWritten < scalars.size() || sessionsWritten < sessions.size()) {
        AssayBinaryOut entries = new AssayBinaryOut();
        int first = scalarsWritten;
        while (scalarsWritten < scalars.size() && entries.size() < FULL_DEFINITIONS) {
          AssayBinaryScalars.write(entries, scalars.get(Long.MIN_VALUE + scalarsWritten++));
        }
        payload.varint(scalarsWritten - first);
        payload.raw(entries);
        LongList names = new LongList();
        if (scalarsWritten == scalars.size()) {
          while (sessionsWritten < sessions.size()) {
            names.add(sessions.get(sessionsWritten++));
          }
        }
        payload.varint(names.size());
        AssayBinaryColumns.writeScalars(payload, names);
        writeBlock(AssayBinaryFrame.DEFINITIONS);
      }
    }
  }

  private void writePairs(Map<String, String> pairs) {
    payload.varint(pairs.size());
    pairs.forEach(
        (name, text) -> {
          payload.text(name);
          payload.text(text);
        });
  }

  private void beginBlock() {
    payload.clear();
    payload.skip(AssayBinaryFrame.SIZE);
  }

  private void writeBlock(int type) throws IOException {
    writeBlock(type, payload.array(), payload.size());
    beginBlock();
  }

  private void writeBlock(int type, byte[] block, int length) throws IOException {
    AssayBinaryFrame.fill(block, type, length - AssayBinaryFrame.SIZE, offset);
    emit(block, length);
  }

  private void emit(byte[] bytes, int length) throws IOException {
    // Until the write has succeeded: half a block must stay the last thing in the file.
    failed = true;
    out.write(bytes, 0, length);
    failed = false;
    offset += length;
  }
}
