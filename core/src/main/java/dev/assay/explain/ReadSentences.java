package dev.assay.explain;

import dev.assay.check.Evidence;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.type.Counters;
import java.math.BigInteger;
import java.util.List;

/**
 * What happened where the evidence is a few operations: the offending read and, if the anomaly has
 * them, the writes or reads it conflicts with.
 */
final class ReadSentences {
  private static final int NONE = -1;

  private final History history;
  private final Wording wording;

  ReadSentences(History history, Wording wording) {
    this.history = history;
    this.wording = wording;
  }

  String headline(AnomalyType type, Evidence evidence) {
    if (evidence.operations().isEmpty()) {
      return type.definition();
    }
    int read = evidence.operations().get(0);
    int other = evidence.operations().size() > 1 ? evidence.operations().get(1) : NONE;
    String reader = wording.name(history.transactionOf(read));
    String saw = reader + " " + wording.did(read);
    return switch (type) {
      case THIN_AIR_READ -> thinAir(read, saw);
      case ABORTED_READ -> saw + written(read, other) + " and then aborted";
      case FUTURE_READ ->
          saw + (isSequence(read) ? ", with what" : ", which") + " it writes only later";
      case NOT_MY_OWN_WRITE -> notMyOwn(read, other, reader);
      case NOT_MY_LAST_WRITE -> notMyLast(read, other, reader);
      case INTERMEDIATE_READ -> intermediate(evidence.operations(), saw);
      case NON_REPEATABLE_READ -> nonRepeatable(read, other, reader);
      case DIRTY_UPDATE -> saw + written(read, other) + " and then aborted; later versions keep it";
      case DUPLICATE_WRITE -> saw + duplicate(read);
      case INCOMPATIBLE_ORDER -> saw + otherOrder(evidence.operations(), other);
      case LOST_WRITE -> saw + ", without" + lost(other);
      case NON_LINEARIZABLE -> saw + withoutOrder(evidence.operations());
      case CERTIFICATE_CONTRADICTION -> saw + unlikeReplay(read, other);
      case RESULT_SET_MISMATCH -> saw + ", " + unlikeVersions(evidence.operations(), read, other);
      case LOST_UPDATE -> lostUpdate(read, other, reader);
      case WRONG_TOTAL -> wrongTotal(evidence.operations(), reader);
      default -> saw + ": " + type.definition();
    };
  }

  private String withoutOrder(List<Integer> operations) {
    String key = wording.key(history.key(operations.get(0)));
    return operations.size() == 1
        ? ", which no write of " + key + " explains"
        : ": no order of these " + operations.size() + " operations on " + key + " explains them";
  }

  /** What a read should have seen in the given order. */
  private String unlikeReplay(int read, int expected) {
    if (expected == NONE) {
      return ", which the given order rules out";
    }
    String writer = wording.name(history.transactionOf(expected));
    String version = wording.keyAndValue(expected) + " of " + writer;
    return history.kind(read).isPredicate()
        ? ", but in the given order " + version + " was there and matches"
        : ", but in the given order " + version + " was there";
  }

  /** The row that the versions seen add to a result, or do not yield. */
  private String unlikeVersions(List<Integer> operations, int read, int write) {
    if (write == NONE) {
      return "which the versions it saw do not yield";
    }
    if (history.kind(write).isPredicate()) {
      return "and "
          + wording.name(history.transactionOf(write))
          + " "
          + wording.did(write)
          + ": no order of the transactions explains "
          + (operations.size() == 2 ? "both" : "everything shown here");
    }
    boolean isItsRow = write > read && write < history.nextOp(read);
    if (history.kind(write) == OpKind.READ && !isItsRow) {
      String key = wording.key(history.key(write));
      return "and " + wording.did(write) + ": no version of " + key + " explains both";
    }
    String row = wording.keyAndValue(write);
    boolean own = history.transactionOf(write) == history.transactionOf(read) && write > read;
    return own
        ? "with " + row + ", which the versions it saw do not yield"
        : "without " + row + ", which it saw and which matches";
  }

  private String thinAir(int read, String saw) {
    if (history.isOtherRead(read)) {
      return saw + ", but nothing else was ever there";
    }
    if (!isSequence(read)) {
      int write = writerOfVersion(read);
      return write == NONE
          ? saw + ", which no transaction wrote"
          : saw + ", but " + wording.name(history.transactionOf(write)) + " " + wording.did(write);
    }
    int element = unwrittenElement(read);
    return element == NONE
        ? saw + ", with an element that no transaction wrote"
        : saw + ", with " + element(read, element) + ", which no transaction wrote";
  }

  private String written(int read, int write) {
    if (write == NONE) {
      return ", which a transaction wrote";
    }
    String writer = wording.name(history.transactionOf(write));
    String did = writer + " " + Wording.past(history.kind(write));
    return isSequence(read)
        ? ", with " + wording.value(write) + ", which " + did
        : ", which " + did;
  }

  private String notMyOwn(int read, int own, String reader) {
    String wrote = own == NONE ? "wrote the key" : wording.did(own);
    int source = isSequence(read) ? NONE : writerOf(read);
    String from = "";
    if (source != NONE) {
      from = " from " + wording.name(history.transactionOf(source));
    } else if (!isSequence(read) && history.hasInitialValue(read)) {
      from = ", the initial version";
    }
    return reader + " " + wrote + ", then " + wording.did(read) + from;
  }

  private String notMyLast(int read, int own, String reader) {
    boolean stale = own != NONE && history.value(own) == history.value(read) && !isSequence(read);
    int newer = stale ? lastOwnWriteBefore(read) : own;
    return newer == NONE
        ? reader + " " + wording.did(read) + ", its own write, which it had already replaced"
        : reader
            + " "
            + wording.did(newer)
            + ", then read its own earlier "
            + wording.keyAndValue(read);
  }

  private String intermediate(List<Integer> operations, String saw) {
    if (operations.size() < 2) {
      return saw + ", which its writer later replaced";
    }
    int read = operations.get(0);
    int writer = history.transactionOf(operations.get(1));
    String name = wording.name(writer);
    // The last item written may well be in the read; the evidence has one that is not.
    boolean lacks = history.kind(read).type().hasItems() && operations.size() > 2;
    int later = lacks ? operations.get(2) : lastWrite(writer, history.key(read));
    String laterDid = later == NONE ? "wrote it again" : wording.did(later);
    return isSequence(read)
        ? saw + ", part of what " + name + " wrote, but " + name + " later " + laterDid
        : saw + " from " + name + ", but " + name + " later " + laterDid;
  }

  private String nonRepeatable(int read, int earlier, String reader) {
    if (earlier == NONE) {
      return reader + " " + wording.did(read) + " after another version";
    }
    String key = wording.key(history.key(read));
    return reader
        + " "
        + wording.did(earlier)
        + " and then "
        + (history.isOtherRead(read) ? wording.did(read) + "," : wording.keyAndValue(read))
        + " without writing "
        + key
        + " in between";
  }

  private String duplicate(int read) {
    if (isSequence(read)) {
      int sequence = history.value(read);
      Sequences sequences = history.sequences();
      for (int i = 1; i < sequences.length(sequence); i++) {
        for (int j = 0; j < i; j++) {
          if (sequences.element(sequence, i) == sequences.element(sequence, j)) {
            return ", with " + element(read, i) + " twice";
          }
        }
      }
    }
    return ", where one write was applied twice";
  }

  /** Another read, and an aborted append that one of them may show; or two appends. */
  private String otherOrder(List<Integer> operations, int other) {
    if (other == NONE) {
      return ", in an order that another read contradicts";
    }
    String name = wording.name(history.transactionOf(other));
    String does = ", but " + name + " " + wording.did(other);
    int third = operations.size() > 2 ? operations.get(2) : NONE;
    if (history.kind(other) == OpKind.APPEND) {
      return does + (third == NONE ? " before" : " before it appended " + wording.value(third));
    }
    String neither = does + ": neither list is a prefix of the other";
    return third == NONE
        ? neither
        : neither
            + ", unless "
            + wording.value(third)
            + " is the append of "
            + wording.name(history.transactionOf(third))
            + ", which aborted";
  }

  private String lost(int write) {
    return write == NONE
        ? " an acknowledged write"
        : " "
            + wording.value(write)
            + ", which "
            + wording.name(history.transactionOf(write))
            + " "
            + Wording.past(history.kind(write))
            + " and nothing overwrote";
  }

  private String lostUpdate(int read, int other, String reader) {
    if (other == NONE) {
      return reader + " " + wording.did(read) + " and wrote it, as another transaction did";
    }
    return reader
        + " and "
        + wording.name(history.transactionOf(other))
        + " both "
        + wording.did(read)
        + " and then wrote "
        + wording.key(history.key(read));
  }

  /** Reads of the same counters by two transactions, or by one where counters begin at 0. */
  private String wrongTotal(List<Integer> operations, String reader) {
    int first = history.transactionOf(operations.get(0));
    List<Integer> own =
        operations.stream().filter(op -> history.transactionOf(op) == first).toList();
    String saw = reader + " read " + own.size() + " counters with a total of " + total(own);
    List<Integer> others = operations.subList(own.size(), operations.size());
    return others.isEmpty()
        ? saw + ", which no transaction changes: it is 0"
        : saw
            + " and "
            + wording.name(history.transactionOf(others.get(0)))
            + " the same with "
            + total(others)
            + ", but no transaction changes the total";
  }

  private BigInteger total(List<Integer> reads) {
    return reads.stream()
        .map(read -> Counters.amount(history, read))
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  // ---- lookups; linear, since there is one witness at a time

  private boolean isSequence(int op) {
    return history.kind(op).readsSequence() && history.value(op) != Values.UNKNOWN;
  }

  private String element(int read, int index) {
    return wording.scalar(history.sequences().element(history.value(read), index));
  }

  /** The first element of a list or set read that no transaction wrote, or −1. */
  private int unwrittenElement(int read) {
    Sequences sequences = history.sequences();
    int sequence = history.value(read);
    boolean[] written = new boolean[sequences.length(sequence)];
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.key(op) == history.key(read) && history.kind(op).isWrite()) {
        for (int i = 0; i < written.length; i++) {
          written[i] |= sequences.element(sequence, i) == history.value(op);
        }
      }
    }
    for (int i = 0; i < written.length; i++) {
      if (!written[i]) {
        return i;
      }
    }
    return NONE;
  }

  /** The one write of the value that a register read saw; −1 where there are none or several. */
  private int writerOf(int read) {
    int found = NONE;
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op) == OpKind.WRITE
          && history.key(op) == history.key(read)
          && history.value(op) == history.value(read)) {
        if (found != NONE) {
          return NONE;
        }
        found = op;
      }
    }
    return found;
  }

  /** A write of the version that a read names by its number, or −1. */
  private int writerOfVersion(int read) {
    Values values = history.values();
    for (int op = 0;
        values.isVersioned(history.value(read)) && op < history.operationCount();
        op++) {
      if (history.kind(op) == OpKind.WRITE
          && history.key(op) == history.key(read)
          && values.isVersioned(history.value(op))
          && values.version(history.value(op)) == values.version(history.value(read))) {
        return op;
      }
    }
    return NONE;
  }

  private int lastOwnWriteBefore(int read) {
    for (int op = read - 1; op >= history.firstOp(history.transactionOf(read)); op--) {
      if (history.key(op) == history.key(read) && history.kind(op).isWrite()) {
        return op;
      }
    }
    return NONE;
  }

  private int lastWrite(int txn, int key) {
    for (int op = history.endOp(txn) - 1; op >= history.firstOp(txn); op--) {
      if (history.key(op) == key && history.kind(op).isWrite()) {
        return op;
      }
    }
    return NONE;
  }
}
