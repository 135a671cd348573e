package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.Disagreements;
import dev.assay.oracle.Names;
import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Txn;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Predicate histories with certificates: the checker says what Adya's graph with all its edges and
 * all its cycles says; and where it says that a certificate proves a level, some order exists.
 */
class CertificateAgainstOracleTest {
  private final Disagreements disagreements = new Disagreements();
  private final Map<String, Integer> count = new TreeMap<>();

  private void compare(PredicateHistory small, Certificate certificate) {
    compare(small, small, certificate);
  }

  /** Compares what is said of one history with what the oracle says of another. */
  private void compare(PredicateHistory recorded, PredicateHistory small, Certificate certificate) {
    ItemReads reads = new ItemReads(small);
    if (!reads.arePlain()) {
      return;
    }
    History history = recorded.toHistory();
    Given given = new Given(Assumption.DEFAULT, certificate.of(history));
    String text = recorded.text() + certificate;
    Report report;
    try {
      Set<Level> levels = EnumSet.copyOf(AdyaOracle.levels());
      levels.addAll(
          Set.of(Level.CURSOR_STABILITY, Level.UPDATE_ATOMIC, Level.READ_ATOMIC, Level.CAUSAL));
      report = Assay.check(history, levels, given, Budget.unlimited());
    } catch (RuntimeException e) {
      disagreements.add("throws " + e + " at " + e.getStackTrace()[0], text);
      return;
    }
    Names.compare(report, disagreements, text);
    List<AdyaOracle> choices =
        reads.choices(certificate).stream()
            .map(c -> new AdyaOracle(small, certificate, c))
            .toList();
    boolean contradicted = reads.areContradictedBy(certificate);
    compareLevels(report, small, choices, reads.areAmbiguous(certificate) || contradicted, text);
    if (choices.size() == 1 && !contradicted) {
      compareNames(report, choices.get(0), text);
      compareUpdates(report, choices.get(0), reads.areAmbiguous(certificate), text);
    }
    compareWithTrying(report, small, text);
  }

  private void compareLevels(
      Report report, PredicateHistory small, List<AdyaOracle> choices, boolean open, String text) {
    for (Level level : AdyaOracle.levels()) {
      if (level.needsRealTime() && !small.isTimed()) {
        continue;
      }
      boolean holds = choices.stream().anyMatch(choice -> choice.holds(level));
      String verdict = report.verdict(level).id();
      count.merge(verdict, 1, Integer::sum);
      boolean wrong =
          switch (verdict) {
            case "holds" -> !holds;
            case "violated" -> holds;
            default -> !open;
          };
      if (wrong) {
        disagreements.add(level + " is " + verdict + ": " + report.verdict(level).why(), text);
      }
    }
  }

  /** Every cycle reported has a name that some cycle has. */
  private void compareNames(Report report, AdyaOracle oracle, String text) {
    for (Anomaly anomaly : report.anomalies()) {
      if (anomaly.type().id().startsWith("G") && !oracle.cycles().contains(anomaly.type())) {
        disagreements.add("reports a " + anomaly.type() + ", of which there is none", text);
      }
    }
    expect(AnomalyType.RESULT_SET_MISMATCH, oracle.hasMismatch(), report, text);
    expect(AnomalyType.LOST_UPDATE, oracle.hasLostUpdate(), report, text);
    expect(AnomalyType.CERTIFICATE_CONTRADICTION, oracle.hasContradiction(), report, text);
  }

  /** Rows that updates changed count as items that were read, at weaker levels too. */
  private void compareUpdates(Report report, AdyaOracle oracle, boolean open, String text) {
    boolean agrees = !oracle.hasMismatch() && !oracle.hasContradiction();
    boolean stable = oracle.holds(Level.ADYA_READ_COMMITTED) && !oracle.hasLostUpdate();
    String cursors = report.verdict(Level.CURSOR_STABILITY).id();
    if (!open && !cursors.equals(stable ? "holds" : "violated")) {
      disagreements.add("cursor stability is " + cursors, text);
    }
    boolean updates = agrees && !oracle.missesWhatItSees(true);
    if (report.holds(Level.UPDATE_ATOMIC) && !updates) {
      disagreements.add("update-atomic holds", text);
    }
    boolean reads = agrees && !oracle.missesWhatItSees(false);
    if ((report.holds(Level.READ_ATOMIC) || report.holds(Level.CAUSAL)) && !reads) {
      disagreements.add("read-atomic or causal holds", text);
    }
    count.merge("lost update", agrees && oracle.hasLostUpdate() ? 1 : 0, Integer::sum);
    count.merge("old row updated", agrees && !updates ? 1 : 0, Integer::sum);
  }

  private void expect(AnomalyType type, boolean expected, Report report, String text) {
    boolean reported = report.anomalies().stream().anyMatch(a -> a.type() == type);
    if (reported != expected) {
      disagreements.add("a " + type + " is " + (reported ? "reported" : "missed"), text);
    }
  }

  private void compareWithTrying(Report report, PredicateHistory small, String text) {
    Set<Level> possible = SerialOracle.holding(small);
    for (Level level : SerialOracle.DECIDED) {
      if (report.holds(level) && !possible.contains(level)) {
        disagreements.add(level + " holds by the certificate, but no order exists", text);
      }
    }
  }

  private void compareRandom(int seed, int histories, int txns, int ops, boolean timed) {
    PredicateHistories generator = new PredicateHistories(seed);
    Random random = new Random(seed);
    for (int i = 0; i < histories; i++) {
      PredicateHistory history = generator.next(txns, ops, timed);
      for (int j = 0; j < 3; j++) {
        compare(history, Certificate.random(history, random));
      }
    }
  }

  @Test
  void theGraphOfACertificateDecidesRandomHistories() {
    compareRandom(1, 700, 3, 2, false);
    compareRandom(2, 700, 4, 2, true);
    disagreements.assertNone();
    assertThat(count.get("holds")).isGreaterThan(1_000);
    assertThat(count.get("violated")).isGreaterThan(1_000);
  }

  @Test
  void updatesReadTheRowsThatTheyChange() {
    List<IntFunction<Op>> grammar =
        List.of(
            Programs.read("x"),
            Programs.read("y"),
            Programs.write("x", 1),
            Programs.increment("[\"<\",\"val\",3]"),
            Programs.increment("[\"=\",\"k\",{\"text\":\"x\"}]"),
            Programs.deleteWhere("[\"=\",\"val\",1]"));
    Random random = new Random(4);
    Consumer<PredicateHistory> compareExplained =
        history -> {
          Certificate certificate = AnyCertificate.explaining(history, random);
          boolean usable =
              certificate != null
                  && !certificate.looks().isEmpty()
                  && !new ItemReads(history).areContradictedBy(certificate);
          if (usable) {
            compare(history, certificate);
          }
        };
    PredicateHistories.forEach(2, 2, true, 2, grammar, compareExplained);
    PredicateHistories.forEach(3, 1, true, 1, grammar, compareExplained);
    disagreements.assertNone();
    assertThat(count.get("lost update")).isGreaterThan(100);
    assertThat(count.get("old row updated")).isGreaterThan(200);
  }

  /** Some transactions that the certificate names have unknown outcomes: they committed. */
  private void compareUnknown(PredicateHistory small, Certificate certificate, Random random) {
    Set<Integer> named = new HashSet<>(certificate.commits());
    certificate.orders().values().forEach(named::addAll);
    List<Txn> recorded = new ArrayList<>(small.txns());
    List<Txn> committed = new ArrayList<>(small.txns());
    for (int txn : named) {
      if (random.nextInt(3) == 0) {
        recorded.set(txn, recorded.get(txn).ended(Outcome.INDETERMINATE));
        // It may have taken effect at any time after its start.
        committed.set(txn, committed.get(txn).timed(committed.get(txn).start(), -1));
      }
    }
    compare(new PredicateHistory(recorded), new PredicateHistory(committed), certificate);
  }

  private void compareUnknown(int rounds) {
    PredicateHistories generator = new PredicateHistories(11);
    Random random = new Random(11);
    for (int i = 0; i < rounds; i++) {
      PredicateHistory history = generator.next(4, 2, i % 2 == 0);
      compareUnknown(history, Certificate.random(history, random), random);
      Certificate explaining = AnyCertificate.explaining(history, random);
      if (explaining != null) {
        compareUnknown(history, explaining, random);
      }
    }
    disagreements.assertNone();
    assertThat(count.get("holds")).isGreaterThan(rounds / 4);
    assertThat(count.get("violated")).isGreaterThan(rounds / 4);
  }

  @Test
  void transactionsOfUnknownOutcomeThatACertificateNamesCommitted() {
    compareUnknown(500);
  }

  @Test
  @Tag("extended")
  void transactionsOfUnknownOutcomeThatACertificateNamesCommittedInManyHistories() {
    compareUnknown(20_000);
  }

  /** Missing version sets are anybody's guess: a level may hold only where some guess has it. */
  private void compareInPart(PredicateHistory small, Certificate certificate) {
    ItemReads reads = new ItemReads(small);
    Set<Level> holding = reads.arePlain() ? AnyCertificate.holding(small, certificate) : null;
    if (holding == null || reads.areContradictedBy(certificate)) {
      return;
    }
    History history = small.toHistory();
    Given given = new Given(Assumption.DEFAULT, certificate.of(history));
    Report report = Assay.check(history, AdyaOracle.levels(), given, Budget.unlimited());
    Names.compare(report, disagreements, small.text() + certificate);
    for (Level level : AdyaOracle.levels()) {
      if (level.needsRealTime() && !small.isTimed()) {
        continue;
      }
      String verdict = report.verdict(level).id();
      count.merge(level.id() + " " + verdict, 1, Integer::sum);
      if (!verdict.equals("unknown") && holding.contains(level) != verdict.equals("holds")) {
        disagreements.add(
            level + " is " + verdict + ": " + report.verdict(level).why(),
            small.text() + certificate);
      }
    }
  }

  /** What is left of a certificate without some of what it says about predicate operations. */
  private static Certificate partOf(Certificate whole, Random random, int lost) {
    Map<Certificate.Place, Certificate.Look> looks = new HashMap<>(whole.looks());
    looks.keySet().removeIf(place -> random.nextInt(3) < lost);
    return new Certificate(whole.orders(), whole.commits(), looks, Map.of());
  }

  @Test
  void partOfACertificateDecidesReadCommittedAndNothingWrong() {
    PredicateHistories generator = new PredicateHistories(3);
    Random random = new Random(3);
    for (int i = 0; i < 4_000; i++) {
      PredicateHistory history = generator.next(3, 2, i % 2 == 0);
      compareInPart(history, partOf(Certificate.random(history, random), random, 1 + i % 3));
    }
    disagreements.assertNone();
    assertThat(count.get("adya-read-committed holds")).isGreaterThan(500);
    assertThat(count.get("adya-read-committed violated")).isGreaterThan(20);
  }
}
