package dev.assay.web.run;

import dev.assay.collect.runs.RunFolder;
import dev.assay.web.plot.Usage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the processes of a run used, read back from the files that they wrote. */
public final class SampleFiles {
  private static final long LARGEST = 32L << 20;

  /** Over shorter times the counters of the system say too little. */
  private static final long SHORTEST_MILLIS = 40;

  private SampleFiles() {}

  /** The samples of all steps, one after another. */
  public static List<Usage.Sample> read(RunFolder run) {
    List<Usage.Sample> samples = new ArrayList<>();
    List<String> files = new ArrayList<>(List.of(RunPlan.samplesFile()));
    RunPlan.checkers(run.config()).forEach(one -> files.add(RunPlan.samplesFile(one)));
    long offset = 0;
    for (String file : files) {
      add(run.file(file), offset, samples);
      offset = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).millis();
    }
    return samples;
  }

  private static void add(Path file, long offset, List<Usage.Sample> samples) {
    List<String> lines;
    try {
      if (!Files.exists(file) || Files.size(file) > LARGEST) {
        return;
      }
      lines = new String(Files.readAllBytes(file), StandardCharsets.UTF_8).lines().toList();
    } catch (IOException e) {
      // A run that is being deleted has no more samples.
      return;
    }
    long since = 0;
    long cpuThen = 0;
    double cpu = 0;
    for (int i = 1; i < lines.size(); i++) {
      String[] cells = lines.get(i).split(",");
      try {
        long millis = Long.parseLong(cells[0]);
        long cpuNow = Long.parseLong(cells[2]);
        if (millis - since >= SHORTEST_MILLIS) {
          cpu = 100.0 * (cpuNow - cpuThen) / (millis - since);
          since = millis;
          cpuThen = cpuNow;
        }
        samples.add(
            new Usage.Sample(
                offset + millis,
                cells[1],
                cpu,
                Long.parseLong(cells[3]),
                Long.parseLong(cells[4]),
                Long.parseLong(cells[5]),
                cells.length < 8 ? 0 : Long.parseLong(cells[7]) / 1000.0));
      } catch (RuntimeException e) {
        // The last line may be half written.
        return;
      }
    }
  }
}
