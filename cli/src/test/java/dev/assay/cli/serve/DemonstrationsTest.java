package dev.assay.cli.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions.HasTextOptions;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The three demonstrations of IsoVista (VLDB 2024), as its authors describe them: test the levels
 * of a database until a bug shows, analyse a bug in a history that was recorded before, and compare
 * checkers.
 */
class DemonstrationsTest extends AtABrowser {
  /**
   * What a Dgraph once did at snapshot isolation: the authors' own example, with the edge on key
   * 378 that they expand, reduced by {@code assay shrink}.
   */
  private static final Path DGRAPH =
      Path.of("src/test/resources/dev/assay/cli/serve/dgraph_si.txt");

  /** One click that ends in the bug, on the PostgreSQL that has it. */
  @Test
  @Tag("extended")
  void postgres123IsTestedUntilItsBugShows() {
    page.getByText("PostgreSQL 12.3 bug").click();
    assertThat(page.locator("#commands")).containsText("--repeat=10000");
    page.click("#start");
    assertThat(page.locator(".live"))
        .containsText(Pattern.compile("attempt [\\d,]+ of up to 10,000"));
    isBuggyAfterSomeAttempts(30);
    assertThat(page.locator(".verdict h1"))
        .hasText(Pattern.compile("PostgreSQL 12\\.3 promised serializable and gave .*"));
    String attempts = page.locator("dd:near(dt:text('attempts'))").first().textContent();
    assertThat(Integer.parseInt(attempts.replace(",", ""))).isBetween(1, 10_000);
    System.err.println("PostgreSQL 12.3: found in attempt " + attempts);
  }

  /** The same click on a database that is at hand, at a level that shows it sooner. */
  @Test
  void aDatabaseIsTestedUntilItsBugShows() {
    page.getByText("PostgreSQL 12.3 bug").click();
    Locator commands = page.locator("#commands");
    assertThat(commands).containsText("assay run postgres@12.3");
    assertThat(commands).containsText("--isolation=serializable");
    assertThat(commands).containsText("--sessions=20");
    assertThat(commands).containsText("--operations=2");
    assertThat(commands).containsText("--until-violated");
    assertThat(commands).containsText("--repeat=10000");
    page.selectOption("#database", "h2");
    page.fill("#version", "");
    page.locator("[data-database=h2] label", hasText("read-committed")).click();
    unfold("Workload", "Check");
    page.selectOption("#expect", "serializable");
    page.fill("#transactions", "100");
    page.fill("#operations", "2-4");
    page.fill("#keys", "3");
    page.fill("#writes-per-key", "4");
    page.fill("#reads", "1");
    assertThat(page.locator("[data-caution=reads]")).containsText("nothing to violate");
    page.fill("#reads", "0.5");
    assertThat(page.locator("#count")).containsText("One run: about");
    page.click("#start");
    isBuggyAfterSomeAttempts(3);
    // The bug is in the table of bugs, and a click there shows its counterexample.
    page.navigate(address("/bugs"));
    assertThat(page.locator("tr.bug").first()).containsText("H2");
    page.locator(".bugs td.name a").first().click();
    assertThat(page.locator("section.case.chosen svg.graph")).isVisible();
  }

  private void isBuggyAfterSomeAttempts(int minutes) {
    HasTextOptions patient = new HasTextOptions().setTimeout(minutes * 60_000);
    assertThat(page.locator(".head h1 .pill")).hasText("Buggy", patient);
    assertThat(page.locator("dt", hasText("attempts"))).isVisible();
    assertThat(page.locator("section.case.chosen svg.graph")).isVisible();
  }

  @Test
  void aRecordedBugIsAnalysedDownToWhatItsEdgesRestOn() {
    page.navigate(address("/new"));
    page.getByText("A recorded history").click();
    page.setInputFiles("#upload-file", DGRAPH);
    unfold("Check");
    page.fill("#level", "snapshot-isolation");
    assertThat(page.locator("#commands")).containsText("assay check dgraph_si.txt");
    page.click("#start");
    assertThat(page.locator(".head h1 .pill")).hasText("Buggy");
    page.navigate(address("/bugs"));
    page.locator(".bugs td.name a").first().click();

    // A cycle; the edges that are known and the inferred ones are told apart.
    Locator chosen = page.locator("section.case.chosen");
    assertThat(chosen.locator("svg.graph g[data-link].k-wr:visible").first()).isVisible();
    Locator inferred = chosen.locator("g[data-link].inferred:visible").first();
    assertThat(inferred).containsText("378");
    // Unfolded, it shows why the other order of the two writes is not possible: the edge from
    // T429 to T400 that the authors speak of would close a cycle.
    expandAnInferredEdge(chosen);
    Locator theirs = chosen.locator("g[data-link].k-rw:visible");
    assertThat(theirs.filter(new Locator.FilterOptions().setHasText("rw(378)"))).hasCount(1);
    assertThat(chosen.locator("ol.proof"))
        .containsText("T429 read 378 = 7, which T400 overwrote with 3");
  }

  @Test
  void checkersAreComparedOnOneHistory() {
    page.getByText("Balanced").click();
    unfold("Workload", "Check");
    page.fill("#sessions", "5");
    page.fill("#transactions", "30");
    page.getByLabel("weak-levels").check();
    page.getByLabel("strong-levels").check();
    page.click("#start");
    assertThat(page.locator(".head h1 .pill")).hasText("Healthy");
    // Time and memory of each, and where the time went.
    Locator rows = page.locator("section", hasText("Checkers side by side")).locator("tbody tr");
    assertThat(rows.filter(new Locator.FilterOptions().setHasText("MB"))).hasCount(3);
    Locator stages = page.locator("figure[data-plot=stages]");
    assertThat(stages).containsText("strong-levels");
    stages.locator("[data-tip]").first().hover();
    assertThat(page.locator("#tip")).containsText("ms");
    assertThat(page.locator("figure[data-plot=usage] svg")).isVisible();
    assertThat(page.locator(".matrix summary")).containsText("no two checkers disagree");
  }
}
