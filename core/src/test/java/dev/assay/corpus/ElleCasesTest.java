package dev.assay.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.oracle.HistoryOracle;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * What Elle was recorded to say of its own test histories, against what we say. Elle's finding that
 * a model is violated or an anomaly present is a claim that ours must confirm; its {@code true} and
 * {@code unknown} claim nothing, and there the oracle judges us.
 */
class ElleCasesTest {
  /** Claims that stay unanswered; to be lowered as levels and assumptions get decided. */
  private static final int MOST_OPEN_CLAIMS = 0;

  /** Our answer to a history under assumptions, and the oracle's where it has one. */
  private record Answer(Report report, Optional<Set<Level>> holding) {
    boolean refutes(Level level) {
      return holds(report, level) || holding.isPresent() && holding.get().contains(level);
    }
  }

  private final Map<String, Answer> answers = new HashMap<>();
  private final Map<String, Integer> totals = new TreeMap<>();
  private final Map<String, Set<String>> open = new TreeMap<>();
  private final Set<String> contradictions = new LinkedHashSet<>();
  private final Set<String> againstTheOracle = new LinkedHashSet<>();
  private final Set<ElleDifferences> differences = new LinkedHashSet<>();

  @Test
  void ourSelectionOfElleCasesIsConfirmedOrExplained() throws Exception {
    try (InputStream stream = getClass().getResourceAsStream("elle-cases.jsonl.gz")) {
      compareAll(ElleCase.read(stream));
    }
    assertAgreement("the selection");
  }

  @Test
  void everyElleCaseOfTheCorpusIsConfirmedOrExplained() throws Exception {
    if (Corpus.isPresent()) {
      try (InputStream stream = Files.newInputStream(Corpus.file("elle/cases.jsonl.gz"))) {
        compareAll(ElleCase.read(stream));
      }
      assertAgreement("the corpus");
      assertThat(differences)
          .as("listed differences that there are")
          .containsExactlyInAnyOrder(ElleDifferences.values());
    }
  }

  private void assertAgreement(String what) {
    StringBuilder text = new StringBuilder("Elle's answers, " + what + ":\n");
    totals.forEach((total, number) -> text.append("%5d %s%n".formatted(number, total)));
    open.forEach((claim, cases) -> text.append("open: " + claim + " of " + cases + "\n"));
    System.out.print(text);
    assertThat(contradictions).as("contradictions in %s", what).isEmpty();
    assertThat(againstTheOracle).as("answers the oracle refutes in %s", what).isEmpty();
    assertThat(totals.getOrDefault("claims open", 0))
        .as("open claims of %s: %s", what, open)
        .isLessThanOrEqualTo(MOST_OPEN_CLAIMS);
    assertThat(totals.getOrDefault("claims confirmed", 0)).isPositive();
  }

  private void count(String what) {
    totals.merge(what, 1, Integer::sum);
  }

  private void compareAll(List<ElleCase> cases) throws Exception {
    for (ElleCase one : cases) {
      if (one.workload().equals("closed-predicate")) {
        count("cases left for predicates");
      } else if (one.unstable()) {
        count("cases skipped as unstable");
      } else if (one.valid().equals("error")) {
        count("cases skipped as errors of Elle");
        // Nothing to compare with, but ours must answer, and as the oracle does.
        answer(one);
      } else {
        count("cases compared, Elle says " + one.valid());
        compare(one);
      }
    }
  }

  private Answer answer(ElleCase one) throws Exception {
    Answer answer = answers.get(one.subject());
    if (answer == null) {
      byte[] bytes = one.history().getBytes(StandardCharsets.UTF_8);
      History history = Formats.read(Input.of(one.name(), bytes));
      answer = new Answer(check(history, one), oracle(history, one));
      answers.put(one.subject(), answer);
      compareWithTheOracle(one, answer);
    }
    return answer;
  }

  private static Report check(History history, ElleCase one) {
    Set<Assumption> assumptions = EnumSet.copyOf(Assumption.DEFAULT);
    for (Assumption assumption : Assumption.values()) {
      if (one.assumptions().contains(assumption.id())) {
        assumptions.add(assumption);
      }
    }
    History given = one.transactionOrder().isEmpty() ? history : ordered(history, one);
    Given all = new Given(assumptions, VersionCertificate.NONE);
    return Assay.check(given, Level.surveyed(), all, Budget.unlimited());
  }

  /** The same registers with the places that the case gives to operations, by their index. */
  private static History ordered(History history, ElleCase one) {
    HistoryBuilder builder = new HistoryBuilder();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      int session = builder.session(history.sessionName(history.session(txn)));
      int copy = builder.begin(session, history.outcome(txn));
      Object place = one.transactionOrder().get(history.label(txn));
      builder.serialPosition(copy, (Long) place);
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        Operation operation = history.operation(op);
        if (operation.kind() == OpKind.WRITE) {
          builder.write(operation.key(), operation.value());
        } else {
          builder.read(operation.key(), operation.value());
        }
      }
    }
    return builder.build();
  }

  /** The oracle assumes nothing of keys, so under an assumption it cannot say what holds. */
  private Optional<Set<Level>> oracle(History history, ElleCase one) {
    return one.assumptions().isEmpty() ? HistoryOracle.holding(history) : Optional.empty();
  }

  private void compareWithTheOracle(ElleCase one, Answer answer) {
    Report report = answer.report();
    count(
        answer.holding().isPresent()
            ? "histories the oracle judged"
            : "histories it cannot: too long, or an assumption");
    answer
        .holding()
        .ifPresent(
            holding -> {
              for (Level level : Level.surveyed()) {
                boolean has = holding.contains(level);
                if (has ? report.violated(level) : report.holds(level)) {
                  againstTheOracle.add(
                      "%s: %s is not %s".formatted(one, level, report.verdict(level).id()));
                }
              }
            });
  }

  private void compare(ElleCase one) throws Exception {
    Answer answer = answer(one);
    Set<String> models = new LinkedHashSet<>(one.not());
    if (one.valid().equals("false") && one.models().size() == 1) {
      models.addAll(one.models());
    }
    Map<String, Optional<Boolean>> claims = new LinkedHashMap<>();
    for (String model : models) {
      Optional<Level> level = ElleNames.level(model);
      if (level.isPresent()) {
        claims.put("not " + level.get(), isViolated(answer, level.get()));
      } else {
        count("claims on models we do not decide");
      }
    }
    for (String type : one.anomalies()) {
      Set<AnomalyType> ours = ElleNames.anomalies(type);
      if (!ours.isEmpty()) {
        claims.put(type, isFound(answer, ours));
      }
    }
    claims.forEach((claim, confirmed) -> judge(one, claim, confirmed));
  }

  /** Empty where nobody knows. */
  private static Optional<Boolean> isViolated(Answer answer, Level level) {
    if (answer.report().violated(level)) {
      return Optional.of(true);
    }
    return answer.refutes(level) ? Optional.of(false) : Optional.empty();
  }

  /** False only where a level that forbids the anomaly holds; empty where it is just not listed. */
  private static Optional<Boolean> isFound(Answer answer, Set<AnomalyType> types) {
    if (answer.report().anomalies().stream().map(Anomaly::type).anyMatch(types::contains)) {
      return Optional.of(true);
    }
    boolean excluded =
        types.stream().allMatch(t -> t.forbiddenBy().stream().anyMatch(answer::refutes));
    return excluded ? Optional.of(false) : Optional.empty();
  }

  private static boolean holds(Report report, Level level) {
    return report.verdicts().containsKey(level) && report.holds(level);
  }

  private void judge(ElleCase one, String claim, Optional<Boolean> confirmed) {
    if (confirmed.equals(Optional.of(true))) {
      count("claims confirmed");
      return;
    }
    Optional<ElleDifferences> known = ElleDifferences.find(one, claim);
    if (known.isPresent()) {
      count("claims that differ: " + known.get().name());
      differences.add(known.get());
    } else if (confirmed.isPresent()) {
      count("claims contradicted");
      contradictions.add(one + ": " + claim);
    } else {
      count("claims open");
      count(
          one.assumptions().isEmpty() ? "claims open without assumption" : "claims open under one");
      open.computeIfAbsent(claim, c -> new LinkedHashSet<>()).add(one.toString());
    }
  }
}
