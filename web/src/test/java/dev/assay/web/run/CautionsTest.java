package dev.assay.web.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the form says about values that are allowed: what is absurd, and how long they take. */
class CautionsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "sessions=1 | sessions | never overlap",
        "sessions=501 | sessions | refuse this many connections",
        "sessions=100&transactions=50001 | transactions | more than 5 million",
        "operations=201 | operations | mostly abort each other",
        "reads=1 | reads | nothing to violate",
        "reads=0 | reads | no anomaly can be seen",
        "aborts=0.95 | aborts | rolled back",
        "keys=1000000 | keys | rarely conflict"
      })
  void anAbsurdValueIsPointedOutAtItsField(String form, String field, String words) {
    RunRequest request = request(form);
    assertThat(request.problems()).isEmpty();
    Map<String, String> cautions = Cautions.of(request.runs());
    assertThat(cautions).containsOnlyKeys(field);
    assertThat(cautions.get(field)).contains(words);
  }

  @Test
  void ordinaryValuesAreNotCommentedOn() {
    assertThat(Cautions.of(request("").runs())).isEmpty();
    for (Presets.Preset preset : Presets.all()) {
      assertThat(Cautions.of(RunRequest.of(preset.fields(), List.of()).runs()))
          .as(preset.id())
          .isEmpty();
    }
  }

  @Test
  void theEstimateFollowsWhatEndsTheRun() {
    double timed = Estimate.seconds(request("duration=60s").runs());
    assertThat(timed).isBetween(60.0, 180.0);
    // A number of transactions is not cut short by the default duration.
    double counted = Estimate.seconds(request("sessions=10&transactions=8000").runs());
    assertThat(counted).isGreaterThan(60);
    assertThat(Estimate.seconds(request("sessions=2,4,8&duration=60s").runs()))
        .isGreaterThan(2 * timed);
    double endless = Estimate.seconds(request("duration=forever").runs());
    assertThat(Estimate.words(endless)).isEqualTo("runs until it is stopped");
    assertThat(Estimate.words(7200)).isEqualTo("about 2 h");
  }

  private static RunRequest request(String form) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : form.split("&")) {
      if (!field.isEmpty()) {
        String[] parts = field.split("=", 2);
        fields.put(parts[0], parts[1]);
      }
    }
    return RunRequest.of(fields, List.of());
  }
}
