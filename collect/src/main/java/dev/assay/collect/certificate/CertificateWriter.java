package dev.assay.collect.certificate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Writes the certificate of a history: transactions of the log are matched by versions, which name
 * their writers, and by the marks that sessions left.
 */
public final class CertificateWriter {
  private static final int NO_TRANSACTION = -1;

  private final History history;
  private final CommitLog log;
  private final Map<String, Integer> byLabel = new HashMap<>();
  private final Map<Write, Integer> writers = new HashMap<>();

  /** The transactions of the history in the order of the log, and the place of each there. */
  private final int[] committed;

  private final int[] places;

  private record Write(long key, Object version) {}

  private record Installed(Object version, int writer) {}

  /**
   * Finds the transactions of the log in the history.
   *
   * @throws CertificateException if the log and the history cannot be of the same run
   */
  public CertificateWriter(History history, CommitLog log) throws CertificateException {
    this.history = history;
    this.log = log;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      byLabel.put(history.label(txn), txn);
      collectWrites(txn);
    }
    committed = new int[log.transactions().size()];
    places = new int[history.transactionCount()];
    java.util.Arrays.fill(places, NO_TRANSACTION);
    for (int place = 0; place < committed.length; place++) {
      int txn = whoIs(log.transactions().get(place));
      if (places[txn] != NO_TRANSACTION) {
        throw new CertificateException(
            "the log has transaction " + history.label(txn) + " committed twice");
      }
      committed[place] = txn;
      places[txn] = place;
    }
  }

  private void collectWrites(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      OpKind kind = history.kind(op);
      if ((kind == OpKind.WRITE || kind == OpKind.APPEND)
          && history.keys().get(history.key(op)) instanceof Long key) {
        writers.putIfAbsent(new Write(key, history.values().get(history.value(op))), txn);
      }
    }
  }

  private int whoIs(CommitLog.Committed transaction) throws CertificateException {
    int found = NO_TRANSACTION;
    if (transaction.mark() != null) {
      found = byLabel.getOrDefault(transaction.mark(), NO_TRANSACTION);
      if (found == NO_TRANSACTION) {
        throw new CertificateException(
            "the log has a transaction " + transaction.mark() + " that the history does not have");
      }
    }
    List<CommitLog.Change> changes = new ArrayList<>(transaction.changes());
    changes.removeIf(change -> change.version() == null);
    if (transaction.sample() != null) {
      changes.add(transaction.sample());
    }
    for (CommitLog.Change change : changes) {
      int writer = writers.getOrDefault(new Write(change.key(), change.version()), NO_TRANSACTION);
      if (writer == NO_TRANSACTION || (found != NO_TRANSACTION && found != writer)) {
        throw new CertificateException(
            "the log has %s = %s in a transaction that is not the one of the history"
                .formatted(change.key(), change.version()));
      }
      found = writer;
    }
    if (found == NO_TRANSACTION) {
      throw new CertificateException(
          "log transaction %d matches none in the history".formatted(transaction.id()));
    }
    if (history.outcome(found) == Outcome.ABORTED) {
      throw new CertificateException(
          "transaction %s is committed in the log, but its client saw it abort"
              .formatted(history.label(found)));
    }
    return found;
  }

  /**
   * Writes the file.
   *
   * @param seen what sessions saw, read with {@code snapshots}
   */
  public void write(Path file, List<Tracing.Seen> seen, Snapshots snapshots) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        JsonGenerator json = new JsonFactory().createGenerator(out)) {
      json.setRootValueSeparator(null);
      writeCommits(json);
      writeVersions(json);
      for (Tracing.Seen one : seen) {
        writeSnapshot(json, one, snapshots);
      }
      if (snapshots.areOfSerialOrder()) {
        writeOrder(json, seen, snapshots);
      }
    }
  }

  private void writeCommits(JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeArrayFieldStart("commits");
    for (int txn : committed) {
      json.writeString(history.label(txn));
    }
    json.writeEndArray();
    endLine(json);
  }

  private void writeVersions(JsonGenerator json) throws IOException {
    Map<Long, List<Installed>> ofKeys = new TreeMap<>();
    for (int place = 0; place < committed.length; place++) {
      for (CommitLog.Change change : log.transactions().get(place).changes()) {
        ofKeys
            .computeIfAbsent(change.key(), k -> new ArrayList<>())
            .add(new Installed(change.version(), committed[place]));
      }
    }
    for (Map.Entry<Long, List<Installed>> entry : ofKeys.entrySet()) {
      json.writeStartObject();
      json.writeNumberField("key", entry.getKey());
      json.writeArrayFieldStart("versions");
      for (Installed one : entry.getValue()) {
        writeVersion(json, one.version(), one.writer());
      }
      json.writeEndArray();
      endLine(json);
    }
  }

  private void writeVersion(JsonGenerator json, Object version, int writer) throws IOException {
    if (version instanceof Long number) {
      json.writeNumber(number);
      return;
    }
    json.writeStartObject();
    if (version instanceof List<?> columns) {
      json.writeArrayFieldStart("vector");
      for (Object column : columns) {
        json.writeNumber((Long) column);
      }
      json.writeEndArray();
    } else {
      json.writeStringField("by", history.label(writer));
    }
    json.writeEndObject();
  }

  private void writeSnapshot(JsonGenerator json, Tracing.Seen seen, Snapshots snapshots)
      throws IOException {
    String label = Long.toString(seen.id());
    int txn = byLabel.getOrDefault(label, NO_TRANSACTION);
    if (seen.operation() == Tracing.Seen.NAME
        || txn == NO_TRANSACTION
        || (history.outcome(txn) != Outcome.COMMITTED && places[txn] == NO_TRANSACTION)) {
      // It aborted, or its commit is not known.
      return;
    }
    Snapshots.Visible visible = snapshots.read(seen.snapshot(), places[txn]);
    json.writeStartObject();
    if (seen.operation() == Tracing.Seen.WHOLE) {
      json.writeStringField("snapshot", label);
    } else {
      json.writeStringField("select", label + "#" + seen.operation());
      json.writeObjectFieldStart("snapshot");
    }
    json.writeStringField("upTo", visible.upTo() == 0 ? null : label(visible.upTo() - 1));
    if (visible.except().length > 0) {
      json.writeArrayFieldStart("except");
      for (int place : visible.except()) {
        json.writeString(label(place));
      }
      json.writeEndArray();
    }
    if (seen.operation() != Tracing.Seen.WHOLE) {
      json.writeEndObject();
    }
    endLine(json);
  }

  /** Only if every transaction that committed has a place: an order that lacks one says little. */
  private void writeOrder(JsonGenerator json, List<Tracing.Seen> seen, Snapshots snapshots)
      throws IOException {
    Map<Integer, Integer> after = new HashMap<>();
    for (Tracing.Seen one : seen) {
      int txn = byLabel.getOrDefault(Long.toString(one.id()), NO_TRANSACTION);
      if (txn != NO_TRANSACTION && one.operation() == Tracing.Seen.NAME) {
        after.put(txn, snapshots.read(one.snapshot(), NO_TRANSACTION).upTo());
      }
    }
    boolean lateCommits = false;
    for (int txn : committed) {
      lateCommits |= history.outcome(txn) != Outcome.COMMITTED;
    }
    String finalSession = history.metadata().get(History.FINAL_SESSION);
    List<Integer> readers = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.COMMITTED && places[txn] == NO_TRANSACTION) {
        if (!after.containsKey(txn)) {
          Object session = history.sessionName(history.session(txn));
          if (lateCommits || !String.valueOf(session).equals(finalSession)) {
            return;
          }
          // Final reads begin when all who write have ended.
          after.put(txn, committed.length);
        }
        readers.add(txn);
      }
    }
    readers.sort(Comparator.<Integer>comparingInt(after::get).thenComparingLong(history::start));
    json.writeStartObject();
    json.writeArrayFieldStart("order");
    int next = 0;
    for (int place = 0; place <= committed.length; place++) {
      while (next < readers.size() && after.get(readers.get(next)) == place) {
        json.writeString(history.label(readers.get(next++)));
      }
      if (place < committed.length) {
        json.writeString(label(place));
      }
    }
    json.writeEndArray();
    endLine(json);
  }

  private String label(int place) {
    return history.label(committed[place]);
  }

  private static void endLine(JsonGenerator json) throws IOException {
    json.writeEndObject();
    json.writeRaw('\n');
  }
}
