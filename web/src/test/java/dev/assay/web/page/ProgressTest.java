package dev.assay.web.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.config.RunConfig;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStore;
import dev.assay.web.run.RunPlan;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgressTest {
  private static final String HEAD = "millis,stage,cpu,heap,resident,committed,aborted,micros\n";

  @TempDir Path folder;

  /** A run that was asked for with these values and has written these samples. */
  private String shown(Map<String, String> asked, String samples) throws Exception {
    Map<String, Object> fields = new LinkedHashMap<>(asked);
    fields.put("source", "database");
    fields.put("database", "h2");
    RunFolder run = RunStore.create(folder, "h2", RunConfig.read(fields));
    if (!samples.isEmpty()) {
      run.replace(RunPlan.samplesFile(), HEAD + samples);
    }
    if (asked.containsKey("repeat")) {
      run.replace(RunFolder.LIVE, "{\"attempt\": 1500}");
    }
    Html html = new Html();
    new Progress(new Shown(run)).write(html);
    return html.toString();
  }

  private static String sample(long millis, String stage, long committed) {
    return millis + "," + stage + ",0,0,0," + committed + ",0,0\n";
  }

  @Test
  void whereTheEndIsATimeTheShareAndTheTimeLeftAreKnown() throws Exception {
    String samples = sample(1_000, "record", 0) + sample(5_000, "record", 700);
    assertThat(shown(Map.of("duration", "16s"), samples))
        .contains("value=\"25\"", "recording, 700 committed", "about 12 s left");
  }

  @Test
  void whereTheEndIsANumberOfTransactionsTheShareIsThatOfThese() throws Exception {
    String samples = sample(2_000, "record", 0) + sample(3_000, "record", 50);
    assertThat(shown(Map.of("sessions", "4", "transactions", "25"), samples))
        .contains("value=\"50\"", "about 1.0 s left");
  }

  @Test
  void whereTheEndIsNotKnownNoneIsShown() throws Exception {
    String samples = sample(1_000, "record", 0) + sample(5_000, "record", 700);
    for (Map<String, String> endless :
        Map.of(
                "forever",
                Map.of("duration", "forever"),
                "hunt",
                Map.of("transactions", "1", "repeat", "10000", "until-violated", "yes"))
            .values()) {
      assertThat(shown(endless, samples)).doesNotContain("value=").doesNotContain("left");
    }
    String checking = samples + sample(6_000, "finish", 700);
    assertThat(shown(Map.of("duration", "5s"), checking))
        .contains("finishing the check")
        .doesNotContain("value=")
        .doesNotContain("left");
    assertThat(shown(Map.of("duration", "5s"), "")).contains("starting").doesNotContain("left");
  }

  @Test
  void aHuntCountsItsAttempts() throws Exception {
    Map<String, String> hunt = Map.of("transactions", "1", "repeat", "10000");
    assertThat(shown(hunt, sample(9, "record", 3))).contains("attempt 1,500 of up to 10,000");
  }
}
