package dev.assay.cli.check;

import dev.assay.check.Budget;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.process.Failures;
import dev.assay.cli.process.Progress;
import dev.assay.cli.process.Samples;
import dev.assay.cli.process.ShellWord;
import dev.assay.cli.process.Terminal;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.judge.CheckRequest;
import dev.assay.collect.judge.CheckService;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.Plain;
import dev.assay.render.Situation;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;

/** Checks inputs one after another, shows how far it is, and prints what was found. */
public final class Checks {
  private final CheckRequest request;
  private final CommonOptions common;
  private final Terminal terminal;
  private final CheckOutput output;

  /** Bytes for a history that is checked block by block; 0 to check it as a whole if it fits. */
  private long memory;

  public Checks(CheckRequest request, CommonOptions common, Terminal terminal, CheckOutput output) {
    this.request = request;
    this.common = common;
    this.terminal = terminal;
    this.output = output;
  }

  /** Checks block by block from now on, with this many bytes for each history; 0 for no limit. */
  void within(long bytes) {
    memory = bytes;
  }

  /**
   * Checks an input and prints the result.
   *
   * @param again the command that gives the same verdict again
   * @return the result, or null if there is none; the output says why
   */
  CheckResult check(Input input, String again) throws IOException {
    boolean standardInput = input.name().equals("-");
    Situation situation =
        standardInput
            ? Situation.NONE
            : Situation.checked(again, "assay shrink --sql " + ShellWord.of(input.name()));
    return check(input.name(), again, budget -> checked(input, budget), result -> situation);
  }

  /** Finds a result. */
  public interface Judge {
    CheckResult judge(Budget budget) throws ParseException;
  }

  /**
   * The same for a result that is found in another way.
   *
   * @param situation what texts say around a result
   */
  public CheckResult check(
      String name, String again, Judge judge, Function<CheckResult, Situation> situation)
      throws IOException {
    try {
      Budget budget = request.budget();
      CheckResult result = judge.judge(budget);
      output.add(result, situation.apply(result), again, budget);
      return result;
    } catch (ParseException e) {
      output.add(e);
    } catch (UsageException e) {
      throw e;
    } catch (RuntimeException | Error e) {
      if (Failures.isEnding()) {
        throw e;
      }
      // The other files may be fine, and the user wants to know.
      output.add(name, e, common.verbose);
    }
    return null;
  }

  public CheckResult checked(Input input, Budget budget) throws ParseException {
    try (Progress progress = Progress.of(input, terminal, common.quiet)) {
      CheckService service = new CheckService(request, listener(progress));
      return memory == 0
          ? service.check(input, budget, output.measuresHeap())
          : service.checkLarge(input, memory, budget, output.measuresHeap());
    }
  }

  /** Feeds the progress bar and the samples of this process. */
  CheckService.Listener listener(Progress progress) {
    return new CheckService.Listener() {
      @Override
      public void stage(String name) {
        Samples.stage(name);
      }

      @Override
      public void progress(String doing, double share) {
        if (progress != null) {
          progress.share(doing, share);
        }
      }

      @Override
      public void read(History history, List<Level> judged) {
        if (progress != null) {
          progress.stage("checking");
        }
        if (common.verbose) {
          terminal.err().println("assay: " + described(history, judged));
        }
      }
    };
  }

  private String described(History history, List<Level> judged) {
    return history.origin().name()
        + ": read as "
        + history.origin().format()
        + ", deciding "
        + Plain.count(request.levels().size(), "level")
        + ", judging "
        + Plain.listed(judged);
  }
}
