package dev.assay.cli.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.Use;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunResult;
import dev.assay.collect.runs.RunResult.FoundAnomaly;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The table of runs with a thousand of them. That it is right is asserted; how long it takes is
 * printed, for docs/performance.md.
 */
@Tag("extended")
class FirstPaintTest {
  private static final int RUNS = 1000;
  private static final int TIMES = 21;

  @TempDir Path folder;

  @Test
  void aThousandRunsAreATable() throws IOException {
    thousandRuns();
    long opening = System.nanoTime();
    Served server = Served.at(folder);
    double opened = (System.nanoTime() - opening) / 1e6;
    try (Served served = server;
        Chromium chromium = new Chromium()) {
      List<Double> answers = new ArrayList<>();
      int bytes = 0;
      for (int i = 0; i < TIMES; i++) {
        long start = System.nanoTime();
        bytes = served.client().get("/runs").body().length();
        answers.add((System.nanoTime() - start) / 1e6);
      }
      Page page = chromium.page();
      page.navigate(served.server().loginAddress());
      Map<String, List<Double>> browser = new LinkedHashMap<>();
      for (int i = 0; i < TIMES; i++) {
        page.navigate(served.server().address() + "runs");
        assertThat(page.locator("table.runs tbody tr")).hasCount(50);
        times(page).forEach((what, time) -> list(browser, what).add(time));
      }
      assertThat(page.locator(".pages a")).hasCount(RUNS / 50);
      assertThat(page.locator(".chip").first()).hasText("All 1,000");
      System.out.printf(
          "1,000 runs: server started in %.0f ms; answer of %,d bytes in %.1f ms (median of %d);"
              + " in the browser, from the click on: ",
          opened, bytes, median(answers), TIMES);
      browser.forEach((what, all) -> System.out.printf("%s %.0f ms; ", what, median(all)));
      System.out.println();
      assertThat(browser).containsKey("first paint");
    }
  }

  private static List<Double> list(Map<String, List<Double>> lists, String name) {
    return lists.computeIfAbsent(name, none -> new ArrayList<>());
  }

  private static double median(List<Double> numbers) {
    return numbers.stream().sorted().skip(numbers.size() / 2).findFirst().orElseThrow();
  }

  /** What the browser itself measured of the page that it shows. */
  private static Map<String, Double> times(Page page) {
    page.waitForFunction("() => performance.getEntriesByName('first-contentful-paint').length");
    Map<String, Double> times = new LinkedHashMap<>();
    Object read =
        page.evaluate(
            """
            () => {
              const way = performance.getEntriesByType("navigation")[0];
              const paint = (name) => performance.getEntriesByName(name)[0].startTime;
              return [way.responseEnd, way.domInteractive, paint("first-paint"),
                paint("first-contentful-paint")];
            }
            """);
    List<?> numbers = (List<?>) read;
    List<String> names = List.of("answer", "parsed", "first paint", "first text");
    for (int i = 0; i < names.size(); i++) {
      times.put(names.get(i), ((Number) numbers.get(i)).doubleValue());
    }
    return times;
  }

  /** As large as real ones are: the state has the verdict of every level. */
  private void thousandRuns() throws IOException {
    RunStore store = RunStore.open(folder);
    Map<String, RunResult.LevelVerdict> levels = new LinkedHashMap<>();
    for (int i = 0; i < 40; i++) {
      levels.put(
          "level-" + i, new RunResult.LevelVerdict("holds", "implied by serializable", null));
    }
    for (int i = 0; i < RUNS; i++) {
      String sessions = Integer.toString(1 + i % 40);
      RunConfig config =
          RunConfig.empty(Use.RUN)
              .with(Parameters.SOURCE, Source.DATABASE.id())
              .with(Parameters.DATABASE, i % 3 == 0 ? "postgres" : "h2")
              .with(Parameters.ISOLATION, "serializable")
              .with(Parameters.WORKLOAD, "list-append")
              .with(Parameters.SESSIONS, sessions)
              .with(Parameters.CHECKERS, "assay")
              .with(Parameters.COMMAND, List.of("assay run h2 --sessions=" + sessions));
      RunFolder run = store.create("h2-serializable", config);
      boolean buggy = i % 4 == 0;
      List<FoundAnomaly> anomalies =
          buggy
              ? List.of(new FoundAnomaly("G2-item", "write skew", 3L, false, List.of()))
              : List.of();
      RunResult result =
          new RunResult(
              new RunResult.HistorySize(null, 12_345L, null, null, null, 40_000L, null, null),
              levels,
              null,
              null,
              List.of("strict-serializable"),
              null,
              anomalies,
              new RunResult.Timing(12L, 34L, 56L, null, null),
              null);
      run.update(state -> state.with("assay", RunStatus.HEALTHY, result).withSummary(result));
      run.become(buggy ? RunStatus.BUGGY : RunStatus.HEALTHY, null);
    }
  }
}
