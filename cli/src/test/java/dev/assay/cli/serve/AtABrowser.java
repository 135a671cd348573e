package dev.assay.cli.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.Clip;
import com.microsoft.playwright.options.ScreenshotAnimations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A browser whose user is logged in to a server that really runs. */
abstract class AtABrowser {
  /** What a YugabyteDB once did, from the archives of the papers (real histories, weak levels). */
  static final Path YUGABYTE =
      Path.of("src/test/resources/dev/assay/cli/serve/bugs_yugabyte.txt.gz");

  static final Path SKEW = Path.of("../histories/strong-snapshot-isolation/write-skew.edn");

  private static Chromium chromium;

  @TempDir Path folder;
  Served served;
  Page page;

  /** What the browser said on its console. */
  final List<String> complaints = new ArrayList<>();

  @BeforeAll
  static void startBrowser() {
    chromium = new Chromium();
    PlaywrightAssertions.setDefaultAssertionTimeout(180_000);
  }

  @AfterAll
  static void stopBrowser() {
    chromium.close();
  }

  @BeforeEach
  void open() throws IOException {
    served = Served.at(folder);
    page = newPage();
    page.navigate(served.server().loginAddress());
  }

  @AfterEach
  void close() {
    page.context().close();
    served.close();
    assertThat(complaints).isEmpty();
  }

  /** A page of somebody who is not logged in. */
  Page newPage() {
    Page fresh = chromium.page();
    fresh.onConsoleMessage(
        message -> {
          if (message.type().equals("error")) {
            complaints.add(message.text());
          }
        });
    fresh.onPageError(complaints::add);
    return fresh;
  }

  static Page.LocatorOptions hasText(String text) {
    return new Page.LocatorOptions().setHasText(text);
  }

  String address(String path) {
    return served.server().address().replaceAll("/$", "") + path;
  }

  /** Opens parts of the form that are folded. */
  void unfold(String... titles) {
    for (String title : titles) {
      page.locator("details.tier > summary", hasText(title)).click();
    }
  }

  void choose(String name, String value) {
    page.locator("label:has(> input[name=" + name + "][value=" + value + "])").click();
  }

  /** With the keyboard; what it rests on is then drawn as well. */
  void expandAnInferredEdge(Locator chosen) {
    Locator visible = chosen.locator("g[data-link]:visible");
    int shown = visible.count();
    Locator inferred = chosen.locator("g[data-link].inferred[aria-expanded=false]:visible").first();
    inferred.focus();
    page.keyboard().press("Enter");
    assertThat(chosen.locator("g[data-link].inferred[aria-expanded=true]")).not().hasCount(0);
    assertThat(visible.count()).isGreaterThan(shown);
  }

  Path download(Locator button) {
    Download download = page.waitForDownload(() -> button.click());
    Path file = folder.resolve(".downloads").resolve(download.suggestedFilename());
    download.saveAs(file);
    return file;
  }

  /**
   * Keeps the upper part of what is on show, where the property {@code assay.screenshots} names a
   * folder of the project.
   */
  void picture(String name, int height) {
    String kept = System.getProperty("assay.screenshots");
    if (kept != null) {
      page.screenshot(
          new Page.ScreenshotOptions()
              .setPath(Path.of("..", kept, name + ".png"))
              .setClip(new Clip(0, 0, 1280, height))
              .setAnimations(ScreenshotAnimations.DISABLED));
    }
  }
}
