package dev.assay.collect.runs;

import dev.assay.collect.certificate.CertificateSource;
import dev.assay.collect.certificate.CertificateWriter;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.render.Plain;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A version certificate beside the history it belongs to.
 *
 * @param file where it is; {@code --version-order} takes it
 * @param transactions how many the database's log shows as committed
 * @param recovery how long it took to read the log and to write the certificate
 */
public record SavedCertificate(Path file, int transactions, Duration recovery) {
  /** Where the certificate of a history is. */
  public static Path placeBeside(Path historyFile) {
    return historyFile.resolveSibling(historyFile.getFileName() + RunFolder.CERTIFICATE_ENDING);
  }

  /** Writes what a source read next to the history. */
  static SavedCertificate beside(Path historyFile, CertificateSource source, Duration reading)
      throws IOException, ParseException {
    long start = System.nanoTime();
    History history = Formats.read(Input.of(historyFile));
    Path file = placeBeside(historyFile);
    new CertificateWriter(history, source.log())
        .write(file, source.tracing().seen(), source.snapshots());
    return new SavedCertificate(
        file,
        source.log().transactions().size(),
        reading.plus(Duration.ofNanos(System.nanoTime() - start)));
  }

  /** The file, and what is in it. */
  public String describe() {
    return file
        + " ("
        + Plain.count(transactions, "transaction")
        + " of the log, recovered in "
        + Plain.duration(recovery.toMillis())
        + ")";
  }
}
