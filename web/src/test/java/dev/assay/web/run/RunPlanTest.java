package dev.assay.web.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Use;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStore;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunPlanTest {
  @TempDir Path folder;

  private List<String> check(Source source) throws Exception {
    RunConfig config =
        RunConfig.empty(Use.RUN)
            .with(Parameters.SOURCE, source.id())
            .with(Parameters.FILE, "history.txt.gz");
    RunFolder run = RunStore.create(folder, "test", config);
    List<RunPlan.Step> steps = RunPlan.steps(run, null);
    return steps.get(steps.size() - 1).arguments();
  }

  @Test
  void whatWasSentIsNotTrusted() throws Exception {
    assertThat(check(Source.UPLOAD)).startsWith("check", "history.txt.gz").contains("--untrusted");
    assertThat(check(Source.SYNTHETIC)).doesNotContain("--untrusted");
  }
}
