package dev.assay.cli.check;

import dev.assay.check.Budget;
import dev.assay.cli.process.OutputFile;
import dev.assay.cli.process.ShellWord;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.process.Version;
import dev.assay.collect.config.UsageException;
import dev.assay.proof.ProofWriter;
import dev.assay.proof.Proofs;
import dev.assay.render.CheckResult;
import dev.assay.render.Counterexample;
import dev.assay.render.DotRenderer;
import dev.assay.render.PictureRenderer;
import dev.assay.render.TikzRenderer;
import dev.assay.render.html.HtmlRenderer;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The files beside the verdict, each with all results: {@code --report}, {@code --dot} and so on.
 */
public final class Pictures {
  private final List<Picture> drawings = new ArrayList<>();
  private final Picture page;
  private final HtmlRenderer renderer;
  private String proofFile;
  private String proof;

  /** What is being drawn, and the file it goes to. */
  private record Picture(String file, StringBuilder content, PictureRenderer renderer) {}

  public Pictures(JudgingOptions options) throws IOException {
    this(options.report, options.dot, options.tikz);
  }

  /** What a page calls its history: the web interface keeps uploads under names of its own. */
  private static final String SHOWN_NAME = "assay.shown-name";

  /** The files to write; null for none. */
  public Pictures(String report, String dot, String tikz) throws IOException {
    for (String file : new String[] {report, dot, tikz}) {
      if (file != null) {
        OutputFile.requireWritable(file);
      }
    }
    if (dot != null) {
      StringBuilder content = new StringBuilder();
      drawings.add(new Picture(dot, content, new DotRenderer(content)));
    }
    if (tikz != null) {
      StringBuilder content = new StringBuilder();
      drawings.add(new Picture(tikz, content, new TikzRenderer(content)));
    }
    StringBuilder content = new StringBuilder();
    renderer = report == null ? null : new HtmlRenderer(Version.text(), content);
    page = report == null ? null : new Picture(report, content, renderer);
  }

  /** Also writes what proves the verdicts about the one history that is checked. */
  Pictures proving(String file) throws IOException {
    OutputFile.requireWritable(file);
    proofFile = file;
    return this;
  }

  /**
   * Adds a result.
   *
   * @param command what to type to get it again
   * @param budget what is left for finding the smallest part that shows it
   */
  public void add(CheckResult result, String command, Budget budget) throws IOException {
    for (Picture picture : drawings) {
      picture.renderer.add(result);
    }
    if (proofFile != null) {
      if (result.live() != null) {
        throw new UsageException("--proof is for histories that are checked as a whole");
      }
      proof = ProofWriter.text(Proofs.of(result.report(), result.given(), budget));
    }
    if (page != null) {
      Counterexample.Kept kept =
          Counterexample.of(result, budget).orElse(new Counterexample.Kept(null, Given.NOTHING));
      String name = page.file.equals("-") ? null : ShellWord.of(page.file);
      renderer.add(
          result,
          new HtmlRenderer.Extras(
              kept.history(), kept.given(), command, name, System.getProperty(SHOWN_NAME)));
    }
  }

  /** Writes all files. */
  public void finish(Terminal terminal) throws IOException {
    List<Picture> all = new ArrayList<>(drawings);
    if (page != null) {
      all.add(page);
    }
    for (Picture picture : all) {
      picture.renderer.finish();
      byte[] bytes = picture.content.toString().getBytes(StandardCharsets.UTF_8);
      OutputFile.write(picture.file, terminal, out -> out.write(bytes));
    }
    if (proof != null) {
      byte[] bytes = proof.getBytes(StandardCharsets.UTF_8);
      OutputFile.write(proofFile, terminal, out -> out.write(bytes));
    }
  }
}
