package dev.assay.history;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;

/**
 * Orders that were recovered from the database and are given along with a history: per key the
 * order of all or some versions; the commit order; the versions that predicate operations saw; and
 * an expected serialization order. Versions are the operations that wrote them.
 */
public final class VersionCertificate {
  /** No certificate. */
  public static final VersionCertificate NONE =
      new VersionCertificate("", List.of(), new int[0], new int[0], Map.of(), Map.of());

  /** The initial version in a chain or a version set. */
  public static final int INITIAL = -1;

  private final List<Chain> chains;
  private final boolean hasCompleteChains;
  private final int[] order;
  private final int[] commits;
  private final Map<Integer, VersionSet> ofOperation;
  private final Map<Integer, VersionSet> ofTransaction;
  private final String name;

  /** Versions of a key, each before the next. */
  public static final class Chain {
    private final int key;
    private final int[] writes;
    private final boolean complete;

    /**
     * A chain.
     *
     * @param key the key
     * @param writes the operations that wrote the versions, {@link #INITIAL} among them
     * @param complete whether there are no others, according to the certificate
     */
    public Chain(int key, List<Integer> writes, boolean complete) {
      this(key, writes.stream().mapToInt(Integer::intValue).toArray(), complete);
    }

    private Chain(int key, int[] writes, boolean complete) {
      this.key = key;
      this.writes = writes;
      this.complete = complete;
    }

    /**
     * Some versions of a key.
     *
     * @param writes the operations that wrote them; not copied
     */
    public static Chain of(int key, int... writes) {
      return new Chain(key, writes, false);
    }

    public int key() {
      return key;
    }

    public boolean complete() {
      return complete;
    }

    public int size() {
      return writes.length;
    }

    /** The operation that wrote a version, or {@link #INITIAL}. */
    public int write(int place) {
      return writes[place];
    }

    /** All of them. */
    public List<Integer> writes() {
      return IntStream.of(writes).boxed().toList();
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Chain chain
          && chain.key == key
          && chain.complete == complete
          && Arrays.equals(chain.writes, writes);
    }

    @Override
    public int hashCode() {
      return 31 * key + Arrays.hashCode(writes);
    }

    @Override
    public String toString() {
      return key + ": " + Arrays.toString(writes) + (complete ? "" : " and others");
    }
  }

  /** The version of each key that a predicate operation saw. */
  public sealed interface VersionSet {
    /**
     * Versions by key; of all others the initial ones.
     *
     * @param writes for each key the operation that wrote its version, or {@link #INITIAL}
     */
    record Listed(Map<Integer, Integer> writes) implements VersionSet {
      public Listed {
        writes = Map.copyOf(writes);
      }
    }

    /**
     * Of each key the last version that a visible transaction wrote.
     *
     * @param commits how many of the {@link VersionCertificate#commits} are visible
     * @param except those among them that are not
     * @param also those after them that are
     */
    record Snapshot(int commits, List<Integer> except, List<Integer> also) implements VersionSet {
      public Snapshot {
        except = List.copyOf(except);
        also = List.copyOf(also);
      }
    }
  }

  /** A certificate without predicates. */
  public VersionCertificate(List<Chain> chains, int[] order) {
    this(chains, order, new int[0], Map.of(), Map.of());
  }

  /**
   * A certificate.
   *
   * @param chains orders of versions
   * @param order transactions in the expected serialization order
   * @param commits transactions in the order of their commits
   * @param ofOperation version sets by predicate operation
   * @param ofTransaction version sets of all other predicate operations of a transaction
   */
  public VersionCertificate(
      List<Chain> chains,
      int[] order,
      int[] commits,
      Map<Integer, VersionSet> ofOperation,
      Map<Integer, VersionSet> ofTransaction) {
    this("", chains, order, commits, ofOperation, ofTransaction);
  }

  /** A certificate with the name of its source. */
  public VersionCertificate(
      String name,
      List<Chain> chains,
      int[] order,
      int[] commits,
      Map<Integer, VersionSet> ofOperation,
      Map<Integer, VersionSet> ofTransaction) {
    this.name = name;
    this.chains = List.copyOf(chains);
    this.hasCompleteChains = this.chains.stream().anyMatch(Chain::complete);
    this.order = order.clone();
    this.commits = commits.clone();
    this.ofOperation = new HashMap<>(ofOperation);
    this.ofTransaction = new HashMap<>(ofTransaction);
  }

  public boolean isEmpty() {
    return chains.isEmpty()
        && order.length == 0
        && commits.length == 0
        && ofOperation.isEmpty()
        && ofTransaction.isEmpty();
  }

  /** Whether this is an expected serialization order and nothing else. */
  public boolean isOnlyOrder() {
    return order.length > 0
        && commits.length == 0
        && chains.isEmpty()
        && ofOperation.isEmpty()
        && ofTransaction.isEmpty();
  }

  /** Where it comes from, as the name of a file; empty if unknown. */
  public String name() {
    return name;
  }

  public List<Chain> chains() {
    return chains;
  }

  /** Whether it gives all versions of some key. */
  public boolean hasCompleteChains() {
    return hasCompleteChains;
  }

  /** Transactions in the expected serialization order; those it does not name are left out. */
  public int[] order() {
    return order.clone();
  }

  /** Transactions in the order they committed; this need not be a serialization order. */
  public int[] commits() {
    return commits.clone();
  }

  /** Whether it gives the versions that any operation saw. */
  public boolean hasVersionSets() {
    return !ofOperation.isEmpty() || !ofTransaction.isEmpty();
  }

  /** Whether there are version sets of whole transactions. */
  public boolean hasSnapshots() {
    return !ofTransaction.isEmpty();
  }

  /** Whether there is a version set of a whole transaction. */
  public boolean hasSnapshot(int txn) {
    return ofTransaction.containsKey(txn);
  }

  /** Version sets by predicate operation. */
  public Map<Integer, VersionSet> ofOperation() {
    return Collections.unmodifiableMap(ofOperation);
  }

  /** Version sets of all other predicate operations of a transaction. */
  public Map<Integer, VersionSet> ofTransaction() {
    return Collections.unmodifiableMap(ofTransaction);
  }

  /** Visits all version sets with their transactions. */
  public void forEachVersionSet(History history, BiConsumer<Integer, VersionSet> taker) {
    ofOperation.forEach((op, set) -> taker.accept(history.transactionOf(op), set));
    ofTransaction.forEach(taker);
  }

  /** The versions that an operation of a transaction saw, or null if they are not given. */
  public VersionSet versionSet(int txn, int op) {
    VersionSet own = ofOperation.get(op);
    return own != null ? own : ofTransaction.get(txn);
  }
}
