package dev.assay.render;

import java.util.List;

/**
 * What a text says around a result that the result itself does not know: where it came from, and
 * what to type next.
 *
 * @param sentence the verdict on a run in one sentence; null for a history that was only checked
 * @param again the command that gives the same verdict again; null if there is none
 * @param shrink the command that finds the smallest part; null if there is none
 * @param files names and paths of what was written, as {@code report}
 * @param remarks what else there is to say about a run, a line each
 * @param effort how much ran, and for how long; null for the size of the history
 */
public record Situation(
    String sentence,
    String again,
    String shrink,
    List<File> files,
    List<String> remarks,
    String effort) {
  /** Nothing but the result. */
  public static final Situation NONE = new Situation(null, null, null, List.of(), List.of(), null);

  /** A file that was written, and what it is. */
  public record File(String what, String path) {}

  public Situation {
    files = List.copyOf(files);
    remarks = List.copyOf(remarks);
  }

  /** A history that is checked by a command line. */
  public static Situation checked(String again, String shrink) {
    return new Situation(null, again, shrink, List.of(), List.of(), null);
  }
}
