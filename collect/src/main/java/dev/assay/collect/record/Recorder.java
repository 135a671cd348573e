package dev.assay.collect.record;

import dev.assay.collect.client.Node;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.format.binary.AssayBinaryParts;
import dev.assay.format.binary.AssayBinaryWriter;
import dev.assay.history.Nodes;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;

/**
 * The file that a run is recorded in, shared by its sessions. Written in place and flushed several
 * times a second, so that a crash loses a moment and not the run.
 */
public final class Recorder implements AutoCloseable {
  private static final long FLUSH_MILLIS = 100;

  private final String name;
  private final AssayBinaryWriter writer;

  /** What is kept of the recording; null if all of it is. */
  private final AssayBinaryParts parts;

  /** The number of the oldest part that a reader needs. */
  private volatile IntSupplier needed = () -> Integer.MAX_VALUE;

  /** Whether readers are so far behind that there is no room for more. */
  private volatile boolean crowded;

  private final long origin = System.nanoTime();
  private int sessions;
  private final List<BitSet> nodes = new ArrayList<>();
  private final Thread flusher = new Thread(this::flushOften, "recorder");
  private final AtomicLong ids = new AtomicLong(1);
  private volatile int nodeCount = 1;
  private final boolean discards;
  private final UnansweredUpdates unanswered = new UnansweredUpdates();
  private volatile IOException failure;

  public Recorder(Path file, Map<String, String> metadata) throws IOException {
    this(file.toString(), Files.newOutputStream(file), metadata, false);
  }

  /** One that writes to a stream; {@code name} is what to call it. */
  Recorder(String name, OutputStream out, Map<String, String> metadata, boolean discards)
      throws IOException {
    this(name, new AssayBinaryWriter(out, false, metadata), null, discards);
  }

  private Recorder(
      String name, AssayBinaryWriter writer, AssayBinaryParts parts, boolean discards) {
    this.name = name;
    this.writer = writer;
    this.parts = parts;
    this.discards = discards;
    flusher.setDaemon(true);
    flusher.start();
  }

  /** One that keeps the last part of what is recorded, up to this number of bytes. */
  public static Recorder keeping(long bytes, Path file, Map<String, String> metadata)
      throws IOException {
    AssayBinaryParts parts = new AssayBinaryParts(file, bytes, metadata);
    return new Recorder(file.toString(), parts.writer(), parts, false);
  }

  /** What a reader needs is not dropped; clients wait for it instead. */
  void keepFrom(IntSupplier part) {
    needed = part;
  }

  /** Whether nothing of the recording is dropped. */
  boolean keepsAll() {
    return parts == null;
  }

  /** The number of transactions that the recording no longer has. */
  public long dropped() {
    return parts == null ? 0 : parts.dropped();
  }

  /** Waits until there is room for more, or until a stop. */
  void awaitRoom(Stop stop) {
    while (crowded && !stop.isAsked()) {
      LiveRun.sleep(FLUSH_MILLIS);
    }
  }

  /** One that keeps nothing, to measure what recording costs. */
  public static Recorder discarding() throws IOException {
    return new Recorder("nothing", OutputStream.nullOutputStream(), Map.of(), true);
  }

  /** Nanoseconds since the recording began, by a clock that never goes back. */
  long now() {
    return System.nanoTime() - origin;
  }

  /** The same for a moment of {@link System#nanoTime}. */
  long at(long nanoTime) {
    return nanoTime - origin;
  }

  /** A new session: its number is its name. */
  synchronized int newSession() {
    return writer.session((long) sessions++);
  }

  /** A new session of a client that works on this node. */
  synchronized int newSession(int node) {
    while (nodes.size() <= node) {
      nodes.add(new BitSet());
    }
    nodes.get(node).set(sessions);
    if (nodeCount > 1) {
      metadata(Nodes.sessions(node, nodes.get(node)));
    }
    return newSession();
  }

  /** A new id of a transaction on this node, for sessions that do not stay on one. */
  long newId(int node) {
    return ids.getAndIncrement() * nodeCount + node;
  }

  /**
   * The store that is recorded has these nodes, in the order of their numbers. Several are on
   * record before the first transaction, for witnesses that are found while the run goes on.
   */
  void nodes(List<Node> all, boolean byId) {
    nodeCount = all.size();
    if (nodeCount > 1) {
      nodesOfSessions(all, byId);
    }
  }

  /** Says where the sessions so far worked. */
  synchronized void nodesOfSessions(List<Node> all, boolean byId) {
    while (nodes.size() < all.size()) {
      nodes.add(new BitSet());
    }
    List<String> addresses = all.stream().map(Node::url).toList();
    List<String> roles = all.stream().map(node -> node.role().id()).toList();
    metadata(Nodes.metadata(addresses, roles, nodes, byId));
  }

  /** The raw scalar of a value that is not a plain integer, for records of this recording. */
  long scalar(Object value) {
    return writer.scalar(value);
  }

  /** For one client, so that clients do not meet at every transaction. */
  AssayBinaryJournal journal() {
    return writer.journal();
  }

  UnansweredUpdates unanswered() {
    return unanswered;
  }

  /** Whether clients need not note anything. */
  boolean discards() {
    return discards;
  }

  /** Keeps the open transaction of a journal. */
  void end(AssayBinaryJournal journal, Outcome outcome) {
    try {
      journal.end(outcome);
    } catch (IOException e) {
      failed(e);
    }
  }

  private interface Writing {
    void run() throws IOException;
  }

  private void attempt(Writing writing) {
    try {
      writing.run();
    } catch (IOException e) {
      failed(e);
    }
  }

  /** The first failure says why; those after it only that there was one. */
  private synchronized void failed(IOException e) {
    failure = failure == null ? e : failure;
  }

  private void metadata(Map<String, String> all) {
    all.forEach((name, text) -> attempt(() -> writer.metadata(name, text)));
  }

  /** Adds something that is known only now about the run. */
  public void metadata(String name, String text) throws IOException {
    attempt(() -> writer.metadata(name, text));
    failIfAny();
  }

  /** Why nothing more can be recorded, or null. */
  IOException failure() {
    return failure;
  }

  /** Writes all that was handed over, before what comes next. */
  void flush() {
    attempt(writer::flush);
  }

  private void flushOften() {
    try {
      while (failure == null) {
        Thread.sleep(FLUSH_MILLIS);
        flush();
        if (parts != null) {
          attempt(() -> crowded = !parts.turn(needed.getAsInt()));
        }
      }
    } catch (InterruptedException e) {
      // The recording ends; closing flushes the rest.
    }
  }

  @Override
  public void close() throws IOException {
    flusher.interrupt();
    try {
      flusher.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    attempt(parts == null ? writer::close : this::closeParts);
    failIfAny();
  }

  private void closeParts() throws IOException {
    parts.finish();
    while (needed.getAsInt() <= parts.last()) {
      LiveRun.sleep(FLUSH_MILLIS / 10);
    }
    parts.join();
  }

  /** Says so if not all of the run could be recorded. */
  void failIfAny() throws IOException {
    if (failure != null) {
      throw new IOException(
          "cannot write %s: %s; what was recorded until then is kept"
              .formatted(name, failure.getMessage()),
          failure);
    }
  }
}
