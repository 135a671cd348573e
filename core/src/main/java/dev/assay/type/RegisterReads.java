package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.level.AnomalyType;
import dev.assay.resolve.ReadsFrom;
import java.util.EnumSet;
import java.util.Set;

/** Read consistency of registers, one transaction at a time. */
final class RegisterReads implements TypeReads {
  private final History history;
  private final ReadsFrom reads;
  private final ReadAnomalies tally;

  /** Without aborts, no read needs to look up its writer's transaction. */
  private final boolean anyAborted;

  private final KeyTable lastWrite = new KeyTable();

  /** The last read of a key since the last own write of it. */
  private final KeyTable lastRead = new KeyTable();

  RegisterReads(History history, ReadsFrom reads, boolean anyAborted, ReadAnomalies tally) {

    this.history = history;
    this.reads = reads;
    this.anyAborted = anyAborted;
    this.tally = tally;
  }

  @Override
  public void check(int txn) {
    int from = history.firstOp(txn);
    int to = history.endOp(txn);
    if (!reads.repeatsAccess(txn)) {
      // Nearly all transactions access no key twice, so there are no own writes or earlier reads.
      for (int op = from; op < to; op++) {
        int source = reads.source(op);
        boolean odd =
            source < 0
                ? source != ReadsFrom.NONE && source != ReadsFrom.INITIAL
                : anyAborted || reads.isOverwritten(source);
        if (odd && history.value(op) != Values.UNKNOWN) {
          checkSource(op, source, KeyTable.NONE, from, to);
        }
      }
      return;
    }
    lastWrite.reset(to - from);
    lastRead.reset(to - from);
    for (int op = from; op < to; op++) {
      OpKind kind = history.kind(op);
      if (kind == OpKind.WRITE) {
        lastWrite.put(history.key(op), op);
        lastRead.put(history.key(op), KeyTable.NONE);
      } else if (kind == OpKind.READ && history.value(op) != Values.UNKNOWN) {
        checkRead(op, from, to);
      }
    }
  }

  private void checkRead(int read, int from, int to) {
    int key = history.key(read);
    int source = reads.source(read);
    int earlier = lastRead.put(key, read);
    if (history.hasOtherReads()) {
      earlier = differing(read, from);
    } else if (earlier != KeyTable.NONE && history.value(earlier) == history.value(read)) {
      earlier = KeyTable.NONE;
    }
    if (earlier != KeyTable.NONE && source != ReadsFrom.NONE) {
      tally.add(AnomalyType.NON_REPEATABLE_READ, read, earlier);
    }
    checkSource(read, source, lastWrite.get(key), from, to);
  }

  /**
   * The last read of the same key, without an own write in between, that cannot have seen the same
   * version. Of reads that are known only not to have seen some values, no two show that.
   */
  private int differing(int read, int from) {
    Values values = history.values();
    int value = history.value(read);
    for (int op = read - 1; op >= from; op--) {
      if (history.key(op) != history.key(read)) {
        continue;
      }
      if (history.kind(op) == OpKind.WRITE) {
        break;
      }
      int before = history.value(op);
      boolean differs =
          values.isOther(value)
              ? !values.isOther(before) && !values.allows(value, before)
              : !values.allows(before, value);
      if (history.kind(op) == OpKind.READ && before != Values.UNKNOWN && differs) {
        return op;
      }
    }
    return KeyTable.NONE;
  }

  /** Checks the source of a read by the transaction with these operations. */
  private void checkSource(int read, int source, int own, int from, int to) {
    if (source == ReadsFrom.NONE) {
      return;
    }
    if (source == ReadsFrom.THIN_AIR) {
      tally.add(AnomalyType.THIN_AIR_READ, read);
      return;
    }
    if (source >= from && source < to) {
      if (source > read) {
        tally.add(AnomalyType.FUTURE_READ, read, source);
      } else if (source != own) {
        tally.add(AnomalyType.NOT_MY_LAST_WRITE, read, own, source);
      }
      return;
    }
    if (own != KeyTable.NONE) {
      tally.add(AnomalyType.NOT_MY_OWN_WRITE, read, own, source);
    } else if (source == ReadsFrom.AMBIGUOUS) {
      checkChoices(read, from, to);
    }
    if (source >= 0) {
      checkForeign(read, source);
    }
  }

  /**
   * Checks an ambiguous read that is anomalous whichever write it saw, though not always in the
   * same way.
   */
  private void checkChoices(int read, int from, int to) {
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    int[] candidates = reads.candidates(read);
    for (int write : candidates) {
      AnomalyType type = write < 0 ? null : choice(write, from, to);
      if (type == null) {
        return;
      }
      types.add(type);
    }
    AnomalyType shown = choice(candidates[0], from, to);
    boolean overwritten = shown == AnomalyType.INTERMEDIATE_READ;
    int later = overwritten ? LaterWrite.of(history, candidates[0]) : KeyTable.NONE;
    tally.addEither(shown, types, read, candidates[0], later);
  }

  /** The anomaly of seeing a write, or null. */
  private AnomalyType choice(int write, int from, int to) {
    if (write >= from && write < to) {
      return AnomalyType.FUTURE_READ;
    }
    if (history.outcome(history.transactionOf(write)) == Outcome.ABORTED) {
      return AnomalyType.ABORTED_READ;
    }
    return reads.isOverwritten(write) ? AnomalyType.INTERMEDIATE_READ : null;
  }

  private void checkForeign(int read, int write) {
    if (anyAborted && history.outcome(history.transactionOf(write)) == Outcome.ABORTED) {
      tally.add(AnomalyType.ABORTED_READ, read, write);
    }
    if (reads.isOverwritten(write)) {
      tally.add(AnomalyType.INTERMEDIATE_READ, read, write, LaterWrite.of(history, write));
    }
  }
}
