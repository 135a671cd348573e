package dev.assay.cli.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Media;
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

  @Test
  void everyPageFitsAPhoneAndCanBeReadInBothThemes() throws Exception {
    List<String> pages = List.of("/new", "/runs", "/bugs", "/runs/" + skew().id());
    for (ColorScheme theme : List.of(ColorScheme.LIGHT, ColorScheme.DARK)) {
      page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(theme));
      for (String path : pages) {
        page.setViewportSize(1440, 900);
        page.navigate(address(path));
        assertThat(page.locator("main")).isVisible();
        assertThat((List<?>) page.evaluate(TOO_FAINT)).as("%s of %s", theme, path).isEmpty();
        page.setViewportSize(400, 860);
        assertThat(page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"))
            .as("%s fits", path)
            .isEqualTo(true);
      }
    }
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

  /** Checks a history with write skew. */
  private RunFolder skew() throws Exception {
    String sent = served.upload("skew.edn", Files.readAllBytes(SKEW));
    String id = served.submit("source", "upload", "upload", sent, "label", "write-skew.edn");
    return served.await(id);
  }
}
