package dev.assay.cli.check;

import dev.assay.cli.option.Options;
import dev.assay.cli.option.ParameterOptions;
import dev.assay.cli.process.ShellWord;
import dev.assay.cli.process.Threads;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.render.TextRenderer;
import java.util.ArrayList;
import java.util.List;

/** What to decide of a history and how to report it: the same for all commands that check. */
public final class JudgingOptions {
  public final ParameterOptions parameters =
      new ParameterOptions(Use.RUN, Parameters.of(Group.CHECK));

  public String output = "text";
  boolean all;
  String report;
  String dot;
  String tikz;

  public void declare(Options options) {
    options.add(parameters);
    options.text(
        "-o --output",
        "KIND",
        "Output format: text, json or junit (default: text).",
        given -> output = given);
    options.flag(
        "--all",
        "In text, show every anomaly with its argument, not one finding per cause.",
        given -> all = given);
    options.text(
        "--report",
        "X.html",
        "Also write an HTML report that explains the verdict; assay check can read it.",
        given -> report = given);
    options.text("--dot", "X.dot", "Also draw witnesses (Graphviz).", given -> dot = given);
    options.text("--tikz", "X.tex", "Also draw witnesses (TikZ).", given -> tikz = given);
  }

  /** What to decide; names are looked up, so that mistakes show before any work is done. */
  public CheckRequest request() {
    RunConfig config = parameters.config();
    CheckRequest request = CheckRequest.of(config);
    Threads.limit(config.get(Parameters.THREADS));
    CheckOutput.validate(output);
    return request;
  }

  /**
   * How texts look. Who asks for more instances or for inferred steps wants to see the arguments.
   *
   * @param expand whether to show everything that inferred steps rest on
   */
  TextRenderer.Options look(boolean color, boolean notes, boolean expand) {
    Integer witnesses = parameters.config().get(Parameters.MAX_WITNESSES);
    return all || expand || witnesses != null
        ? TextRenderer.Options.full(color, witnesses == null ? 1 : witnesses, notes, expand)
        : TextRenderer.Options.brief(color, notes);
  }

  /**
   * The command that gives the same verdict again.
   *
   * @param reading how the history is read, as options
   * @param certificate the file of {@code --version-order}, or null
   */
  public String again(String file, List<String> reading, String certificate) {
    RunConfig config = parameters.config();
    List<String> words = new ArrayList<>(List.of("assay", "check"));
    for (Parameter<?> parameter :
        List.of(Parameters.LEVEL, Parameters.EXPECT, Parameters.FORBID, Parameters.INFER)) {
      boolean all = parameter == Parameters.LEVEL && Names.isSurvey(config.text(parameter));
      if (config.has(parameter) && !all) {
        words.add("--" + parameter);
        words.add(ShellWord.of(config.given(parameter)));
      }
    }
    words.addAll(reading);
    if (certificate != null) {
      words.add("--version-order");
      words.add(ShellWord.of(certificate));
    }
    words.add(ShellWord.of(file));
    return String.join(" ", words);
  }
}
