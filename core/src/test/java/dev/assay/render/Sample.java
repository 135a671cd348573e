package dev.assay.render;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import dev.assay.level.Level;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Results to render, with fixed times. */
public final class Sample {
  private Sample() {}

  private static final Map<String, Long> STAGES = new LinkedHashMap<>();

  static {
    STAGES.put("infer", 120L);
    STAGES.put("read-consistency", 30L);
  }

  /** The write skew of the transcript in the README, and an aborted read beside it. */
  public static CheckResult writeSkew() {
    HistoryBuilder b = new HistoryBuilder();
    b.origin(new Origin("run.edn", "jepsen-edn", Origin.Unit.LINE, List.of()));
    int t71 = begin(b, 71, "3", Outcome.COMMITTED, 142);
    b.readList("x", List.of(1));
    b.append("y", 9);
    int t74 = begin(b, 74, "8", Outcome.COMMITTED, 148);
    b.readList("y", List.of(2));
    b.append("x", 5);
    begin(b, 90, "1", Outcome.COMMITTED, 181);
    b.readList("x", List.of(1, 5));
    b.readList("y", List.of(2, 9));
    begin(b, 91, "2", Outcome.ABORTED, 190);
    b.write("z", "<&\">");
    begin(b, 92, "4", Outcome.COMMITTED, 191);
    b.read("z", "<&\">");
    for (int i = 0; i < 12; i++) {
      b.read("k" + i, null);
    }
    b.metadata("note.process", "2 operations without a process are sessions of their own");
    History history = b.build();
    int x = history.key(0);
    int y = history.key(1);
    Evidence cycle =
        Evidence.ofEdges(
            List.of(
                Edge.of(t71, t74, EdgeKind.RW, x, 0, 3), Edge.of(t74, t71, EdgeKind.RW, y, 2, 1)));
    Anomaly skew = Anomaly.of(AnomalyType.G2_ITEM, 1, List.of(cycle));
    Anomaly aborted =
        new Anomaly(
            AnomalyType.ABORTED_READ,
            AnomalyType.ABORTED_READ.forbiddenBy(),
            1234,
            true,
            List.of(Evidence.ofOperations(7, 6)));
    Report report =
        new Report(
            history,
            Map.of(
                Level.SERIALIZABLE,
                new Verdict.Violated(List.of(AnomalyType.G2_ITEM), "forbids write skew"),
                Level.CUT_ISOLATION,
                new Verdict.Holds("every repeated read saw the same version"),
                Level.STRICT_SERIALIZABLE,
                new Verdict.Unknown(
                    Verdict.Reason.NO_REALTIME, "the history has no real-time stamps")),
            List.of(aborted, skew),
            List.of("3,112 writes were never read and constrain nothing"),
            STAGES);
    return new CheckResult("run.edn", report, List.of(Level.SERIALIZABLE), true, 250, 1 << 20);
  }

  /** A commit order that rests on reads, of a transaction that began from the initial state. */
  public static CheckResult commitOrder() {
    HistoryBuilder b = new HistoryBuilder();
    b.origin(new Origin("h.txt", "plume-text", Origin.Unit.LINE, List.of()));
    int t1 = begin(b, 1, "1", Outcome.COMMITTED, 1);
    b.write("x", 1);
    int t2 = begin(b, 2, "2", Outcome.COMMITTED, 2);
    b.read("x", null);
    b.write("x", 2);
    b.write("y", 1);
    int t3 = begin(b, 3, "3", Outcome.COMMITTED, 5);
    b.read("y", 1);
    b.read("x", 1);
    History history = b.build();
    int x = history.key(0);
    int y = history.key(3);
    Edge stale = Edge.of(t1, t3, EdgeKind.WR, x, 0, 5);
    Edge seen = Edge.of(t2, t3, EdgeKind.WR, y, 3, 4);
    Edge initial = Edge.of(Edge.INITIAL, t2, EdgeKind.WR, x, -1, 1);
    Edge forced = new Edge(t2, t1, EdgeKind.CM, x, 2, 0, List.of(stale, seen, initial));
    Edge session = Edge.of(t1, t2, EdgeKind.RT, -1, -1, -1);
    Anomaly anomaly =
        Anomaly.of(
            AnomalyType.FRACTURED_READ_CM,
            1,
            List.of(new Evidence(List.of(), List.of(forced, session), null, "i")));
    Map<Level, Verdict> verdicts =
        Map.of(
            Level.READ_ATOMIC,
            new Verdict.Violated(List.of(AnomalyType.FRACTURED_READ_CM), "forbids fractured read"));
    Report report = new Report(history, verdicts, List.of(anomaly), List.of(), STAGES);
    return new CheckResult("h.txt", report, List.of(Level.READ_ATOMIC), false, 5, -1);
  }

  public static CheckResult ok() {
    HistoryBuilder b = new HistoryBuilder();
    b.origin(new Origin("bank.txt", "plume-text", Origin.Unit.LINE, List.of()));
    begin(b, 1, "1", Outcome.COMMITTED, 1);
    b.write("x", 1);
    begin(b, 2, "2", Outcome.COMMITTED, 2);
    b.read("x", 1);
    Report report =
        new Report(
            b.build(),
            Map.of(
                Level.STRONG_SESSION_SERIALIZABLE,
                new Verdict.Holds("a serial order was found"),
                Level.SERIALIZABLE,
                new Verdict.Holds("implied by strong-session-serializable"),
                Level.STRICT_SERIALIZABLE,
                new Verdict.Unknown(
                    Verdict.Reason.NO_REALTIME, "the history has no real-time stamps")),
            List.of(),
            List.of("3,112 writes were never read and constrain nothing"),
            STAGES);
    return new CheckResult("bank.txt", report, List.of(Level.SERIALIZABLE), true, 250, -1);
  }

  /** Four levels are open, for three reasons. */
  public static CheckResult unknownForSeveralReasons() {
    Verdict.Unknown counters =
        new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, "counters could not be decided");
    Verdict.Unknown predicates =
        new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, "predicates could not be decided");
    Map<Level, Verdict> verdicts =
        Map.of(
            Level.SERIALIZABLE, counters,
            Level.SNAPSHOT_ISOLATION, Verdict.Unknown.TIMEOUT,
            Level.CAUSAL, counters,
            Level.READ_ATOMIC, predicates);
    Report report = new Report(ok().history(), verdicts, List.of(), List.of(), STAGES);
    List<Level> judged = List.of(Level.SERIALIZABLE, Level.SNAPSHOT_ISOLATION);
    return new CheckResult("bank.txt", report, judged, false, 250, -1);
  }

  public static CheckResult unknown() {
    CheckResult ok = ok();
    return new CheckResult("-", ok.report(), List.of(Level.STRICT_SERIALIZABLE), true, 12_345, -1);
  }

  private static int begin(HistoryBuilder b, long id, String session, Outcome outcome, long line) {
    int txn = b.begin(b.session(session), outcome);
    b.id(txn, id);
    b.position(txn, line);
    return txn;
  }
}
