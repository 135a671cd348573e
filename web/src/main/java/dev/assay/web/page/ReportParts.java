package dev.assay.web.page;

import dev.assay.collect.runs.RunFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The parts of the report of a run, to be shown on the page of the run. The report is a file that a
 * process of Assay wrote. Scripts in it would not run here: the policy of the server allows only
 * its own files.
 *
 * @param verdict the verdict, the anomalies and the levels
 * @param history what is known of the history
 * @param help the list of shortcuts, and the place for messages
 */
record ReportParts(String verdict, String history, String help) {
  private static final long LARGEST = 8L << 20;

  /** The parts of the report of a run; null where there is none, or none of the usual form. */
  static ReportParts of(RunFolder run) {
    Path file = run.file(RunFolder.REPORT);
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > LARGEST) {
        return null;
      }
      String page = Files.readString(file, StandardCharsets.UTF_8);
      String facts = "<section class=\"facts\"";
      String verdict = between(page, "<article class=\"result\" id=\"r1\">", facts);
      String history = between(page, facts, "</section>");
      String help = between(page, "<dialog id=\"keys\"", "<script>");
      boolean whole = verdict != null && history != null && help != null;
      return whole
          ? new ReportParts(verdict, facts + history + "</section>", "<dialog id=\"keys\"" + help)
          : null;
    } catch (IOException e) {
      // It may be being replaced.
      return null;
    }
  }

  private static String between(String page, String begin, String end) {
    int from = page.indexOf(begin);
    int to = from < 0 ? -1 : page.indexOf(end, from + begin.length());
    return to < 0 ? null : page.substring(from + begin.length(), to);
  }
}
