package dev.assay.collect.record;

import dev.assay.collect.certificate.Tracing;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.UnusableException;
import dev.assay.collect.db.JdbcSession;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.RowOperation;
import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * When all clients are done, one more session reads every key, some at a time. What an acknowledged
 * transaction put into a list or a set must be there; {@link
 * dev.assay.history.History#FINAL_SESSION} names the session for checkers.
 */
final class FinalReads {
  private static final int KEYS_A_TRANSACTION = 32;

  /** Keys that are read where not all of the recording is kept. */
  private static final int MAX_KEYS = 50_000;

  static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final long RETRY_MILLIS = 100;

  private final OpenStore store;
  private final RunSpec spec;
  private final LiveWorkload workload;
  private final Recorder recorder;
  private final Tracing tracing;
  private final AssayBinaryJournal journal;
  private final List<Key> keys = new ArrayList<>();
  private int session;
  private long deadline;

  /** How far the reading has got; guarded by this. */
  private volatile int done;

  /** Since when no server has answered; 0 if one has. */
  private long unanswered;

  private volatile boolean rowsDone;
  private volatile String error = "there was no time left";
  private volatile UnusableException unusable;

  /** Whether what is read is no longer waited for. Guarded by this. */
  private boolean over;

  private record Key(OpKind.Type type, long number) {}

  FinalReads(
      OpenStore store, RunSpec spec, LiveWorkload workload, Recorder recorder, Tracing tracing) {
    this.store = store;
    this.spec = spec;
    this.workload = workload;
    this.recorder = recorder;
    this.tracing = tracing;
    this.journal = recorder.journal();
  }

  /**
   * Reads what can be read in time; a database that is gone leaves the history without.
   *
   * @param gone why the server cannot be read, or null
   * @return what was not read and why; null if everything was
   * @throws UnusableException if what would be read proves nothing
   */
  String run(Duration patience, String gone) throws IOException, UnusableException {
    chooseKeys();
    recorder.flush();
    session = recorder.newSession(0);
    recorder.metadata(History.FINAL_SESSION, Integer.toString(session));
    deadline = System.nanoTime() + patience.toNanos();
    rowsDone = workload.rows() == 0;
    if (gone == null) {
      // A driver may wait for an answer much longer than Assay does.
      Thread thread = new Thread(this::readAll, "final reads");
      thread.setDaemon(true);
      thread.start();
      LiveRun.join(thread, patience.toMillis());
    } else {
      error = gone;
    }
    synchronized (this) {
      over = true;
      if (unusable != null) {
        throw unusable;
      }
      if (done == keys.size() && rowsDone) {
        return null;
      }
      String what =
          rowsDone ? "%,d of %,d keys".formatted(keys.size() - done, keys.size()) : "the rows";
      String unread =
          "at the end of the run, %s could not be read, so lost writes there do not show"
                  .formatted(what)
              + ": "
              + error;
      recorder.metadata(History.UNREAD_IN_THE_END, unread);
      return unread;
    }
  }

  /** All keys; of a run without end the newest, since the writes of the others are not kept. */
  private void chooseKeys() throws IOException {
    AtomicLong count = new AtomicLong();
    workload.forEachKey((type, key) -> count.incrementAndGet());
    long skipped = recorder.keepsAll() ? 0 : Math.max(0, count.get() - MAX_KEYS);
    count.set(0);
    workload.forEachKey(
        (type, key) -> {
          if (count.getAndIncrement() >= skipped) {
            keys.add(new Key(type, key));
          }
        });
    if (skipped > 0) {
      recorder.metadata(
          "note.final-reads",
          "at the end of the run only the newest %,d of %,d keys were read"
              .formatted(MAX_KEYS, count.get()));
    }
  }

  private void readAll() {
    SessionSpec toRead =
        new SessionSpec(spec.isolation().parts().get(0), false, spec.upserts(), true);
    while ((done < keys.size() || !rowsDone) && System.nanoTime() < deadline) {
      try {
        store.with(0, toRead, this::readWhatIsLeft);
      } catch (UnusableException e) {
        unusable = e;
        return;
      } catch (ClientException | RuntimeException e) {
        error = store.cluster().redact(String.valueOf(e.getMessage()));
        long now = System.nanoTime();
        unanswered = !Reach.isUnanswered(e) ? 0 : unanswered == 0 ? now : unanswered;
        if (unanswered != 0 && now - unanswered > Reach.PATIENCE.toNanos()) {
          return;
        }
        LiveRun.sleep(RETRY_MILLIS);
      }
    }
  }

  private void readWhatIsLeft(ClientSession reader) throws ClientException {
    unanswered = 0;
    reader.catchUp();
    while (done < keys.size() && System.nanoTime() < deadline) {
      read(reader, done, Math.min(keys.size(), done + KEYS_A_TRANSACTION));
    }
    if (!rowsDone) {
      readRows((JdbcSession) reader);
    }
  }

  private void read(ClientSession reader, int from, int to) throws ClientException {
    journal.begin(session);
    journal.level(spec.levelOf(0));
    long start = recorder.now();
    reader.begin();
    for (Key key : keys.subList(from, to)) {
      switch (key.type()) {
        case LIST -> {
          int length = reader.readElements(key.type(), key.number());
          journal.readList(key.number(), reader.elements(), 0, length);
        }
        case SET -> {
          int length = reader.readElements(key.type(), key.number());
          journal.readSet(key.number(), reader.elements(), 0, length);
        }
        default -> {
          OpKind kind = key.type() == OpKind.Type.COUNTER ? OpKind.COUNTER_READ : OpKind.READ;
          journal.op(kind, key.number(), reader.readNumber(key.type(), key.number()));
        }
      }
    }
    reader.confirm();
    reader.commit();
    append(start, () -> done = to);
  }

  /** All rows, in one predicate read. */
  private void readRows(JdbcSession reader) throws ClientException {
    RowSession rows = new RowSession(reader, spec, recorder, journal, tracing);
    journal.begin(session);
    journal.level(spec.levelOf(0));
    long id = tracing.newId();
    if (tracing.isOn()) {
      journal.id(id);
    }
    long start = recorder.now();
    reader.begin();
    rows.begin(id);
    rows.run(new RowOperation.Select(null), 0);
    rows.beforeCommit();
    reader.confirm();
    reader.commit();
    append(start, () -> rowsDone = true);
  }

  private synchronized void append(long start, Runnable note) {
    if (!over) {
      journal.times(start, recorder.now());
      recorder.end(journal, Outcome.COMMITTED);
      note.run();
    }
  }
}
