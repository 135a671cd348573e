package dev.assay.collect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.json.Json;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.PredicateShares;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ParametersTest {
  @Test
  void everyDefaultIsAValueThatItsParameterTakes() {
    for (Parameter<?> parameter : Parameters.all()) {
      for (Use use : Use.values()) {
        String standard = parameter.standard(use);
        if (standard != null && (use == Use.RUN || parameter.group() == Group.WORKLOAD)) {
          assertThat(parameter.problem(standard, use)).as(parameter + " for " + use).isNull();
        }
      }
    }
  }

  @Test
  void everyOptionHasHelpAndEveryFieldATitle() {
    for (Parameter<?> parameter : Parameters.all()) {
      if (parameter.isOption()) {
        assertThat(String.join("\n", parameter.help(Use.RUN)))
            .as(parameter.id())
            .endsWith(".")
            .doesNotContain("…")
            .doesNotContain("%");
      }
      if (List.of(Group.WORKLOAD, Group.RECORDING, Group.CHECK).contains(parameter.group())) {
        assertThat(parameter.title()).as(parameter.id()).isNotEmpty();
      }
    }
    assertThat(Parameters.DISTRIBUTION.help(Use.BENCH))
        .containsExactly(
            "How operations spread over keys: uniform, zipf or hotspot (default: zipf).");
    assertThat(Parameters.WORKLOAD.help(Use.GENERATE))
        .containsExactly(
            "What transactions do: register, list-append, read-modify-write, register-mix, cas"
                + " or versions (default: register).");
    assertThat(Parameters.SHARES.described(Use.RUN))
        .isEqualTo(PredicateShares.standard().toString());
    assertThat(Parameters.INFER.help(Use.RUN)[0])
        .endsWith("single registers (default: initial, which is always assumed):");
  }

  @ParameterizedTest
  @CsvSource({
    "sessions, 0, '''0'' is not a whole number from 1 to 1000000'",
    "sessions, 99999999999, is not a whole number",
    "keys, -1, is not a whole number of at least 1",
    "reads, 1.01, is not a number between 0 and 1",
    "reads, NaN, is not a number between 0 and 1",
    "operations, 5-2, must not be below its start",
    "operations, 0-2, is not a number or a range",
    "distribution, zipff, did you mean zipf?",
    "seed, 1.5, is not a whole number",
    "duration, 0s, is zero",
    "duration, soon, is not a time",
    "keep, 2, is not a size; write 500MB or 2GB",
    "keep, 0MB, is not a size",
    "duration, 99999h, is longer than ten years",
    "for-update, maybe, is not yes or no",
    "level, causall, did you mean causal?",
    "repeat, 0, '''0'' is not a whole number of at least 1, or forever'",
    "faults, burn, unknown fault 'burn'",
    "memory, lots, write an amount",
    "shares, x=1, there is no step 'x'",
    "user, --help, cannot be used",
    "checkers, '-x', cannot be used"
  })
  void aWrongValueIsNamedWithWhatWouldBeRight(String id, String value, String message) {
    Parameter<?> parameter = Parameters.find(id).orElseThrow();
    assertThat(parameter.problem(value, Use.RUN)).contains(message);
    assertThatThrownBy(() -> parameter.parse(value, Use.RUN))
        .isInstanceOf(UsageException.class)
        .hasMessageStartingWith("--" + id + ": ");
  }

  /** What the web interface puts on command lines is one word and never an option. */
  @ParameterizedTest
  @ValueSource(strings = {"-x", "--out=/tmp/x", "a b", "$(id)", "a;b", "a\nb", "../x"})
  void noOptionTakesWhatCouldBeAnother(String text) {
    for (Parameter<?> parameter :
        Parameters.of(Group.WORKLOAD, Group.RECORDING, Group.LIVE, Group.CHECK)) {
      assertThat(parameter.problem(text, Use.RUN)).as(parameter.id()).isNotNull();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "500ms, 500",
    "60s, 60000",
    "90, 90000",
    "10m, 600000",
    "2min, 120000",
    "1h, 3600000"
  })
  void timesAreReadAsPeopleWriteThem(String text, long millis) {
    assertThat(Parameters.TIMEOUT.parse(text, Use.RUN)).isEqualTo(Duration.ofMillis(millis));
  }

  @Test
  void runsWithoutEndKeepTwoGigabytesUnlessToldOtherwise() {
    RunConfig config = RunConfig.empty(Use.RUN);
    assertThat(Workloads.kept(config)).isNull();
    assertThat(Workloads.kept(config.with(Parameters.DURATION, "forever"))).isEqualTo(2L << 30);
    assertThat(Workloads.kept(config.with(Parameters.KEEP, "5mb"))).isEqualTo(5L << 20);
    assertThat(RunRules.problems(config.with(Parameters.KEEP, "1g"))).isEmpty();
    assertThat(
            RunRules.problems(
                config
                    .with(Parameters.DURATION, "forever")
                    .with(Parameters.WORKLOAD, "predicates")))
        .containsOnlyKeys(Parameters.DURATION);
    assertThat(
            RunRules.problems(
                config.with(Parameters.UNTIL_VIOLATED, true).with(Parameters.INFER, "timestamps")))
        .containsOnlyKeys(Parameters.UNTIL_VIOLATED);
  }

  @Test
  void defaultsDependOnTheUse() {
    assertThat(RunConfig.empty(Use.RUN).get(Parameters.KEYS)).isEqualTo(10);
    assertThat(RunConfig.empty(Use.GENERATE).get(Parameters.KEYS)).isEqualTo(100);
    assertThat(RunConfig.empty(Use.BENCH).get(Parameters.DISTRIBUTION))
        .isEqualTo(Distribution.ZIPF);
    assertThat(RunConfig.empty(Use.RUN).get(Parameters.TRANSACTIONS)).isNull();
  }

  @Test
  void aConfigurationIsReadAsItWasWritten() throws IOException {
    RunConfig config =
        RunConfig.empty(Use.RUN)
            .with(Parameters.SOURCE, "database")
            .with(Parameters.SESSIONS, "3")
            .with(Parameters.WHITE_BOX, true)
            .with(Parameters.SERVER_OPTIONS, Map.of("a", "b"))
            .with(Parameters.COMMAND, List.of("assay run"));
    RunConfig again = RunConfig.read(Json.readObject(Json.write(config.fields())));
    assertThat(again).isEqualTo(config);
    assertThat(again.source()).isEqualTo(Source.DATABASE);
    assertThat(again.get(Parameters.SERVER_OPTIONS)).isEqualTo(Map.of("a", "b"));
    assertThat(again.isSet(Parameters.WHITE_BOX)).isTrue();
    assertThat(again.isSet(Parameters.FOR_UPDATE)).isFalse();
  }

  @Test
  void filesThatWereWrittenByHandAreRead() throws IOException {
    RunConfig config =
        RunConfig.read(Json.readObject("{\"sessions\":3,\"for-update\":false,\"x\":1}"));
    assertThat(config.get(Parameters.SESSIONS)).isEqualTo(3);
    assertThat(config.isSet(Parameters.FOR_UPDATE)).isFalse();
    assertThat(config.unknown()).containsExactly("x");
  }

  @Test
  void aSweepHasEveryCombinationTheLastParameterChangingFastest() {
    Sweep sweep = new Sweep(RunConfig.empty(Use.RUN).with(Parameters.SEED, "7"));
    sweep.add(Parameters.SESSIONS, List.of("1", "2"));
    sweep.add(Parameters.READS, List.of("0.5"));
    sweep.add(Parameters.KEYS, List.of("3", "4"));
    assertThat(sweep.size()).isEqualTo(4);
    assertThat(sweep.varied()).containsExactly(Parameters.SESSIONS, Parameters.KEYS);
    assertThat(sweep.runs())
        .extracting(run -> run.given(Parameters.SESSIONS) + "/" + run.given(Parameters.KEYS))
        .containsExactly("1/3", "1/4", "2/3", "2/4");
    assertThat(sweep.asLists().given(Parameters.SESSIONS)).isEqualTo("1,2");
    assertThat(sweep.runs().get(3).get(Parameters.SEED)).isEqualTo(7L);
  }

  @Test
  void rulesAreTheSameForAllWhoAsk() {
    RunConfig h2 =
        RunConfig.empty(Use.RUN)
            .with(Parameters.SOURCE, Source.DATABASE.id())
            .with(Parameters.DATABASE, "h2");
    assertThat(RunRules.problems(h2)).isEmpty();
    assertThat(RunRules.problems(h2.with(Parameters.FAULTS, "kill")))
        .containsOnlyKeys(Parameters.FAULTS);
    assertThat(RunRules.problems(h2.with(Parameters.WHITE_BOX, true)))
        .containsOnlyKeys(Parameters.WHITE_BOX);
    assertThat(RunRules.problems(h2.with(Parameters.ISOLATION, "chaos")))
        .containsOnlyKeys(Parameters.ISOLATION);
    assertThatThrownBy(() -> RunRules.require(h2.with(Parameters.SHARES, "read=1")))
        .hasMessage("--shares requires --workload predicates");
    RunConfig one = h2.with(Parameters.LEVEL, "causal").with(Parameters.EXPECT, "causal");
    assertThatThrownBy(() -> RunRules.require(one)).hasMessage("--expect requires --level all");
  }
}
