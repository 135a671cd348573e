package dev.assay.history;

import java.util.List;

/**
 * Orders that were recovered from the database and are given along with a history: per key the
 * order of its versions, all or some, and an expected serialization order. Versions are the
 * operations that wrote them.
 */
public final class VersionCertificate {
  /** No certificate. */
  public static final VersionCertificate NONE = new VersionCertificate(List.of(), new int[0]);

  /** Stands for the initial version in a chain. */
  public static final int INITIAL = -1;

  private final List<Chain> chains;
  private final int[] order;

  /**
   * Versions of a key, each before the next.
   *
   * @param key the key
   * @param writes the operations that wrote the versions, {@link #INITIAL} among them
   * @param complete whether the certificate says that there are no others
   */
  public record Chain(int key, List<Integer> writes, boolean complete) {
    public Chain {
      writes = List.copyOf(writes);
    }
  }

  public VersionCertificate(List<Chain> chains, int[] order) {
    this.chains = List.copyOf(chains);
    this.order = order.clone();
  }

  public boolean isEmpty() {
    return chains.isEmpty() && order.length == 0;
  }

  public List<Chain> chains() {
    return chains;
  }

  /** Transactions in the expected serialization order; those it does not name are left out. */
  public int[] order() {
    return order.clone();
  }
}
