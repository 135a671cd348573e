package dev.assay.check.adya;

import dev.assay.check.LevelChecker.Subject;
import dev.assay.check.LikelyOrder;
import dev.assay.check.replay.SerialOrderChecker;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.stream.IntStream;

/**
 * A serial order that a certificate of registers agrees with. If the transactions, run in this
 * order, read what they read, and the versions of every key were written in this order, then every
 * dependency leads from an earlier transaction to a later one. So there is no cycle, and the
 * dependencies need not be listed. Most certificates are such.
 */
final class AgreedOrder {
  private final Subject subject;
  private final History history;

  AgreedOrder(Subject subject) {
    this.subject = subject;
    this.history = subject.history();
  }

  /** The level that such an order proves; null if none is found, which proves nothing. */
  Level proven() {
    VersionOrders versions = subject.versions();
    boolean given = !versions.given().certificate().chains().isEmpty();
    if (!given || !subject.violated().isEmpty() || !isPlain()) {
      return null;
    }
    int[] order = versions.given().certificate().hasCompleteChains() ? agreed() : guessed();
    if (order == null || !SerialOrderChecker.explains(history, order, subject.budget())) {
      return null;
    }
    Level level = SerialOrderChecker.proven(history, order);
    Level aimed =
        history.hasTimes() ? Level.STRICT_SERIALIZABLE : Level.STRONG_SESSION_SERIALIZABLE;
    return level.implies(aimed) ? aimed : null;
  }

  /** The likely order if the versions of all keys were written in it, or null. */
  private int[] agreed() {
    int[] order = order();
    return subject.versions().agreeWith(order) ? order : null;
  }

  /** An order that a certificate of some versions agrees with; null if it contradicts reads. */
  private int[] guessed() {
    VersionOrders versions = subject.versions();
    return versions.contradictions().isEmpty()
        ? GuessedOrder.of(history, subject.reads(), versions.order())
        : null;
  }

  /** Whether there are registers only, and every read names its writer. */
  private boolean isPlain() {
    EnumSet<OpKind.Type> others = EnumSet.complementOf(EnumSet.of(OpKind.Type.REGISTER));
    return others.stream().noneMatch(history::uses)
        && subject.reads().ambiguousReads() == 0
        && subject.reads().chosen().isEmpty();
  }

  /** The commit order, if the certificate gives it for all transactions. */
  private int[] order() {
    int[] commits = counting(subject.versions().given().certificate().commits());
    int all = counting(IntStream.range(0, history.transactionCount()).toArray()).length;
    BitSet distinct = new BitSet();
    IntStream.of(commits).forEach(distinct::set);
    return distinct.cardinality() == all ? commits : counting(LikelyOrder.of(history));
  }

  private int[] counting(int[] transactions) {
    return IntStream.of(transactions).filter(subject.reads()::counts).toArray();
  }
}
