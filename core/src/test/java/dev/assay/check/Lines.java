package dev.assay.check;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Histories and certificates that tests write down as lines of assay-jsonl. */
public final class Lines {
  private Lines() {}

  public static History history(String lines) throws ParseException {
    return Formats.read(input("h.jsonl", lines));
  }

  public static VersionCertificate certificate(String lines, History history)
      throws ParseException {
    return VersionCertificates.read(input("c.jsonl", lines), history);
  }

  /** Every level, decided from what clients saw. */
  public static Report check(String history) throws ParseException {
    return Assay.check(history(history), Level.surveyed(), Budget.unlimited());
  }

  public static List<AnomalyType> types(Report report) {
    return report.anomalies().stream().map(Anomaly::type).toList();
  }

  private static Input input(String name, String text) {
    return Input.of(name, text.getBytes(StandardCharsets.UTF_8));
  }
}
