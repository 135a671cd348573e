package dev.assay.cli.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.BoundingBox;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A person at a browser, from configuring a run to taking the counterexample away. With the
 * property {@code assay.screenshots} the pages on the way are kept as pictures in that folder of
 * the project.
 */
class BrowserTest extends AtABrowser {
  @Test
  void anH2RunIsConfiguredWatchedAndItsBugTakenAway() throws IOException {
    page.getByText("Write skew").click();
    // Only reads show the order of registers, so a bug of theirs rests on inferred
    // edges.
    unfold("Workload", "Recording");
    choose("workload", "register");
    page.fill("#keys", "4");
    page.fill("#writes-per-key", "1000000");
    page.fill("#transactions", "100");
    page.fill("#duration", "8s");
    assertThat(page.locator("#commands")).containsText("assay run h2 --isolation=serializable");
    assertThat(page.locator("#commands")).containsText("--duration=8s");
    picture("configure", 860);
    page.click("#start");

    page.waitForURL(Pattern.compile(".*/runs/.*-h2-serializable"));
    assertThat(page.locator("[data-status=running]")).isVisible();
    assertThat(page.locator("figure[data-plot=usage] svg")).isVisible();
    assertThat(page.locator(".head h1 .pill")).hasText("Buggy");
    page.locator("figure[data-plot=usage] .hover").first().hover();
    assertThat(page.locator("#tip")).containsText("heap");
    picture("run", 860);

    // The page of the run is its report.
    Locator chosen = page.locator("section.case.chosen");
    zoomPanAndStep(chosen);
    expandAnInferredEdge(chosen);
    Locator node = chosen.locator("svg.graph g[data-node]").first();
    node.scrollIntoViewIfNeeded();
    String before = node.getAttribute("transform");
    drag(node);
    assertThat(node).not().hasAttribute("transform", before);
    chosen.locator("[data-action=undo]").click();
    assertThat(node).hasAttribute("transform", before);
    chosen.evaluate("section => section.scrollIntoView({ behavior: 'instant' })");
    picture("counterexample", 860);

    byte[] png = Files.readAllBytes(download(chosen.locator("[data-download=png]")));
    assertThat(png).startsWith(0x89, 'P', 'N', 'G');
    assertThat(download(chosen.locator("[data-download=dot]"))).content().contains("digraph");
    assertThat(download(chosen.locator("[data-download=tikz]"))).content().contains("tikz");
    chosen.locator("[data-action=undo]").click();
    assertThat(chosen.locator("g[data-link].inferred[aria-expanded=true]")).hasCount(0);
  }

  @Test
  void aRunShowsItsVerdictSoFarAndStopsAtTheNextViolation() throws Exception {
    page.getByText("Write skew").click();
    unfold("Workload", "Recording");
    page.locator("[data-database=h2] label", hasText("read-committed")).click();
    page.fill("#transactions", "");
    page.fill("#duration", "15s");
    assertThat(page.locator("#commands")).not().containsText("--until-violated");
    page.click("#start");

    page.waitForURL(Pattern.compile(".*/runs/.*-h2-read-committed"));
    Locator soFar = page.locator("section.so-far");
    soFar.getByText("Stop at the next violation").click();
    assertThat(soFar).containsText("Stops at the next violation.");
    assertThat(page.locator("[data-status=running], .head h1 .pill.healthy").first()).isVisible();
    assertThat(page.locator(".head h1 .pill")).not().hasText("Running");
    assertThat(soFar.locator("h2")).hasText("When it was violated");
    assertThat(soFar.locator("li").first()).containsText("violated after");
    assertThat(page.locator("figure[data-plot=usage] .moment").first()).isAttached();
    picture("run-violations", 1100);
  }

  @Test
  void namesAreProposedAndFilesMayBeDropped() throws IOException {
    page.navigate(address("/new"));
    unfold("Check");
    page.fill("#level", "serialisable");
    page.getByText("use serializable").click();
    assertThat(page.locator("#level")).hasValue("serializable");
    assertThat(page.locator("#start")).isEnabled();
    page.fill("#level", "");
    // What a browser does when files are dropped, which cannot be done from outside.
    page.evaluate(
        """
        (text) => {
          const data = new DataTransfer();
          data.items.add(new File([text], "one.edn"));
          data.items.add(new File([text], "two.edn"));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: data }));
        }
        """,
        Files.readString(SKEW));
    assertThat(page.locator("#commands")).containsText("assay check two.edn");
    assertThat(page.locator("#count")).containsText("2 runs, as a batch");
    page.click("#start");
    page.waitForURL(Pattern.compile(".*/batches/.*"));
    assertThat(page.locator("main")).containsText("2 of 2 runs are done");
    page.navigate(address("/bugs"));
    assertThat(page.locator("tr.bug")).hasCount(2);
    page.navigate(address("/no-such-page"));
    assertThat(page.locator("h1")).hasText("Page not found");
    complaints.removeIf(one -> one.contains("404"));
  }

  /** Zooms with a button, pans with the mouse, and goes through the argument. */
  private void zoomPanAndStep(Locator chosen) {
    Locator graph = chosen.locator("svg.graph");
    String whole = graph.getAttribute("viewBox");
    chosen.locator("[data-action=closer]").click();
    assertThat(graph).not().hasAttribute("viewBox", whole);
    String closer = graph.getAttribute("viewBox");
    // Where no node is: dragging one of these moves it.
    List<?> free =
        (List<?>)
            graph.evaluate(
                """
                svg => {
                  const box = svg.getBoundingClientRect();
                  for (let y = box.top + 3; y < box.bottom; y += 8) {
                    for (let x = box.left + 3; x < box.right; x += 8) {
                      if (document.elementFromPoint(x, y) === svg) {
                        return [x, y];
                      }
                    }
                  }
                }
                """);
    double x = ((Number) free.get(0)).doubleValue();
    double y = ((Number) free.get(1)).doubleValue();
    page.mouse().move(x, y);
    page.mouse().down();
    page.mouse().move(x + 37, y + 27);
    page.mouse().up();
    assertThat(graph).not().hasAttribute("viewBox", closer);
    chosen.locator("[data-action=fit]").click();
    assertThat(graph).hasAttribute("viewBox", whole);
    chosen.locator("[data-action=forth]").click();
    assertThat(chosen.locator(".stepper .at")).hasText(Pattern.compile("1 of \\d+"));
    assertThat(chosen.locator(".step.current")).hasAttribute("data-step", "1");
    // The two transactions of the step, in the graph and in the timeline.
    assertThat(chosen.locator(".times .alone .bar.lit")).hasCount(2);
  }

  /** What is left out of a long transaction is shown on demand. */
  private void unfoldOperations() {
    Locator more = page.locator("section.case.chosen .op.more:visible");
    if (more.count() > 0) {
      String height = page.locator("section.case.chosen svg.graph").getAttribute("height");
      more.first().click();
      assertThat(page.locator("section.case.chosen .op.folded:visible")).not().hasCount(0);
      assertThat(page.locator("section.case.chosen svg.graph"))
          .not()
          .hasAttribute("height", height);
    }
  }

  private void drag(Locator node) {
    BoundingBox box = node.boundingBox();
    page.mouse().move(box.x + 20, box.y + 12);
    page.mouse().down();
    page.mouse().move(box.x + 50, box.y + 30);
    page.mouse().move(box.x + 80, box.y + 42);
    page.mouse().up();
  }

  @Test
  void aCorpusHistoryIsUploadedAndExplainedDownToItsFacts() {
    page.navigate(address("/new"));
    page.getByText("A recorded history").click();
    page.setInputFiles("#upload-file", YUGABYTE);
    unfold("Check");
    page.selectOption("#expect", "causal");
    assertThat(page.locator("#commands")).containsText("assay check bugs_yugabyte.txt.gz");
    assertThat(page.locator("#commands")).containsText("--expect=causal");
    page.click("#start");
    assertThat(page.locator(".head h1 .pill")).hasText("Buggy");
    assertThat(page.locator(".head h1")).containsText("bugs_yugabyte.txt.gz");
    // The report calls the history as its owner does, and not as the server keeps it.
    assertThat(page.locator(".verdict h1")).containsText("bugs_yugabyte.txt.gz");
    assertThat(page.locator(".level.v-violated[data-level=read-atomic]")).isVisible();
    assertThat(page.locator(".level.v-holds[data-level=read-committed]")).isVisible();
    assertThat(page.locator(".ranks")).isHidden();
    page.setViewportSize(400, 860);
    assertThat(page.locator(".ranks")).isVisible();
    assertThat(page.locator("svg.lattice")).isHidden();
    assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
        .isEqualTo(true);
    page.setViewportSize(1280, 860);
    unfoldOperations();
    expandAnInferredEdge(page.locator("section.case.chosen"));
  }

  @Test
  void whatADatabaseOffersIsWhatTheFormAsksFor() {
    page.navigate(address("/new"));
    unfold("Recording", "Check");
    assertThat(page.getByLabel("kill")).isHidden();
    page.selectOption("#database", "postgres");
    page.getByLabel("kill").check();
    page.getByLabel("pause").check();
    page.getByLabel("read the database's log and check with its version certificate").check();
    page.getByLabel("sequential-keys").check();
    Locator commands = page.locator("#commands");
    assertThat(commands).containsText("assay run postgres");
    assertThat(commands).containsText("--faults=kill,pause");
    assertThat(commands).containsText("--white-box");
    assertThat(commands).containsText("--infer=sequential-keys");
    page.selectOption("#database", "h2");
    assertThat(commands).containsText("assay run h2");
    assertThat(commands).not().containsText("--faults");
    assertThat(commands).not().containsText("--white-box");
    assertThat(page.locator("#start")).isEnabled();
    page.getByText("A database by URL").click();
    page.fill("#url", "jdbc:postgresql://db.example/test");
    assertThat(commands).containsText("jdbc:postgresql://db.example/test");
  }

  @Test
  void aCertificateIsSentBesideItsHistory() throws IOException {
    Path certificate = folder.resolve(".downloads").resolve("log.jsonl");
    Files.createDirectories(certificate.getParent());
    Files.writeString(certificate, "{\"commits\":[]}\n");
    page.navigate(address("/new"));
    page.getByText("A recorded history").click();
    page.setInputFiles("#upload-file", YUGABYTE);
    page.setInputFiles("#version-order-file", certificate);
    assertThat(page.locator("#commands")).containsText("--version-order=log.jsonl");
    page.click("#start");
    assertThat(page.locator(".head h1 .pill")).not().hasText(Pattern.compile("Pending|Running"));
    assertThat(page.locator(".files")).containsText("certificate.jsonl");
  }

  /** The head of an answer may be there long before its body is. */
  @Test
  void anAnswerThatWasOvertakenIsNotShown() {
    page.navigate(address("/new"));
    assertThat(page.locator("#commands")).containsText("assay run h2");
    page.evaluate(
        """
        () => {
          const real = window.fetch;
          window.fetch = async (...asked) => {
            const answer = await real(...asked);
            const all = answer.json.bind(answer);
            if (!window.deliver) {
              const delivered = new Promise((done) => { window.deliver = done; });
              answer.json = () => delivered.then(all)
                .finally(() => setTimeout(() => { window.delivered = true; }));
            }
            return answer;
          };
        }
        """);
    unfold("Check");
    page.fill("#level", "causal");
    page.waitForFunction("() => window.deliver");
    page.fill("#level", "prefix");
    assertThat(page.locator("#commands")).containsText("--level=prefix");
    page.evaluate("() => window.deliver()");
    page.waitForFunction("() => window.delivered");
    assertThat(page.locator("#commands")).containsText("--level=prefix");
  }

  @Test
  void aBatchOfFourSessionCountsHasItsPlot() throws IOException {
    String broken = served.upload("x.edn", "{:type".getBytes(StandardCharsets.UTF_8));
    served.submit("source", "upload", "upload", broken, "label", "broken.edn");
    String skew = served.upload("skew.edn", Files.readAllBytes(SKEW));
    served.submit("source", "upload", "upload", skew, "label", "write-skew.edn");
    page.navigate(address("/new?preset=sessions"));
    unfold("Workload");
    page.fill("#sessions", "2, 4, 6, 8");
    page.fill("#transactions", "20");
    assertThat(page.locator("#count")).containsText("4 runs, as a batch: about");
    page.click("#start");
    page.waitForURL(Pattern.compile(".*/batches/.*"));
    assertThat(page.locator("main")).containsText("4 of 4 runs are done");
    assertThat(page.locator("table.runs .pill.healthy")).hasCount(4);
    assertThat(page.locator("tfoot")).containsText("Mean");
    assertThat(page.locator(".machine")).containsText(System.getProperty("java.vm.version"));
    assertThat(page.locator("figure[data-plot=stages]")).isVisible();
    Locator plot = page.locator("figure[data-plot=check-time]");
    // Four counts and three checkers, and a mark for each checker in the legend.
    assertThat(plot.locator(".mark")).hasCount(4 * 3 + 3);
    // Marks may cover each other; what was drawn last is on top.
    plot.locator(".mark[data-tip]").last().hover();
    assertThat(page.locator("#tip")).containsText("sessions 8");
    page.mouse().move(0, 0);
    picture("batch", 860);

    assertThat(Files.readAllBytes(download(plot.locator("[data-png]")))).startsWith(0x89, 'P');
    assertThat(download(plot.getByText("SVG"))).content().startsWith("<svg");
    assertThat(download(plot.getByText("CSV"))).content().startsWith("sessions,");
    page.locator("table.runs tbody a").first().click();
    // A run of a batch has its own command line, and the checkers side by side.
    assertThat(page.locator(".copy pre").first()).containsText("--sessions=2");
    assertThat(page.locator(".copy pre").first()).not().containsText("2,4");
    assertThat(page.locator(".matrix summary")).containsText("no two checkers disagree");
    page.navigate(address("/runs"));
    assertThat(page.locator("table.runs tbody tr")).hasCount(6);
    assertThat(page.locator(".pill.failed")).hasCount(1);
    assertThat(page.locator("tr", new Page.LocatorOptions().setHasText("write-skew.edn")))
        .containsText("G2-item");
    picture("runs", 560);
  }

  @Test
  void aBugLabelledFixedIsFixedAfterARestart() throws IOException {
    byte[] skew = Files.readAllBytes(SKEW);
    served.submit(
        "source", "upload", "upload", served.upload("skew.edn", skew), "label", "write-skew.edn");
    page.navigate(address("/runs"));
    assertThat(page.locator(".pill.buggy")).isVisible();
    page.navigate(address("/bugs"));
    page.locator("select[name=label]").selectOption("Fixed");
    page.waitForURL(Pattern.compile(".*/bugs#.*"));
    page.fill("input[name=notes]", "fixed upstream <2.6.0>");
    page.getByText("Save").click();
    assertThat(page.locator("select[name=label]")).hasValue("Fixed");
    picture("bugs", 330);
    page.locator(".bugs td.name a").first().click();
    assertThat(page.locator(".verdict h1")).containsText("write-skew.edn");
    assertThat(page.locator("section.case.chosen")).hasAttribute("data-name", "G2-item");

    served.close();
    served = Served.at(folder);
    page.navigate(served.server().loginAddress());
    page.navigate(address("/bugs"));
    assertThat(page.locator("select[name=label]")).hasValue("Fixed");
    assertThat(page.locator("input[name=notes]")).hasValue("fixed upstream <2.6.0>");
    assertThat(page.locator(".chip[aria-current]")).containsText("All");

    // The same bug in a later run is one bug, and not fixed.
    served.submit(
        "source", "upload", "upload", served.upload("skew.edn", skew), "label", "write-skew.edn");
    page.navigate(address("/runs"));
    assertThat(page.locator(".pill.buggy")).hasCount(2);
    page.navigate(address("/bugs"));
    assertThat(page.locator("tr.bug")).hasCount(1);
    assertThat(page.locator("tr.bug")).containsText("reopened");
    assertThat(page.locator("tr.bug")).containsText("in 2 runs");
    assertThat(page.locator("tr.bug")).containsText("≥");
    assertThat(page.locator("select[name=label]")).hasValue("Open");
  }
}
