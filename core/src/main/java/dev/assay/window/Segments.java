package dev.assay.window;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.follow.Regrouped;
import dev.assay.history.History;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Past windows on disk, several in each segment: first the hashes of what was written, which are
 * looked up there, then the states of keys before the segment, then the transactions in chunks,
 * each a history in Assay's binary format.
 */
final class Segments {
  private static final int CHUNK = 4096;
  private static final HistoryFormat FORMAT = Formats.byId("assay").orElseThrow();

  private final Context context;
  private final Scratch scratch;
  private final List<Segment> segments = new ArrayList<>();
  private long bytes;

  /** The number of the first window that was not dropped. */
  private int first;

  /** When the last transaction began that was dropped. */
  private long lastDropped = Long.MIN_VALUE;

  /**
   * What stays in memory.
   *
   * @param window the number of the first window in it
   * @param file where it is on disk
   * @param writes the number of hashes
   * @param lastStart when the last of its transactions, and of all before it, began
   */
  private record Segment(int window, Scratch.Data file, int writes, long lastStart) {}

  Segments(Context context, Scratch scratch) {
    this.context = context;
    this.scratch = scratch;
  }

  // ---- to disk

  /** Adds windows that follow the last segment. */
  void add(int window, Past.Closed closed) {
    Scratch.Data file = scratch.file("windows");
    segments.add(new Segment(window, file, closed.writes().length, closed.lastStart()));
    try (DataOutputStream out = file.append()) {
      write(closed, out);
    } catch (IOException e) {
      throw scratch.failed(e);
    }
    bytes += file.length();
  }

  /** Writes windows, beginning with the hashes of what was written. */
  private void write(Past.Closed closed, DataOutputStream out) throws IOException {
    for (long write : closed.writes()) {
      out.writeLong(write);
    }
    out.writeInt(closed.before().size());
    for (Past.Before before : closed.before()) {
      before.write(context.keys, out);
    }
    write(closed.transactions(), out);
  }

  /** Writes transactions. */
  static void write(List<Arrived> transactions, DataOutputStream out) throws IOException {
    out.writeInt(transactions.size());
    for (int from = 0; from < transactions.size(); from += CHUNK) {
      writeChunk(transactions.subList(from, Math.min(transactions.size(), from + CHUNK)), out);
    }
  }

  private static void writeChunk(List<Arrived> chunk, DataOutputStream out) throws IOException {
    Regrouped regrouped = new Regrouped();
    for (Arrived arrived : chunk) {
      History history = arrived.history();
      out.writeLong(arrived.time);
      out.writeLong(arrived.number);
      out.writeLong(arrived.place);
      // The format does not keep where transactions are in their source.
      out.writeInt(history.file(arrived.txn));
      out.writeLong(history.position(arrived.txn));
      regrouped.add(history, arrived.txn, 0, 0);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    FORMAT.write(regrouped.take(), bytes);
    out.writeInt(bytes.size());
    bytes.writeTo(out);
  }

  // ---- from disk

  /** The number of the first window in the last segment. */
  int lastNumber() {
    return segments.get(segments.size() - 1).window;
  }

  /** When the last of all transactions began. */
  long lastStart() {
    return segments.isEmpty() ? Long.MIN_VALUE : segments.get(segments.size() - 1).lastStart;
  }

  /** The last segment, which is no longer on disk. */
  Past.Closed removeLast() {
    Segment segment = segments.remove(segments.size() - 1);
    bytes -= segment.file.length();
    try {
      Past.Closed closed;
      try (DataInputStream in = segment.file.from(0)) {
        closed = read(segment.writes, segment.lastStart, in);
      }
      scratch.delete(segment.file);
      return closed;
    } catch (IOException e) {
      throw scratch.failed(e);
    }
  }

  private Past.Closed read(int count, long lastStart, DataInputStream in) throws IOException {
    long[] writes = new long[count];
    for (int i = 0; i < count; i++) {
      writes[i] = in.readLong();
    }
    List<Past.Before> before = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      before.add(Past.Before.read(context.keys, in));
    }
    return new Past.Closed(read(context, context.longAgo(), in), writes, before, lastStart);
  }

  /** Reads transactions that were accepted at some time. */
  static List<Arrived> read(Context context, long nanos, DataInputStream in) throws IOException {
    int size = in.readInt();
    List<Arrived> transactions = new ArrayList<>(size);
    try {
      while (transactions.size() < size) {
        readChunk(Math.min(CHUNK, size - transactions.size()), context, nanos, in, transactions);
      }
    } catch (ParseException e) {
      throw new IOException("they cannot be read again: " + e.getMessage(), e);
    }
    return transactions;
  }

  private static void readChunk(
      int size, Context context, long nanos, DataInputStream in, List<Arrived> transactions)
      throws IOException, ParseException {
    long[][] numbers = new long[size][];
    int[] files = new int[size];
    long[] positions = new long[size];
    for (int i = 0; i < size; i++) {
      numbers[i] = new long[] {in.readLong(), in.readLong(), in.readLong()};
      files[i] = in.readInt();
      positions[i] = in.readLong();
    }
    byte[] bytes = new byte[in.readInt()];
    in.readFully(bytes);
    History stored = Formats.read(Input.of("windows", bytes), FORMAT);
    Regrouped regrouped = new Regrouped();
    for (int i = 0; i < size; i++) {
      regrouped.add(stored, i, files[i], positions[i]);
    }
    Block block = context.block(regrouped.take(context.origin()), nanos);
    for (int i = 0; i < size; i++) {
      transactions.add(new Arrived(block, i, numbers[i][0], numbers[i][1], numbers[i][2]));
    }
  }

  // ---- what is too much for the disk

  /** The number of the first window that was not dropped. */
  int first() {
    return first;
  }

  /**
   * Drops the oldest segments.
   *
   * @param keep the maximum number of bytes
   * @param firstRecent the number of the first window that is not in a segment
   */
  void dropBeyond(long keep, int firstRecent) {
    try {
      while (bytes > keep && !segments.isEmpty()) {
        Segment oldest = segments.remove(0);
        bytes -= oldest.file.length();
        lastDropped = oldest.lastStart;
        scratch.delete(oldest.file);
        first = segments.isEmpty() ? firstRecent : segments.get(0).window;
      }
    } catch (IOException e) {
      throw scratch.failed(e);
    }
  }

  // ---- states

  /** Whether a transaction was dropped that began after a time. */
  boolean isDroppedSince(long time) {
    return lastDropped > time;
  }

  void save(StateOutput out) throws IOException {
    out.writeInt(first);
    out.writeLong(lastDropped);
    out.writeInt(segments.size());
    for (Segment segment : segments) {
      out.writeInt(segment.window);
      out.text(segment.file.name());
      out.writeInt(segment.writes);
      out.writeLong(segment.lastStart);
    }
  }

  void restore(StateInput in) throws IOException {
    first = in.readInt();
    lastDropped = in.readLong();
    for (int i = in.readInt(); i > 0; i--) {
      int window = in.readInt();
      Scratch.Data file = scratch.restored(in.text());
      segments.add(new Segment(window, file, in.readInt(), in.readLong()));
      bytes += file.length();
    }
  }

  /** Saves windows that are in memory. */
  void save(Past.Closed closed, StateOutput out) throws IOException {
    out.writeInt(closed.writes().length);
    out.writeLong(closed.lastStart());
    write(closed, out);
  }

  Past.Closed restoreClosed(StateInput in) throws IOException {
    int count = in.readInt();
    return read(count, in.readLong(), in);
  }

  // ---- searching

  /** The first window of the last segment in which this was written, or −1. */
  int windowOf(long hash) {
    try {
      for (int i = segments.size() - 1; i >= 0; i--) {
        if (isWritten(hash, segments.get(i))) {
          return segments.get(i).window;
        }
      }
      return -1;
    } catch (IOException e) {
      throw scratch.failed(e);
    }
  }

  private boolean isWritten(long hash, Segment segment) throws IOException {
    int from = 0;
    int to = segment.writes;
    while (from < to) {
      int middle = (from + to) >>> 1;
      long found = segment.file.number((long) Long.BYTES * middle);
      if (found == hash) {
        return true;
      }
      if (found < hash) {
        from = middle + 1;
      } else {
        to = middle;
      }
    }
    return false;
  }

  /** The first window of the first segment in which a transaction began after a time, or −1. */
  int windowSince(long time) {
    int first = -1;
    for (int i = segments.size() - 1; i >= 0 && segments.get(i).lastStart > time; i--) {
      first = segments.get(i).window;
    }
    return first;
  }
}
