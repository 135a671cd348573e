package dev.assay.cli.process;

import dev.assay.render.Plain;
import java.util.List;

/** The note on files of folders that are not histories. */
public final class Skipped {
  private static final int NAMED = 3;

  private Skipped() {}

  public static void report(List<String> skipped, Terminal terminal, boolean quiet) {
    if (quiet || skipped.isEmpty()) {
      return;
    }
    List<String> named = skipped.subList(0, Math.min(NAMED, skipped.size()));
    String more = skipped.size() > NAMED ? ", ..." : "";
    terminal
        .err()
        .println(
            "note: skipped "
                + Plain.count(skipped.size(), "file")
                + " not in a format that Assay reads:  "
                + String.join(", ", named)
                + more);
  }
}
