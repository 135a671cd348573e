package dev.assay.render;

import static dev.assay.level.Level.SERIALIZABLE;
import static dev.assay.level.Level.SNAPSHOT_ISOLATION;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.strong.OpenConstraints;
import dev.assay.format.ParseException;
import dev.assay.infer.Stats;
import dev.assay.resolve.Given;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class RendererGoldenTest {
  private static final ParseException UNREADABLE =
      ParseException.atLine(
          "bad.txt", 3, 7, "found 'x'", "a number", "write r(key,value,session,txn)");

  private static final Situation SITUATION =
      Situation.checked("assay check run.edn", "assay shrink --sql run.edn");

  private static String text(CheckResult result, boolean color) throws IOException {
    StringBuilder out = new StringBuilder();
    new TextRenderer(TextRenderer.Options.brief(color, true), out).render(result, SITUATION);
    return out.toString();
  }

  private static String all(CheckResult result) throws IOException {
    StringBuilder out = new StringBuilder();
    new TextRenderer(TextRenderer.Options.full(false, 1, true, false), out).render(result);
    return out.toString();
  }

  @Test
  void violationsAsText() throws IOException {
    Golden.check("violated.txt", text(Sample.writeSkew(), false));
    Golden.check("commit-order.txt", text(Sample.commitOrder(), false));
  }

  @Test
  void everyAnomalyAsText() throws IOException {
    Golden.check("violated-all.txt", all(Sample.writeSkew()));
    Golden.check("commit-order-all.txt", all(Sample.commitOrder()));
  }

  @Test
  void aRunAsText() throws IOException {
    CheckResult result = Sample.writeSkew();
    String sentence =
        LevelText.promised("H2 2.5.252 (2026-09-23)", "serializable", SERIALIZABLE, result);
    Situation run =
        new Situation(
            sentence,
            "assay check run.edn",
            "assay shrink --sql run.edn",
            List.of(new Situation.File("report", "report.html")),
            List.of("413 refused by the database: 413 × 40001"),
            "1,823 committed, 413 aborted in 5.0 s");
    StringBuilder out = new StringBuilder();
    new TextRenderer(TextRenderer.Options.brief(false, true), out).render(result, run);
    Golden.check("run.txt", out.toString());
  }

  @Test
  void violationsAsTextInColour() throws IOException {
    Golden.check("violated-color.txt", text(Sample.writeSkew(), true));
  }

  @Test
  void aPromiseIsKeptBrokenOrOpen() {
    CheckResult broken = Sample.writeSkew();
    assertThat(LevelText.promised("H2 2.5.252 (2026)", "serializable", SERIALIZABLE, broken))
        .isEqualTo("H2 2.5.252 promised serializable and gave cut isolation.");
    assertThat(LevelText.promised("H2 2.5.252", "SERIALIZABLE+", SERIALIZABLE, broken))
        .startsWith("H2 2.5.252 at SERIALIZABLE+ promised serializable and gave ");
    assertThat(LevelText.promised("X 1", "snapshot", SNAPSHOT_ISOLATION, broken))
        .isEqualTo("X 1 at snapshot violates serializable.");
  }

  @Test
  void successAsText() throws IOException {
    Golden.check("ok.txt", text(Sample.ok(), false));
  }

  @Test
  void doubtAsText() throws IOException {
    Golden.check("unknown.txt", text(Sample.unknown(), false));
  }

  @Test
  void everyUnknownLevelIsShownWithItsOwnReason() throws IOException {
    Golden.check("unknown-reasons.txt", text(Sample.unknownForSeveralReasons(), false));
  }

  @Test
  void anUnreadableInputAsText() throws IOException {
    StringBuilder out = new StringBuilder();
    new TextRenderer(TextRenderer.Options.brief(false, true), out).render(UNREADABLE);
    Golden.check("unreadable.txt", out.toString());
  }

  @Test
  void textFitsInEightyColumns() throws IOException {
    for (CheckResult result :
        List.of(Sample.writeSkew(), Sample.commitOrder(), Sample.ok(), Sample.unknown())) {
      assertThat(text(result, false).lines())
          .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }
  }

  @Test
  void everythingAsJson() throws IOException {
    StringBuilder out = new StringBuilder();
    JsonRenderer json = new JsonRenderer("1.0", out);
    json.render(Sample.writeSkew());
    json.render(Sample.commitOrder());
    json.render(Sample.ok());
    json.render(UNREADABLE);
    CheckResult ok = Sample.ok();
    List<OpenConstraints.Count> open =
        OpenConstraints.count(
            ok.history(), Given.NOTHING, OpenConstraints.levels(ok.history()), Budget.unlimited());
    json.render("bank.txt", ok.history(), Stats.of(ok.history()), open, 7);
    Golden.check("report.jsonl", out.toString());
    assertThat(out.toString().lines()).hasSize(5);
  }

  @Test
  void everythingAsJUnitXml() throws Exception {
    JUnitRenderer junit = new JUnitRenderer();
    junit.add(Sample.writeSkew());
    junit.add(Sample.ok());
    junit.add(Sample.unknown());
    junit.add(UNREADABLE);
    StringBuilder out = new StringBuilder();
    junit.finish(out);
    Golden.check("junit.xml", out.toString());
    Document document =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(new ByteArrayInputStream(out.toString().getBytes(StandardCharsets.UTF_8)));
    assertThat(document.getElementsByTagName("testsuite").getLength()).isEqualTo(4);
    assertThat(document.getElementsByTagName("failure").getLength()).isEqualTo(1);
    assertThat(document.getElementsByTagName("error").getLength()).isEqualTo(2);
  }

  @Test
  void witnessesAsGraphviz() throws IOException {
    StringBuilder out = new StringBuilder();
    DotRenderer dot = new DotRenderer(out);
    dot.add(Sample.writeSkew());
    dot.add(Sample.commitOrder());
    dot.finish();
    Golden.check("witnesses.dot", out.toString());
  }

  @Test
  void witnessesAsTikz() throws IOException {
    StringBuilder out = new StringBuilder();
    TikzRenderer tikz = new TikzRenderer(out);
    tikz.add(Sample.writeSkew());
    tikz.add(Sample.commitOrder());
    tikz.finish();
    Golden.check("witnesses.tex", out.toString());
  }
}
