package dev.assay.web.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPlanTest {
  @TempDir Path folder;

  private List<String> check(Map<String, Object> config) throws Exception {
    RunFolder run = RunStore.create(folder, "test", config);
    List<RunPlan.Step> steps = RunPlan.steps(run, null);
    return steps.get(steps.size() - 1).arguments();
  }

  @Test
  void whatWasSentIsNotTrusted() throws Exception {
    assertThat(check(Map.of("source", RunRequest.UPLOAD, "file", "history.txt.gz")))
        .startsWith("check", "history.txt.gz")
        .contains("--untrusted");
    assertThat(check(Map.of("source", RunRequest.SYNTHETIC))).doesNotContain("--untrusted");
  }
}
