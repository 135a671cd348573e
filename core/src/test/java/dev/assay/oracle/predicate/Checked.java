package dev.assay.oracle.predicate;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What the checkers say of a history written out in a test. */
record Checked(Report report) {
  private static Input input(String name, String text) {
    return Input.of(name, text.getBytes(StandardCharsets.UTF_8));
  }

  static Checked alone(String history) {
    return with(history, "");
  }

  static Checked with(String history, String certificate) {
    try {
      History read = Formats.read(input("h.jsonl", history));
      VersionCertificate given =
          certificate.isEmpty()
              ? VersionCertificate.NONE
              : VersionCertificates.read(input("c.jsonl", certificate), read);
      return new Checked(
          Assay.check(
              read, Level.surveyed(), new Given(Assumption.DEFAULT, given), Budget.unlimited()));
    } catch (ParseException e) {
      throw new IllegalArgumentException(e);
    }
  }

  String verdict(Level level) {
    return report.verdict(level).id();
  }

  List<AnomalyType> anomalies() {
    return report.anomalies().stream().map(Anomaly::type).toList();
  }
}
