package dev.assay.collect.certificate;

/** Finds the transactions of a {@link CommitLog} that are in a snapshot. */
@FunctionalInterface
public interface Snapshots {
  /**
   * Reads a snapshot.
   *
   * @param text as a session got it from the database
   * @param own the place of the session's own transaction in the log, or -1; it is never in its
   *     snapshot, since what it sees of itself changes
   * @throws CertificateException if the text is not what the database's manual says
   */
  Visible read(String text, int own) throws CertificateException;

  /**
   * Whether the log is a serial order of the transactions in it, and each other one that committed
   * can be placed in it after what {@link #read} gives.
   */
  default boolean areOfSerialOrder() {
    return false;
  }

  /**
   * The transactions in a snapshot, as places in the log.
   *
   * @param upTo how many of the first transactions are in it
   * @param except those among the first that are not, in order
   */
  record Visible(int upTo, int[] except) {}
}
