package dev.assay.collect.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.collect.Generator;
import dev.assay.collect.json.Json;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.JsonRenderer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is kept of a verdict is what the JSON report says, whichever of the two it comes from. */
class RunResultTest {
  static List<Path> violated() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("..", "histories", "prefix"))) {
      return files.filter(Files::isRegularFile).sorted().limit(5).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("violated")
  void theReportSaysTheSameOfWhatIsViolated(Path file) throws Exception {
    RunResult result = check(Assay.read(file));
    assertThat(result.anomalies()).isNotEmpty();
    assertThat(result.weakestViolated()).isNotEmpty();
  }

  @Test
  void theReportSaysTheSameOfWhatHolds() throws Exception {
    WorkloadSpec spec = WorkloadSpec.builder().transactionsPerSession(5).build();
    RunResult result = check(new Generator(spec, StoreLevel.SERIALIZABLE).history());
    assertThat(result.anomalies()).isEmpty();
    assertThat(result.history().transactions()).isGreaterThanOrEqualTo(50);
  }

  @Test
  void theReportSaysTheSameOfARun() throws Exception {
    HistoryBuilder builder = new HistoryBuilder();
    builder.metadata(History.RUN + "sessionsAsked", "3");
    builder.metadata(History.RUN + "sessionsRun", "2");
    builder.metadata(History.RUN_ERROR + "cannot connect", "4");
    builder.begin(builder.session(1), Outcome.COMMITTED);
    builder.write(1, 1);
    builder.start(0, 1);
    builder.end(0, 2);
    RunResult result = check(builder.build());
    assertThat(result.run().sessionsAsked()).isEqualTo(3);
    assertThat(result.run().errors()).containsEntry("cannot connect", 4L);
    assertThat(result.run().concurrentConflicts()).isZero();
  }

  private static RunResult check(History history) throws IOException {
    CheckResult checked =
        new CheckResult(
            "x",
            Assay.check(history, Level.surveyed(), Budget.unlimited()),
            List.of(Level.SERIALIZABLE),
            true,
            12,
            34);
    StringBuilder report = new StringBuilder();
    new JsonRenderer("test", report).render(checked);
    RunResult result = RunResult.of(checked);
    assertThat(result).isEqualTo(Json.read(report.toString(), RunResult.class));
    assertThat(result.summary().levels()).isNull();
    return result;
  }
}
