package dev.assay.junit;

import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Counterexample;
import dev.assay.render.TextRenderer;
import dev.assay.render.html.HtmlRenderer;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A history that was recorded and checked. */
public final class CheckedRun {
  private static final Duration TIME_FOR_PAGE = Duration.ofSeconds(20);

  private final CheckResult result;
  private final String store;
  private final Long seed;
  private final Path folder;
  private final boolean committed;

  /**
   * @param store what was tested, in words
   * @param seed the seed of the workload; null if there is none
   * @param folder where the report page goes
   * @param committed whether any transaction was committed
   */
  CheckedRun(CheckResult result, String store, Long seed, Path folder, boolean committed) {
    this.result = result;
    this.store = store;
    this.seed = seed;
    this.folder = folder;
    this.committed = committed;
  }

  /** Everything that was found. */
  public Report report() {
    return result.report();
  }

  /** The strongest levels that hold. */
  public List<Level> strongest() {
    return report().strongest();
  }

  /**
   * Fails unless the level holds: also where it could not be decided or nothing was committed, for
   * a test that proves nothing must not pass.
   *
   * @throws AssertionError with the verdict, the witnesses, a page to read and the seed
   */
  public CheckedRun assertHolds(Level level) {
    Verdict verdict = report().verdict(level);
    if (verdict instanceof Verdict.Holds) {
      if (!committed) {
        throw new AssertionError(store + ": no transaction was committed, so nothing was tested");
      }
      return this;
    }
    String head =
        verdict instanceof Verdict.Violated
            ? "%s violates %s".formatted(store, level)
            : "%s: %s is unknown: %s".formatted(store, level, verdict.why());
    try {
      throw new AssertionError(head + "\n\n" + details(level));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String details(Level level) throws IOException {
    CheckResult about =
        new CheckResult(
            result.file(),
            report().about(level),
            List.of(level),
            false,
            result.parseMillis(),
            result.peakHeapBytes());
    StringBuilder text = new StringBuilder();
    new TextRenderer(TextRenderer.Options.brief(false, false), text).render(about);
    // As an address, which terminals and editors open at a click.
    text.append("\nreport: ").append(page().toUri()).append('\n');
    if (seed != null) {
      text.append("seed:   ").append(seed).append('\n');
    }
    return text.toString();
  }

  /** Writes the page that explains the verdict; where it is. */
  private Path page() throws IOException {
    StringBuilder content = new StringBuilder();
    HtmlRenderer renderer = new HtmlRenderer(WorkloadRun.version(), content);
    Counterexample.Kept kept =
        Counterexample.of(result, Budget.of(TIME_FOR_PAGE))
            .orElse(new Counterexample.Kept(null, Given.NOTHING));
    renderer.add(
        result,
        new HtmlRenderer.Extras(
            kept.history(), kept.given(), "assay check " + result.file(), null, null));
    renderer.finish();
    Path page = Files.createDirectories(folder).resolve("report.html");
    Files.writeString(page, content);
    return page;
  }
}
