package dev.assay.cli.process;

import dev.assay.render.CheckResult;

/** The exit codes; of several, the worst wins. */
public final class ExitCode {
  public static final int OK = 0;
  public static final int VIOLATED = 1;
  public static final int UNKNOWN = 2;
  public static final int BAD_INPUT = 254;
  public static final int DEFECT = 255;

  private ExitCode() {}

  public static int of(CheckResult result) {
    return result.violated() ? VIOLATED : result.unknown() ? UNKNOWN : OK;
  }

  /** The worse of two: 255, 254, 1, 2, 0. */
  public static int worse(int a, int b) {
    return badness(a) >= badness(b) ? a : b;
  }

  private static int badness(int code) {
    return switch (code) {
      case OK -> 0;
      case UNKNOWN -> 1;
      case VIOLATED -> 2;
      case BAD_INPUT -> 3;
      default -> 4;
    };
  }
}
