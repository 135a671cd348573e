package dev.assay.cli.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
import dev.assay.cli.Ran;
import dev.assay.collect.runs.RunFolder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What every page has to be like: on a phone, in the dark, on paper, and for strangers. */
class PagesTest extends AtABrowser {
  /** Texts whose contrast with what is behind them is below that of WCAG 2, level AA. */
  private static final String TOO_FAINT =
      """
      () => {
        const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
        const rgb = text => text.startsWith('color(')
          ? numbers(text).map((n, i) => i < 3 ? n * 255 : n) : numbers(text);
        const luminance = ([r, g, b]) => [r, g, b]
          .map(c => c / 255)
          .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
          .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
        const behind = e => {
          for (let at = e; at; at = at.parentElement) {
            const color = rgb(getComputedStyle(at).backgroundColor);
            if (color.length === 3 || color[3] === 1) return color;
          }
          return [255, 255, 255];
        };
        return [...document.querySelectorAll('main *')]
          .filter(e => !e.closest('svg') && !e.disabled && e.checkVisibility()
            && [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim()))
          .filter(e => {
            const style = getComputedStyle(e);
            const [a, b] = [luminance(rgb(style.color)), luminance(behind(e))];
            const large = parseFloat(style.fontSize) >= 18.6;
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < (large ? 3 : 4.5);
          })
          .map(e => e.tagName + '.' + e.className + ': ' + e.textContent.trim().slice(0, 40));
      }
      """;

  /** Texts of plots that a phone cuts off or shows smaller than 9 pixels. */
  private static final String TOO_SMALL =
      """
      () => [...document.querySelectorAll('figure[data-plot]:not([data-plot=usage]) svg text')]
        .filter(e => e.checkVisibility())
        .filter(e => {
          const { a, b } = e.getScreenCTM();
          const scale = Math.hypot(a, b);
          return parseFloat(getComputedStyle(e).fontSize) * scale < 9
            || e.getBoundingClientRect().right > innerWidth;
        })
        .map(e => e.textContent)
      """;

  private static final String BENCH =
      "bench --quiet --sessions=2,3 --transactions=5 --repeat=1 --level=causal,serializable"
          + " --checker=assay,strong-levels --html=%s";

  @Test
  void everyPageFitsAPhoneAndCanBeReadInBothThemes() throws Exception {
    Path bench = folder.resolve("bench.html");
    assertThat(Ran.of(BENCH.formatted(bench).split(" ")).code()).isZero();
    List<String> pages =
        List.of(
            address("/new"),
            address("/runs"),
            address("/bugs"),
            address("/runs/" + skew().id()),
            address("/batches/" + batch()),
            address("/runs/none"),
            bench.toUri().toString());
    for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
      for (String path : pages) {
        page.navigate(path);
        fitsAndCanBeRead(page, theme + " " + path);
      }
      Page stranger = newPage();
      stranger.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
      stranger.navigate(address("/runs"));
      fitsAndCanBeRead(stranger, theme + ", not logged in");
      stranger.context().close();
    }
    complaints.removeIf(one -> one.contains("401") || one.contains("404"));
  }

  private static void fitsAndCanBeRead(Page shown, String what) {
    shown.setViewportSize(1440, 900);
    assertThat(shown.locator("main")).isVisible();
    assertThat((List<?>) shown.evaluate(TOO_FAINT)).as(what).isEmpty();
    shown.setViewportSize(400, 860);
    assertThat(shown.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
        .as("%s fits", what)
        .isEqualTo(true);
    // No plot over a parameter has to be scrolled, and its text stays legible.
    assertThat((List<?>) shown.evaluate(TOO_SMALL)).as(what).isEmpty();
  }

  @Test
  void startStaysInViewOnAPhone() {
    page.setViewportSize(400, 860);
    page.navigate(address("/new"));
    unfold("Workload", "Recording", "Check");
    assertThat(page.locator("#start")).isInViewport();
    page.locator("#commands").scrollIntoViewIfNeeded();
    assertThat(page.locator("#start")).isInViewport();
  }

  @Test
  void aReportPrintsOnTwoPagesAndNamesNoFolder() throws Exception {
    Path report = skew().file(RunFolder.REPORT);
    String text = Files.readString(report);
    assertThat(text).contains("write-skew.edn");
    assertThat(text).doesNotContain(folder.toString(), System.getProperty("user.home") + "/");
    page.navigate(report.toUri().toString());
    page.emulateMedia(new Page.EmulateMediaOptions().setMedia(Media.PRINT));
    String pdf = new String(page.pdf(), StandardCharsets.ISO_8859_1);
    assertThat(Pattern.compile("/Type\\s*/Page\\b(?!s)").matcher(pdf).results().count())
        .isEqualTo(2);
  }

  /** Somebody who has never read Adya sees what happened before any name of a theory. */
  @Test
  void aBugIsCalledByItsEverydayNameFirst() throws Exception {
    String run = "/runs/" + skew().id();
    page.navigate(address("/runs"));
    assertThat(page.locator("table.runs")).containsText("write skew (G2-item)");
    page.navigate(address("/bugs"));
    assertThat(page.locator(".bugs td.name a").first()).hasText("write skew");
    page.navigate(address(run));
    String verdict = page.locator("section.verdict").textContent();
    assertThat(verdict).contains("each read what the other then changed", "two doctors");
    assertThat(verdict).doesNotContain("G2-item", "anti-dependency");
  }

  /** Two runs with two checkers, of which one decides nothing that was asked. */
  private String batch() throws Exception {
    String first =
        served.submit(
            "source",
            "synthetic",
            "sessions",
            "2,3",
            "transactions",
            "10",
            "checkers",
            "assay",
            "checkers",
            "weak-levels");
    for (RunFolder run : served.runs()) {
      served.await(run.id());
    }
    return first;
  }

  /** Checks a history with write skew. */
  private RunFolder skew() throws Exception {
    String sent = served.upload("skew.edn", Files.readAllBytes(SKEW));
    String id = served.submit("source", "upload", "upload", sent, "label", "write-skew.edn");
    return served.await(id);
  }
}
