package dev.assay.collect.record;

import dev.assay.format.binary.AssayBinaryJournal;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Updates by conditions that were not answered. Their clients do not know which rows they changed,
 * and never commit them. But where uncommitted rows are shown, others may see some of theirs for a
 * moment, and those must not look as if they were never written: in the end they are put on record,
 * as writes of a transaction that aborted. Shared by all sessions.
 */
final class UnansweredUpdates {
  /** For the version that such an update leaves in rows, the rows that were seen with it. */
  private final Map<Long, Set<Row>> seen = new ConcurrentHashMap<>();

  private record Row(long key, long value) {}

  /** To be called before an update is asked for. */
  void asked(long version) {
    seen.put(version, ConcurrentHashMap.newKeySet());
  }

  /** To be called when an update has returned the rows that it left behind. */
  void answered(long version) {
    seen.remove(version);
  }

  /** To be called for every row that was read, other than by the update itself. */
  void saw(long key, long value, long version) {
    Set<Row> rows = seen.get(version);
    if (rows != null) {
      rows.add(new Row(key, value));
    }
  }

  /** To be called when all sessions are done. */
  void record(Recorder recorder) {
    AssayBinaryJournal journal = recorder.journal();
    seen.forEach(
        (version, rows) -> {
          if (!rows.isEmpty()) {
            journal.begin(recorder.newSession());
            for (Row row : rows) {
              long vector = recorder.scalar(List.of(row.value(), version));
              journal.op(OpKind.WRITE, row.key(), vector);
            }
            journal.times(0, recorder.now());
            journal.error("what others saw of an update that was not answered");
            recorder.end(journal, Outcome.ABORTED);
          }
        });
  }
}
