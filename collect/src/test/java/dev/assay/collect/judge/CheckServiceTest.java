package dev.assay.collect.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.check.Verdict;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.format.Input;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CheckServiceTest {
  private static final Path LOST_UPDATE = Path.of("..", "histories", "prefix", "lost-update.txt");

  private final List<String> stages = new ArrayList<>();
  private RunConfig config = RunConfig.empty(Use.RUN);

  private CheckResult check(CheckRequest request) throws Exception {
    CheckService.Listener listener =
        new CheckService.Listener() {
          @Override
          public void stage(String name) {
            stages.add(name);
          }

          @Override
          public void read(History history, List<Level> judged) {
            stages.add("judging " + judged);
          }
        };
    return new CheckService(request, listener)
        .check(Input.of(LOST_UPDATE), request.budget(), false);
  }

  @Test
  void aSurveyJudgesSerializableUnlessTheHistoryNamesALevel() throws Exception {
    CheckResult result = check(CheckRequest.of(config));
    assertThat(result.survey()).isTrue();
    assertThat(result.judged()).containsExactly(Level.SERIALIZABLE);
    assertThat(result.violated()).isTrue();
    assertThat(result.report().verdicts().keySet()).containsAll(Level.surveyed());
    assertThat(result.peakHeapBytes()).isNegative();
    assertThat(stages).startsWith("read", "judging [serializable]", "infer").endsWith("explain");
  }

  @Test
  void levelsThatAreNamedAreDecidedAndJudged() throws Exception {
    config = config.with(Parameters.LEVEL, "causal,prefix");
    CheckResult result = check(CheckRequest.of(config));
    assertThat(result.judged()).containsExactlyInAnyOrder(Level.CAUSAL, Level.PREFIX);
    assertThat(result.violated()).isFalse();
    assertThat(result.report().verdicts()).doesNotContainKey(Level.SERIALIZABLE);
  }

  @Test
  void anomaliesCanDecideInstead() throws Exception {
    CheckResult other = check(CheckRequest.of(config.with(Parameters.FORBID, "G1a")));
    assertThat(other.judged()).isEmpty();
    assertThat(other.violated()).isFalse();
    CheckResult found = check(CheckRequest.of(config.with(Parameters.FORBID, "lost-update")));
    assertThat(found.violated()).isTrue();
    assertThat(found.forbiddenFound()).containsExactly(AnomalyType.find("lost-update").get());
  }

  @Test
  void aMethodAloneLeavesTheRestUnknown() throws Exception {
    CheckRequest weak = CheckRequest.of(config).by(Checkers.of("weak-levels", null));
    CheckResult result = check(weak);
    assertThat(result.report().verdict(Level.SERIALIZABLE)).isInstanceOf(Verdict.Unknown.class);
    assertThat(result.report().verdict(Level.CAUSAL)).isInstanceOf(Verdict.Holds.class);
  }

  @Test
  void aConfigurationWithProblemsIsNotARequest() {
    RunConfig wrong = config.with(Parameters.LEVEL, "causal").with(Parameters.EXPECT, "causal");
    assertThatThrownBy(() -> CheckRequest.of(wrong))
        .isInstanceOf(UsageException.class)
        .hasMessage("--expect requires --level all");
    assertThatThrownBy(() -> CheckRequest.of(config.with(Parameters.TIMEOUT, "soon")))
        .hasMessageStartingWith("--timeout: 'soon' is not a time");
  }
}
