package dev.assay.render.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.jsonl.HtmlReport;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Counterexample;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** How large the parts of a page are, which is printed, and that they stay small together. */
class ReportSizeTest {
  private static final int MOST = 600_000;

  private static final Path ROOT = Path.of("..");

  /** Where the rest of the histories with known answers is, on machines that have them. */
  private static final Path CORPUS = ROOT.resolve("../shared/corpus");

  private static final Map<String, Pattern> PARTS = new LinkedHashMap<>();

  static {
    // The history of the page is a script to browsers as well, so it comes first.
    part("history", Pattern.quote(HtmlReport.BEGIN) + ".*?" + Pattern.quote(HtmlReport.END));
    part("style", "<style.*?</style>");
    part("script", "<script.*?</script>");
    part("lattice", "<svg[^>]*class=\"lattice.*?</svg>");
    part("graphs", "<svg[^>]*class=\"graph.*?</svg>");
    part("timelines", "<svg[^>]*class=\"timeline.*?</svg>");
    part("proofs", "<ol[^>]*class=\"proof.*?</ol>(?=\\s*</)");
    part("copies", "<pre[^>]*class=\"export.*?</pre>");
  }

  private static void part(String name, String pattern) {
    PARTS.put(name, Pattern.compile(pattern, Pattern.DOTALL));
  }

  static List<Path> histories() throws Exception {
    List<Path> histories = new ArrayList<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("histories/serializable"))) {
      files.sorted().forEach(histories::add);
    }
    histories.add(ROOT.resolve("cli/src/test/resources/dev/assay/cli/serve/bugs_yugabyte.txt.gz"));
    for (String name : List.of("strong/real/polysi_dgraph", "weak/bugs_mariadb_result.txt.gz")) {
      if (Files.exists(CORPUS.resolve(name))) {
        histories.add(CORPUS.resolve(name));
      }
    }
    return histories;
  }

  @ParameterizedTest
  @MethodSource("histories")
  void thePartsOfAPageAreSmall(Path file) throws Exception {
    CheckResult result = result(file.toString(), Formats.read(Input.of(file)));
    History smallest =
        Counterexample.of(result, Budget.unlimited())
            .map(Counterexample.Kept::history)
            .orElse(null);
    isSmall(result, smallest);
  }

  /** Lists, drawings and copies of all its transactions took 14 MB. */
  @Test
  void thePageOfALongCycleIsSmall() throws Exception {
    int length = 20_000;
    HistoryBuilder builder = new HistoryBuilder();
    for (int i = 0; i < length; i++) {
      builder.begin(builder.session("s" + i), Outcome.COMMITTED);
      builder.read("k" + (i + 1) % length, null);
      builder.write("k" + i, 1);
    }
    isSmall(result("long-cycle", builder.build()), null);
  }

  private static CheckResult result(String name, History history) {
    Report report = Assay.check(history, Level.surveyed(), Budget.unlimited());
    return new CheckResult(name, report, List.of(Level.SERIALIZABLE), true, 1, -1);
  }

  private static void isSmall(CheckResult result, History smallest) throws Exception {
    StringBuilder out = new StringBuilder();
    HtmlRenderer renderer = new HtmlRenderer("1.0", out);
    renderer.add(result, new HtmlRenderer.Extras(smallest, "assay check " + result.file()));
    renderer.finish();
    Map<String, Integer> sizes = sizes(out.toString());
    System.out.println("report of " + result.file() + ", bytes: " + sizes);
    int own = sizes.values().stream().mapToInt(Integer::intValue).sum() - sizes.get("history");
    assertThat(own).as(sizes.toString()).isLessThan(MOST);
    assertThat(sizes.get("script")).isPositive();
    assertThat(sizes.get("lattice")).isPositive();
    assertThat(sizes.get("graphs") > 0).isEqualTo(!result.report().anomalies().isEmpty());
  }

  private static Map<String, Integer> sizes(String page) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    String rest = page;
    for (Map.Entry<String, Pattern> part : PARTS.entrySet()) {
      StringBuilder without = new StringBuilder();
      int size = 0;
      Matcher matcher = part.getValue().matcher(rest);
      while (matcher.find()) {
        size += bytes(matcher.group());
        matcher.appendReplacement(without, "");
      }
      rest = matcher.appendTail(without).toString();
      sizes.put(part.getKey(), size);
    }
    sizes.put("rest", bytes(rest));
    return sizes;
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
