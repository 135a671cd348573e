package dev.assay.format.follow;

import dev.assay.history.History;
import dev.assay.history.Origin;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * Puts the transactions of a history of any size into the order of their ends: sorted runs on disk,
 * which are then merged.
 *
 * <pre>{@code
 * try (ExternalSort sort = new ExternalSort(folder, memory)) {
 *   sort.add(block); ...
 *   sort.finish();
 *   for (History block = sort.next(); block != null; block = sort.next()) { ... }
 * }
 * }</pre>
 */
public final class ExternalSort implements Closeable {
  private static final int BLOCK = 4096;

  /** The maximum number of runs that are merged at once. */
  private static final int FAN_IN = 64;

  private final Path folder;
  private final long memory;
  private final int fanIn;
  private final Arrival.Order order = new Arrival.Order();
  private final List<Arrival> open = new ArrayList<>();
  private final Deque<Path> runs = new ArrayDeque<>();
  private final Regrouped next = new Regrouped();
  private long openBytes;
  private int files;
  private Origin origin = Origin.MEMORY;
  private Merge merge;

  /**
   * Sorts nothing so far.
   *
   * @param folder where runs go
   * @param memory the maximum number of bytes to sort in memory
   */
  public ExternalSort(Path folder, long memory) {
    this(folder, memory, FAN_IN);
  }

  ExternalSort(Path folder, long memory, int fanIn) {
    this.folder = folder;
    this.memory = memory;
    this.fanIn = fanIn;
  }

  public void add(History block) throws IOException {
    origin = block.origin();
    for (int txn = 0; txn < block.transactionCount(); txn++) {
      Arrival arrival = order.of(block, txn);
      open.add(arrival);
      openBytes += arrival.bytes();
    }
    if (openBytes > memory) {
      writeRun();
    }
  }

  private void writeRun() throws IOException {
    Collections.sort(open);
    Path file = newRun();
    try (SortedRun.Writer writer = new SortedRun.Writer(file)) {
      for (Arrival arrival : open) {
        writer.add(arrival);
      }
    }
    runs.add(file);
    open.clear();
    openBytes = 0;
  }

  private Path newRun() {
    return folder.resolve("run-" + files++);
  }

  /** All transactions were added. */
  public void finish() throws IOException {
    if (!open.isEmpty()) {
      writeRun();
    }
    while (runs.size() > fanIn) {
      Path file = newRun();
      try (Merge some = new Merge(fanIn);
          SortedRun.Writer writer = new SortedRun.Writer(file)) {
        for (Arrival arrival = some.next(); arrival != null; arrival = some.next()) {
          writer.add(arrival);
        }
      }
      runs.add(file);
    }
    merge = new Merge(runs.size());
  }

  /** The next transactions in order; null at the end. */
  public History next() throws IOException {
    while (next.size() < BLOCK) {
      Arrival arrival = merge.next();
      if (arrival == null) {
        break;
      }
      next.add(arrival);
    }
    return next.size() == 0 ? null : next.take(origin);
  }

  /** The number of runs so far. */
  public int runs() {
    return files;
  }

  @Override
  public void close() throws IOException {
    if (merge != null) {
      merge.close();
    }
    for (int i = 0; i < files; i++) {
      Files.deleteIfExists(folder.resolve("run-" + i));
    }
  }

  /** The oldest runs, merged. */
  private final class Merge implements Closeable {
    private final List<SortedRun.Reader> readers = new ArrayList<>();
    private final List<Path> merged = new ArrayList<>();
    private final PriorityQueue<SortedRun.Reader> byNext =
        new PriorityQueue<>((a, b) -> a.head().compareTo(b.head()));

    Merge(int count) throws IOException {
      for (int i = 0; i < count; i++) {
        Path file = runs.remove();
        SortedRun.Reader reader = new SortedRun.Reader(file);
        merged.add(file);
        readers.add(reader);
        if (reader.peek() != null) {
          byNext.add(reader);
        }
      }
    }

    Arrival next() throws IOException {
      SortedRun.Reader reader = byNext.poll();
      if (reader == null) {
        return null;
      }
      Arrival arrival = reader.head();
      reader.skip();
      if (reader.peek() != null) {
        byNext.add(reader);
      }
      return arrival;
    }

    @Override
    public void close() throws IOException {
      for (SortedRun.Reader reader : readers) {
        reader.close();
      }
      for (Path file : merged) {
        Files.deleteIfExists(file);
      }
    }
  }
}
