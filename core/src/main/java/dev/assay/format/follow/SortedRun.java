package dev.assay.format.follow;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Transactions in order, in a file: segments that are each a whole history in Assay's binary
 * format, with the order and the places of its transactions, which that does not keep.
 */
final class SortedRun {
  private static final int SEGMENT_BYTES = 1 << 20;
  private static final int BUFFER = 1 << 16;
  private static final HistoryFormat FORMAT = Formats.byId("assay").orElseThrow();

  private SortedRun() {}

  /** Writes a run. */
  static final class Writer implements Closeable {
    private final DataOutputStream out;
    private final List<Arrival> segment = new ArrayList<>();
    private long segmentBytes;

    Writer(Path file) throws IOException {
      out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), BUFFER));
    }

    void add(Arrival arrival) throws IOException {
      segment.add(arrival);
      segmentBytes += arrival.bytes();
      if (segmentBytes > SEGMENT_BYTES) {
        writeSegment();
      }
    }

    private void writeSegment() throws IOException {
      Regrouped history = new Regrouped();
      out.writeInt(segment.size());
      for (Arrival arrival : segment) {
        out.writeLong(arrival.key());
        out.writeLong(arrival.number());
        out.writeLong(arrival.place());
        history.add(arrival);
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      FORMAT.write(history.take(), bytes);
      out.writeInt(bytes.size());
      bytes.writeTo(out);
      segment.clear();
      segmentBytes = 0;
    }

    @Override
    public void close() throws IOException {
      try (out) {
        if (!segment.isEmpty()) {
          writeSegment();
        }
      }
    }
  }

  /** Reads a run, front to back. */
  static final class Reader implements Closeable {
    private final Path file;
    private final DataInputStream in;
    private final List<Arrival> segment = new ArrayList<>();
    private int next;

    Reader(Path file) throws IOException {
      this.file = file;
      in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER));
    }

    /** The transaction that comes next; null at the end. */
    Arrival peek() throws IOException {
      if (next == segment.size()) {
        readSegment();
      }
      return segment.isEmpty() ? null : segment.get(next);
    }

    /** The transaction that {@link #peek} found last. */
    Arrival head() {
      return segment.get(next);
    }

    void skip() {
      next++;
    }

    private void readSegment() throws IOException {
      segment.clear();
      next = 0;
      int first = in.read();
      if (first < 0) {
        return;
      }
      int size = first << 24 | in.readUnsignedByte() << 16 | in.readUnsignedShort();
      long[] fields = new long[3 * size];
      for (int i = 0; i < fields.length; i++) {
        fields[i] = in.readLong();
      }
      byte[] bytes = new byte[in.readInt()];
      in.readFully(bytes);
      try {
        History history = Formats.read(Input.of(file.toString(), bytes), FORMAT);
        for (int i = 0; i < size; i++) {
          segment.add(new Arrival(fields[3 * i], fields[3 * i + 1], history, i, fields[3 * i + 2]));
        }
      } catch (ParseException e) {
        throw new IOException("cannot be read again: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() throws IOException {
      in.close();
    }
  }
}
