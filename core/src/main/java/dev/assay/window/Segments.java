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
  private final Scratch.Data file;
  private final List<Segment> segments = new ArrayList<>();

  /**
   * What stays in memory.
   *
   * @param window the number of the first window in it
   * @param place where it begins on disk
   * @param writes the number of hashes
   * @param lastStart when the last of its transactions, and of all before it, began
   * @param nanos when the last of its transactions was accepted
   */
  private record Segment(int window, long place, int writes, long lastStart, long nanos) {}

  Segments(Context context, Scratch scratch) {
    this.context = context;
    this.scratch = scratch;
    this.file = scratch.file("windows");
  }

  // ---- to disk

  /** Adds windows that follow the last segment. */
  void add(int window, Past.Closed closed) {
    long nanos = closed.transactions().get(0).block.nanos;
    for (Arrived arrived : closed.transactions()) {
      nanos = arrived.block.nanos - nanos > 0 ? arrived.block.nanos : nanos;
    }
    long[] writes = closed.writes();
    segments.add(new Segment(window, file.length(), writes.length, closed.lastStart(), nanos));
    try {
      DataOutputStream out = file.append();
      for (long write : writes) {
        out.writeLong(write);
      }
      out.writeInt(closed.before().size());
      for (Past.Before before : closed.before()) {
        before.write(context.keys, out);
      }
      List<Arrived> transactions = closed.transactions();
      out.writeInt(transactions.size());
      for (int from = 0; from < transactions.size(); from += CHUNK) {
        write(transactions.subList(from, Math.min(transactions.size(), from + CHUNK)), out);
      }
      out.flush();
    } catch (IOException e) {
      throw scratch.failed(e);
    }
  }

  private static void write(List<Arrived> chunk, DataOutputStream out) throws IOException {
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
    try {
      DataInputStream in = file.from(segment.place);
      long[] writes = new long[segment.writes];
      for (int i = 0; i < writes.length; i++) {
        writes[i] = in.readLong();
      }
      List<Past.Before> before = new ArrayList<>();
      for (int i = in.readInt(); i > 0; i--) {
        before.add(Past.Before.read(context.keys, in));
      }
      int size = in.readInt();
      List<Arrived> transactions = new ArrayList<>(size);
      while (transactions.size() < size) {
        read(Math.min(CHUNK, size - transactions.size()), segment.nanos, in, transactions);
      }
      file.truncate(segment.place);
      return new Past.Closed(transactions, writes, before, segment.lastStart);
    } catch (IOException e) {
      throw scratch.failed(e);
    } catch (ParseException e) {
      throw scratch.failed(new IOException("they cannot be read again: " + e.getMessage(), e));
    }
  }

  private void read(int size, long nanos, DataInputStream in, List<Arrived> transactions)
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
      long found = file.number(segment.place + (long) Long.BYTES * middle);
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
