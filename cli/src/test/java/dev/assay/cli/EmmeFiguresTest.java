package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The figures of the paper on version certificate recovery (Emme, Enne and King Cobra: Clark,
 * Donaldson, Wickerson and Rigger, EuroSys 2024) with the answers that the paper gives.
 */
class EmmeFiguresTest {
  private static final Path FIGURES = Path.of("src", "test", "resources", "emme");
  private static final Pattern VERDICT =
      Pattern.compile("\"serializable\":\\{\"verdict\":\"(\\w+)\"");
  private static final Pattern TYPE = Pattern.compile("\"type\":\"([\\w-]+)\"");
  private static final Pattern OPEN_PAIRS =
      Pattern.compile("\"constraints\":\\{\"serializable\":\\{.*?\"openPairs\":(\\d+)");

  @TempDir Path folder;

  private static Ran ran(String history, String certificate, String... command) {
    List<String> words = new ArrayList<>(List.of(command));
    if (certificate != null) {
      words.add("--version-order");
      words.add(FIGURES.resolve(certificate + ".certificate.jsonl").toString());
    }
    words.add(FIGURES.resolve(history + ".jsonl").toString());
    return Ran.of(words.toArray(String[]::new));
  }

  private static String found(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "none";
  }

  @ParameterizedTest
  @CsvSource({
    "fig1, , 1, violated, G-single",
    "fig1, fig1, 1, violated, G-single",
    "fig1, fig1-mvto, 1, violated, result-set-mismatch",
    "fig2, fig2, 0, holds, none",
    "fig2, fig23-snap, 0, holds, none",
    "fig2, fig23-eso, 0, holds, none",
    "fig3, , 0, holds, none",
    "fig3, fig3, 1, violated, result-set-mismatch",
    "fig3, fig23-snap, 1, violated, result-set-mismatch",
    "fig3, fig23-eso, 1, violated, certificate-contradiction",
    "fig3, fig3-other, 0, holds, none",
    "fig4, fig4, 1, violated, G-single-item",
    "fig4-items, fig5, 0, holds, none",
    "fig4, fig7, 1, violated, result-set-mismatch"
  })
  void thePaperSaysTheSame(
      String history, String certificate, int code, String verdict, String anomaly) {
    Ran ran = ran(history, certificate, "check", "--output", "json");
    assertThat(ran.code()).as(ran.err()).isEqualTo(code);
    assertThat(found(VERDICT, ran.out())).as(ran.out()).isEqualTo(verdict);
    assertThat(found(TYPE, ran.out())).as(ran.out()).isEqualTo(anomaly);
  }

  @ParameterizedTest
  @CsvSource({"fig8, , 1", "fig8, fig8, 0"})
  void versionOrdersLeaveFewerConstraints(String history, String certificate, int open) {
    Ran ran = ran(history, certificate, "stats", "--constraints", "--output", "json");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(found(OPEN_PAIRS, ran.out())).as(ran.out()).isEqualTo(String.valueOf(open));
  }

  /** T3 missed y by its predicate, and T2 came before it. */
  @ParameterizedTest
  @CsvSource({
    "fig1, , rw(pred y), T3 -> T2, T2 -> T3  wr(y)",
    "fig1, fig1, rw(pred y), T3 -> T2, T2 -> T3  wr(y)",
    "fig4, fig4, wr(pred x), T2 -> T3, T3 -> T2  rw(x)"
  })
  void edgesByPredicatesAreMarked(
      String history, String certificate, String label, String arrow, String other)
      throws IOException {
    Path dot = folder.resolve("x.dot");
    Path tikz = folder.resolve("x.tex");
    Path page = folder.resolve("x.html");
    Ran text =
        ran(
            history,
            certificate,
            "check",
            "--all",
            "--dot",
            dot.toString(),
            "--tikz",
            tikz.toString(),
            "--report",
            page.toString());
    assertThat(text.out()).contains(arrow + "  " + label, other);
    assertThat(Files.readString(dot)).contains("[label=\"" + label + "\"");
    assertThat(Files.readString(tikz)).contains("{" + label + "}");
    assertThat(Files.readString(page)).contains(label);
    String json = ran(history, certificate, "check", "--output", "json").out();
    assertThat(json)
        .containsPattern(
            "\"kind\":\"" + label.substring(0, 2) + "\",\"key\":\"\\w\",\"predicate\":true");
    assertThat(json.split("\"predicate\":true", -1)).hasSize(2);
  }

  @Test
  void aPhantomThatOnlyResultsShowIsRepeatableRead() {
    Ran ran = ran("fig1", null, "check", "--level", "repeatable-read,consistent-view");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("violates consistent-view");
    assertThat(ran("fig1", null, "check", "--level", "repeatable-read").code()).isZero();
  }
}
