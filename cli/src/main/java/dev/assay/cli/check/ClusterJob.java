package dev.assay.cli.check;

import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.process.StatusLine;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.ParseException;
import dev.assay.render.CheckResult;
import dev.assay.render.Situation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** A {@code check} whose histories are checked on a cluster. */
final class ClusterJob implements Cluster.Job {
  private final CheckRequest request;
  private final List<String> options;
  private final CheckOutput output;
  private final CommonOptions common;
  private final Terminal terminal;
  private StatusLine status;
  private volatile String doing = "";

  ClusterJob(
      CheckRequest request,
      ParseResult parsed,
      CheckOutput output,
      CommonOptions common,
      Terminal terminal) {
    this.request = request;
    this.options = options(parsed);
    this.output = output;
    this.common = common;
    this.terminal = terminal;
  }

  /** The options as they were given, but for the address of the cluster. */
  private static List<String> options(ParseResult parsed) {
    List<String> options = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      if (option.longestName().equals("--on")) {
        continue;
      }
      if (option.arity().max() == 0) {
        options.add(option.longestName());
      } else {
        option
            .originalStringValues()
            .forEach(value -> options.add(option.longestName() + "=" + value));
      }
    }
    return options;
  }

  @Override
  public CheckRequest request() {
    return request;
  }

  @Override
  public List<String> options() {
    return options;
  }

  @Override
  public void add(RemoteCheck.Answer answer) throws IOException {
    clear();
    output.add(answer);
  }

  @Override
  public void add(CheckResult result) throws IOException {
    clear();
    output.add(result, Situation.NONE, "", request.budget());
  }

  @Override
  public void add(ParseException e) throws IOException {
    clear();
    output.add(e);
  }

  @Override
  public void add(String file, Throwable defect) throws IOException {
    clear();
    output.add(file, defect, common.verbose);
  }

  @Override
  public synchronized void progress(String now) {
    doing = now;
    if (status == null && !common.quiet) {
      status = new StatusLine(terminal, () -> doing, () -> doing, true);
    }
  }

  @Override
  public synchronized void detail(String done) {
    if (common.verbose) {
      clear();
      terminal.err().println("assay: " + done);
    }
  }

  /** Removes the line that shows how far it is. */
  synchronized void clear() {
    if (status != null) {
      status.close();
      status = null;
    }
  }
}
