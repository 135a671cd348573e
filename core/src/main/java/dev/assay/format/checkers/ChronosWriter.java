package dev.assay.format.checkers;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.history.Versioned;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;

/** Writes the committed transactions of a history for {@link Chronos}. */
final class ChronosWriter {
  /** Where the timestamps come from. */
  enum Clock {
    DATABASE("the timestamps of the database"),
    REAL_TIME("the real times of transactions"),
    FILE("the places of transactions in the history");

    private final String meaning;

    Clock(String meaning) {
      this.meaning = meaning;
    }

    String meaning() {
      return meaning;
    }

    /** The best one that all committed transactions have. */
    static Clock of(History history) {
      boolean stamped = true;
      boolean timed = true;
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        if (history.isCommitted(txn)) {
          stamped &= isSpan(history.snapshotTs(txn), history.commitTs(txn));
          timed &= isSpan(history.start(txn), history.end(txn));
        }
      }
      return stamped ? DATABASE : timed ? REAL_TIME : FILE;
    }

    private static boolean isSpan(long from, long to) {
      return from != History.ABSENT && to != History.ABSENT && from <= to;
    }
  }

  private final History history;
  private final Clock clock;
  private final int logicalBits;
  private final StringBuilder text = new StringBuilder();

  ChronosWriter(History history) {
    this.history = history;
    this.clock = Clock.of(history);
    String bits = history.metadata().getOrDefault(Chronos.LOGICAL_BITS, "");
    this.logicalBits =
        clock == Clock.DATABASE && bits.matches("[1-9]|[1-5]\\d|6[0-2]")
            ? Integer.parseInt(bits)
            : 0;
  }

  void write(OutputStream out) throws IOException {
    Writer writer = new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    String separator = "[\n";
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.isCommitted(txn)) {
        text.setLength(0);
        transaction(txn);
        writer.append(separator).append(text);
        separator = ",\n";
      }
    }
    writer.append(separator.startsWith("[") ? "[]\n" : "\n]\n");
    writer.flush();
  }

  private void transaction(int txn) {
    Object id = history.ownId(txn);
    text.append("{\"tid\":");
    label(id == null ? Long.valueOf(txn) : id);
    text.append(",\"sid\":");
    label(history.sessionName(history.session(txn)));
    timestamp(
        ",\"sts\":",
        switch (clock) {
          case DATABASE -> history.snapshotTs(txn);
          case REAL_TIME -> history.start(txn);
          case FILE -> 2L * txn + 1;
        });
    timestamp(
        ",\"cts\":",
        switch (clock) {
          case DATABASE -> history.commitTs(txn);
          case REAL_TIME -> history.end(txn);
          case FILE -> 2L * txn + 2;
        });
    if (history.shownEnd(txn) != History.ABSENT) {
      text.append(",\"rtts\":").append(history.shownEnd(txn) / ChronosReader.NANOS_PER_MILLI);
    }
    text.append(",\"ops\":[");
    String separator = "";
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (has(op)) {
        text.append(separator);
        operation(op);
        separator = ",";
      }
    }
    text.append("]}");
  }

  private void timestamp(String name, long time) {
    long logical = time & ((1L << logicalBits) - 1);
    text.append(name).append("{\"p\":").append(time >> logicalBits);
    text.append(",\"l\":").append(logical).append('}');
  }

  /** Whether the format has such an operation. */
  private boolean has(int op) {
    OpKind.Type type = history.kind(op).type();
    boolean known = type == OpKind.Type.REGISTER || type == OpKind.Type.LIST;
    if (!known || !(history.keys().get(history.key(op)) instanceof Long)) {
      return false;
    }
    return history.value(op) != Values.UNKNOWN
        && (history.kind(op).readsSequence() || isInitial(op) || plain(op) instanceof Long);
  }

  /** The value without the number of its version. */
  private Object plain(int op) {
    Object value = history.values().get(history.value(op));
    return value instanceof Versioned versioned ? versioned.value() : value;
  }

  private int unversioned(int op) {
    return history.values().unversioned(history.value(op));
  }

  private boolean isInitial(int op) {
    return history.kind(op) == OpKind.READ
        && (history.value(op) != Values.UNKNOWN && plain(op) == null
            || (history.declaresInitial() && history.isInitial(history.key(op), unversioned(op))));
  }

  private void operation(int op) {
    OpKind kind = history.kind(op);
    String type = kind == OpKind.WRITE ? "w" : kind == OpKind.APPEND ? "a" : "r";
    text.append("{\"t\":\"").append(type).append("\",\"k\":");
    text.append(history.keys().get(history.key(op))).append(",\"v\":");
    if (kind.readsSequence()) {
      sequence(history.value(op));
    } else if (isInitial(op)) {
      text.append(history.zeroIsInitial() ? "0" : "null");
    } else {
      text.append(plain(op));
    }
    text.append('}');
  }

  private void sequence(int sequence) {
    Sequences sequences = history.sequences();
    text.append('[');
    for (int i = 0; i < sequences.length(sequence); i++) {
      text.append(i == 0 ? "" : ",").append(history.values().get(sequences.element(sequence, i)));
    }
    text.append(']');
  }

  /** The id of a transaction or session: an integer, or else a string. */
  private void label(Object name) {
    if (name instanceof Long) {
      text.append(name);
    } else {
      text.append('"');
      for (char c : String.valueOf(name).toCharArray()) {
        if (c == '"' || c == '\\') {
          text.append('\\');
        }
        text.append(c < ' ' ? ' ' : c);
      }
      text.append('"');
    }
  }
}
