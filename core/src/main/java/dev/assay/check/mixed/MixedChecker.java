package dev.assay.check.mixed;

import dev.assay.check.Anomaly;
import dev.assay.check.Findings;
import dev.assay.check.Ledger;
import dev.assay.check.LevelChecker;
import dev.assay.check.ReadConsistency;
import dev.assay.check.TypesAsRegisters;
import dev.assay.check.Verdict;
import dev.assay.check.strong.PolygraphChecker;
import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Rewriting;
import dev.assay.infer.VersionOrders;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Decides whether each transaction got the level that it ran at, all in one commit order. Exact for
 * registers, lists and sets: single reads are checked by the level of their transaction, and {@link
 * Parts} turns the rest into a question of snapshot isolation.
 */
public final class MixedChecker implements LevelChecker {
  private static final Verdict.Unknown AMBIGUOUS =
      new Verdict.Unknown(
          Verdict.Reason.AMBIGUOUS, "some reads saw a value written more than once");

  private static final Findings NOTHING = new Findings(Map.of(), List.of(), List.of());

  @Override
  public String name() {
    return "mixed-levels";
  }

  @Override
  public Findings check(Subject subject) {
    if (!subject.levels().contains(Level.MIXED)) {
      return NOTHING;
    }
    Promises promises = new Promises(subject.history(), subject.reads()::counts);
    if (promises.problem() != null) {
      return answer(promises.problem());
    }
    Level all =
        promises.needRealTime() ? Level.STRICT_SERIALIZABLE : Level.STRONG_SESSION_SERIALIZABLE;
    if (subject.holding().contains(all)) {
      return answer(new Verdict.Holds(all + " holds"));
    }
    if (isAmbiguous(subject)) {
      return answer(AMBIGUOUS);
    }
    ReadConsistency.Promised single =
        ReadConsistency.promised(
            subject, (type, txn) -> type.forbiddenBy().contains(promises.of(txn)));
    if (!single.anomalies().isEmpty()) {
      return Broken.reads(subject.history(), promises, single.anomalies());
    }
    Findings found = TypesAsRegisters.check(subject, MixedChecker::decide);
    Verdict open = single.isOpen() ? ReadConsistency.COUNTS_BY_CHOICE : subject.unexamined();
    boolean holds = found.verdicts().get(Level.MIXED) instanceof Verdict.Holds;
    return open != null && holds ? answer(open) : found;
  }

  private static boolean isAmbiguous(Subject subject) {
    return subject.reads().ambiguousReads() > 0 || subject.reads().countsByChoice();
  }

  private static Findings answer(Verdict verdict) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    verdicts.put(Level.MIXED, verdict);
    return new Findings(verdicts, List.of(), List.of());
  }

  /** Decides a history of registers and lists whose single reads are as promised. */
  private static Findings decide(Subject subject) {
    History history = subject.history();
    Promises promises = new Promises(history, subject.reads()::counts);
    Links links = new Links();
    addReads(subject, promises, links);
    SeenWriters seen = new SeenWriters(history, subject.reads(), promises, links);
    if (!seen.find()) {
      return answer(Verdict.Unknown.OUT_OF_MEMORY);
    }
    Broken broken = new Broken(subject, promises, links, seen);
    if (seen.missingReads() > 0) {
      return broken.missedWriters();
    }
    addVersions(subject, promises, links);
    Parts parts = new Parts(history, subject.reads(), promises, links);
    Level level =
        promises.respectSessions()
            ? Level.STRONG_SESSION_SNAPSHOT_ISOLATION
            : Level.SNAPSHOT_ISOLATION;
    Findings found = PolygraphChecker.decide(ofParts(parts.rewriting(), level, subject)).findings();
    List<Anomaly> against =
        found.anomalies().stream().filter(one -> one.violates().contains(level)).toList();
    if (!against.isEmpty()) {
      return broken.cycles(parts, against);
    }
    return answer(
        Ledger.holds(found.verdicts(), level)
            ? new Verdict.Holds("a commit order gives each transaction the level it ran at")
            : found.verdicts().get(level));
  }

  private static Subject ofParts(Rewriting parts, Level level, Subject subject) {
    ReadsFrom reads = ReadsFrom.of(parts.rewritten());
    return new Subject(
        parts.rewritten(),
        reads,
        new VersionOrders(parts.rewritten(), reads, Given.NOTHING),
        Set.of(level),
        Set.of(),
        Set.of(),
        subject.budget());
  }

  /** What transactions at levels with an axiom read comes before them. */
  private static void addReads(Subject subject, Promises promises, Links links) {
    History history = subject.history();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!subject.reads().counts(txn) || promises.kind(txn) != Promises.Kind.AXIOM) {
        continue;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int write = history.kind(op).isWrite() ? -1 : subject.reads().versionSource(op);
        if (write >= 0) {
          links.add(history.transactionOf(write), txn, Links.Why.READ, op);
        }
      }
    }
  }

  /**
   * Known orders of versions. What a transaction without promises about its reads overwrote is not
   * among them where only its own read shows it.
   */
  private static void addVersions(Subject subject, Promises promises, Links links) {
    History history = subject.history();
    EdgeList order = subject.versions().order();
    boolean given = subject.versions().isKnownOtherwise();
    for (int i = 0; i < order.size(); i++) {
      int key = order.label(i);
      boolean counts = subject.reads().counts(order.from(i)) && subject.reads().counts(order.to(i));
      int last = counts ? history.lastWrite(order.to(i), key) : -1;
      boolean shown = last >= 0 && history.kind(last).type() != OpKind.Type.REGISTER;
      if (counts && (given || shown || !promises.ignoresReads(order.to(i)))) {
        links.add(order.from(i), order.to(i), Links.Why.VERSIONS, key);
      }
    }
  }
}
