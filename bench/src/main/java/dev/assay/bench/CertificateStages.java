package dev.assay.bench;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Input;
import dev.assay.format.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.Assumption;
import dev.assay.infer.Given;
import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * Checks a history with a certificate once, in a process that has done nothing before, and prints
 * the milliseconds of reading the one, reading the other, and checking.
 */
final class CertificateStages {
  private CertificateStages() {}

  public static void main(String[] args) throws Exception {
    long start = System.nanoTime();
    History history = Assay.read(Path.of(args[0]));
    long read = System.nanoTime();
    VersionCertificate certificate = VersionCertificates.read(Input.of(Path.of(args[1])), history);
    long certified = System.nanoTime();
    Given given = new Given(Assumption.DEFAULT, certificate);
    Budget budget = Budget.of(Duration.ofMinutes(10));
    Report report = Assay.check(history, Set.of(Level.SERIALIZABLE), given, budget);
    long checked = System.nanoTime();
    if (report.violated(Level.SERIALIZABLE)) {
      throw new IllegalStateException(args[0] + " is serializable");
    }
    System.out.printf(
        "%d %d %d%n",
        (read - start) / 1_000_000,
        (certified - read) / 1_000_000,
        (checked - certified) / 1_000_000);
  }
}
