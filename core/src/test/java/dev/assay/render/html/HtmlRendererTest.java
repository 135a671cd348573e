package dev.assay.render.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Counterexample;
import dev.assay.render.Sample;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HtmlRendererTest {
  private static final List<String> HOSTILE =
      List.of(
          "<img src=x onerror=alert(1)>",
          "</script><script>alert(1)</script>",
          "</pre></style><svg onload=alert(1)>",
          "\" onmouseover=\"alert(1)",
          "' autofocus onfocus='alert(1)",
          "<!--",
          "]]>&lt;b&gt;",
          "a\u2028b\u2029c",
          "\u202eesrever\u2066",
          "\ud83d lone \u0000\u0007");

  private static CheckResult checked(HistoryBuilder builder, String file) {
    builder.origin(new Origin(file, "assay-jsonl", Origin.Unit.LINE, List.of()));
    History history = builder.build();
    Report report = Assay.check(history, Level.surveyed(), Budget.unlimited());
    return new CheckResult(file, report, List.of(Level.SERIALIZABLE), true, 1, -1);
  }

  private static String page(CheckResult result) throws IOException {
    StringBuilder out = new StringBuilder();
    HtmlRenderer renderer = new HtmlRenderer("1.0", out);
    History smallest =
        Counterexample.of(result, Budget.unlimited())
            .map(Counterexample.Kept::history)
            .orElse(null);
    renderer.add(result, new HtmlRenderer.Extras(smallest, "assay check " + result.file()));
    renderer.finish();
    return out.toString();
  }

  /** A write skew, and an aborted read, of one key, value, session, id and so on. */
  private static HistoryBuilder strange(String text) {
    HistoryBuilder b = new HistoryBuilder();
    // Names of fields cannot hold half a character in JSON.
    b.metadata(text.replace("\ud83d", ""), text);
    b.metadata("note.x", text);
    b.metadata("fault.1", text + " at 5 ns");
    begin(b, text + 1, text + 1, Outcome.COMMITTED, 0);
    b.read(text, null);
    b.write(text + "y", text);
    begin(b, text + 2, text + 2, Outcome.COMMITTED, 1);
    b.read(text + "y", null);
    b.write(text, text);
    int aborted = begin(b, text + 3, text + 3, Outcome.ABORTED, 2);
    b.error(aborted, text);
    b.write(text + "z", text);
    begin(b, text + 4, text + 4, Outcome.COMMITTED, 8);
    b.read(text + "z", text);
    b.readList(text + "l", List.of());
    return b;
  }

  private static int begin(
      HistoryBuilder b, String session, String id, Outcome outcome, long start) {
    int txn = b.begin(b.session(session), outcome);
    b.id(txn, b.scalars().of(id));
    b.start(txn, start);
    b.end(txn, start + 3);
    return txn;
  }

  @Test
  void nothingFromAHistoryBecomesMarkup() throws IOException {
    String ordinary = page(checked(strange("plain"), "plain"));
    for (String text : HOSTILE) {
      String page = page(checked(strange(text), text));
      assertThat(tags(page)).as(text).isEqualTo(tags(ordinary));
      assertThat(page.split("<script", -1)).as(text).hasSize(ordinary.split("<script", -1).length);
      assertThat(page)
          .as(text)
          .doesNotContain("\u2028", "\u2029", "\u202e", "\u2066", "\u0000", "\u0007");
    }
  }

  /** The names of all elements and of all attributes. */
  private static Set<String> tags(String page) {
    String markup =
        page.replace(Resource.STYLE.text(), "")
            .replace(Resource.SCRIPT.text(), "")
            .replaceAll("(?s)<script type=[^>]*>.*?</script>", "");
    Set<String> names = new TreeSet<>();
    Matcher tag =
        Pattern.compile("(?s)<(/?[a-zA-Z!][^\\s>/]*)((?:[^>\"]|\"[^\"]*\")*)>").matcher(markup);
    int opened = 0;
    while (tag.find()) {
      opened++;
      names.add(tag.group(1));
      Matcher attribute = Pattern.compile("([^\\s=\"/]+)(=\"[^\"]*\")?").matcher(tag.group(2));
      while (attribute.find()) {
        names.add("@" + attribute.group(1));
      }
    }
    assertThat(opened).isEqualTo(markup.split("<", -1).length - 1);
    return names;
  }

  @Test
  void strangeHistoriesComeBackFromThePage() throws IOException, ParseException {
    for (String text : HOSTILE) {
      CheckResult result = checked(strange(text), "h");
      History part = Counterexample.of(result, Budget.unlimited()).orElseThrow().history();
      byte[] page = page(result).getBytes(StandardCharsets.UTF_8);
      History read = Formats.read(Input.of("x.html", page));
      assertThat(read.origin().format()).isEqualTo("html-report");
      assertThat(read.transactionCount()).isEqualTo(part.transactionCount());
      for (int op = 0; op < part.operationCount(); op++) {
        assertThat(read.operation(op)).isEqualTo(part.operation(op));
      }
      assertThat(read.metadata()).isEqualTo(part.metadata());
    }
  }

  @Test
  void thePolicyAdmitsTheScriptAndNothingElse() throws Exception {
    String page = page(Sample.writeSkew());
    String script = page.substring(page.lastIndexOf("<script>") + 8, page.lastIndexOf("</script>"));
    byte[] digest =
        MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
    String hash = "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    assertThat(page)
        .contains("default-src 'none'")
        .contains("script-src " + hash)
        .doesNotContain("unsafe-inline", "unsafe-eval", " style=\"", "src=\"http", "href=\"http");
  }

  @Test
  void thePageLoadsNothing() throws IOException {
    String page = page(Sample.writeSkew()).replace("http://www.w3.org/2000/svg", "");
    assertThat(page).doesNotContain("http:", "https:", "url(", "@import", "fetch(", "eval(");
  }

  @Test
  void thePageOfALargeHistoryShowsTheWitnessAndIsSmall() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    for (int i = 0; i < 50_000; i++) {
      int txn = b.begin(b.session(i % 20), Outcome.COMMITTED);
      b.start(txn, 10L * i);
      b.end(txn, 10L * i + 5);
      b.read("k" + i % 97, i < 97 ? null : i - 97);
      b.write("k" + i % 97, i);
    }
    int one = b.begin(b.session("skew 1"), Outcome.COMMITTED);
    b.start(one, 3);
    b.end(one, 20);
    b.read("x", null);
    b.write("y", 1);
    int two = b.begin(b.session("skew 2"), Outcome.COMMITTED);
    b.start(two, 4);
    b.end(two, 21);
    b.read("y", null);
    b.write("x", 1);
    CheckResult result = checked(b, "large");
    String page = page(result);
    assertThat(result.violated()).isTrue();
    assertThat(page.length()).isLessThan(300_000);
    assertThat(page).contains("G2-item", "session skew 1", "session skew 2");
    assertThat(page).contains("2 transactions, 4 operations");
  }

  @Test
  void aPageOfManyAnomaliesStaysBelowItsLimit() throws IOException {
    HistoryBuilder b = new HistoryBuilder();
    for (int i = 0; i < 400; i++) {
      b.begin(b.session(i % 9), Outcome.of((byte) (i % 7 == 0 ? 1 : 0)));
      for (int k = 0; k < 12; k++) {
        int key = (i * 7 + k * 5) % 11;
        if ((i + k) % 3 == 0) {
          b.write("a key with quite a long name " + key, 1000L * i + k);
        } else {
          int other = (i * 31 + k * 17) % 400;
          b.read("a key with quite a long name " + key, 1000L * other + (k * 3) % 12);
        }
      }
    }
    CheckResult result = checked(b, "many");
    assertThat(result.report().anomalies()).hasSizeGreaterThan(3);
    for (int results : new int[] {1, 3, 30}) {
      StringBuilder out = new StringBuilder();
      HtmlRenderer renderer = new HtmlRenderer("1.0", out);
      for (int i = 0; i < results; i++) {
        renderer.add(result);
      }
      renderer.finish();
      byte[] page = out.toString().getBytes(StandardCharsets.UTF_8);
      assertThat(page).as(results + " results").hasSizeLessThan(600_000);
    }
  }

  @Test
  void faultsAreMarksInTheTimeline() {
    HistoryBuilder b = new HistoryBuilder();
    begin(b, "s", "T1", Outcome.COMMITTED, 100);
    begin(b, "s", "T2", Outcome.INDETERMINATE, 200);
    b.metadata("fault.1", "kill at 150 ns");
    b.metadata("fault.2", "pause at 900 ns");
    Timeline timeline = new Timeline(b.build(), List.of(0, 1), 0);
    assertThat(timeline.draw("times").toString()).contains("⚡ kill").doesNotContain("pause");
    assertThat(timeline.caption()).contains("1 fault happened at other times");
  }

  @Test
  void everyLevelHasAPlaceAndArrowsLeadDown() {
    LatticeSvg lattice = new LatticeSvg(java.util.Map.of(), List.of());
    for (Level level : Level.surveyed()) {
      assertThat(lattice.place(level)).as(level.id()).isNotNull();
      Set<Level> drawn = EnumSet.copyOf(Level.surveyed());
      drawn.retainAll(level.directlyImplies());
      for (Level below : drawn) {
        assertThat(lattice.place(below).y())
            .as(level + " to " + below)
            .isGreaterThan(lattice.place(level).y());
      }
    }
  }

  @Test
  void noArrowOfTheLatticeLeadsThroughABox() {
    LatticeLayout layout = new LatticeLayout(Level.surveyed());
    List<Box> boxes = List.copyOf(layout.boxes(0).values());
    for (int i = 0; i < boxes.size(); i++) {
      for (int j = 0; j < i; j++) {
        assertThat(boxes.get(i).overlaps(boxes.get(j))).isFalse();
      }
    }
    for (Level level : Level.surveyed()) {
      layout
          .arrows(level, 0)
          .forEach(
              (below, passed) -> {
                List<Box> passages = passed.subList(1, passed.size() - 1);
                for (Box passage : passages) {
                  assertThat(boxes).as(level + " to " + below).noneMatch(passage::overlaps);
                }
              });
    }
  }
}
