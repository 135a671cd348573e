package dev.assay.collect.workload;

/**
 * What clients ask: the parameters of a workload. Made with {@link #builder}, whose fields hold the
 * defaults.
 *
 * @param sessions clients that run at the same time
 * @param transactionsPerSession transactions each client runs, whatever their outcome
 * @param minOperations fewest accesses of a transaction
 * @param maxOperations most accesses of a transaction; lengths between are equally likely. An
 *     access that writes is recorded as two operations under {@link
 *     WorkloadKind#READ_MODIFY_WRITE}, and as one otherwise
 * @param keys number of keys in use at a time
 * @param readRatio share of the accesses that only read
 * @param distribution how accesses spread over the keys
 * @param kind what an access does
 * @param writesPerKey writes after which a key is retired and a fresh one takes its place, so that
 *     lists stay short in long histories; {@link #UNLIMITED} for keys that stay
 * @param abortRate share of the transactions whose client asks to abort
 * @param indeterminateRate share of the transactions whose client never learns the outcome; half of
 *     them take effect
 * @param times whether start and end times are recorded
 * @param seed seed of the generated workload: the same spec gives the same history
 */
public record WorkloadSpec(
    int sessions,
    int transactionsPerSession,
    int minOperations,
    int maxOperations,
    int keys,
    double readRatio,
    Distribution distribution,
    WorkloadKind kind,
    int writesPerKey,
    double abortRate,
    double indeterminateRate,
    boolean times,
    long seed) {

  /** No limit on the writes to a key. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  private static final int APPENDS_PER_LIST = 100;

  public WorkloadSpec {
    atLeastOne("sessions", sessions);
    atLeastOne("transactions per session", transactionsPerSession);
    atLeastOne("operations per transaction", minOperations);
    atLeastOne("keys", keys);
    atLeastOne("writes per key", writesPerKey);
    if (maxOperations < minOperations) {
      throw new IllegalArgumentException(
          "the maximum number of operations per transaction, %d, is below the minimum, %d"
              .formatted(maxOperations, minOperations));
    }
    ratio("the read ratio", readRatio);
    ratio("the abort rate", abortRate);
    ratio("the indeterminate rate", indeterminateRate);
    ratio("the abort rate and the indeterminate rate together", abortRate + indeterminateRate);
  }

  private static void atLeastOne(String what, int number) {
    if (number < 1) {
      throw new IllegalArgumentException(
          "the number of %s must be at least 1, not %d".formatted(what, number));
    }
  }

  private static void ratio(String what, double share) {
    // Written so that NaN is refused too.
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "%s must be between 0 and 1, not %s".formatted(what, share));
    }
  }

  public static Builder builder() {
    return new Builder();
  }

  public boolean usesLists() {
    return kind == WorkloadKind.LIST_APPEND;
  }

  /** Whether keys are retired after a number of writes. */
  public boolean keysRotate() {
    return writesPerKey != UNLIMITED;
  }

  /** Transactions of all sessions together. */
  public long totalTransactions() {
    return (long) sessions * transactionsPerSession;
  }

  /** About how many accesses write, over the whole run. */
  public long expectedWrites() {
    double length = (minOperations + (double) maxOperations) / 2;
    return (long) (totalTransactions() * length * (1 - readRatio)) + 1;
  }

  /** Whether nothing the clients do keeps a write from taking effect. */
  public boolean everyTransactionCommits() {
    return abortRate == 0 && indeterminateRate == 0;
  }

  /** How many accesses a transaction makes, as one number or as a range. */
  String lengths() {
    return minOperations == maxOperations
        ? "" + minOperations
        : minOperations + "-" + maxOperations;
  }

  /** The parameters on one line, for the metadata of a history. */
  public String describe() {
    String rotation = keysRotate() ? " at a time, " + writesPerKey + " writes each" : "";
    return "%s, %d sessions x %d transactions x %s operations, %d keys (%s)%s, %s reads"
        .formatted(
            kind.id(),
            sessions,
            transactionsPerSession,
            lengths(),
            keys,
            distribution.id(),
            rotation,
            readRatio);
  }

  /** Collects the parameters; what is not set has the default. */
  public static final class Builder {
    private int sessions = 10;
    private int transactionsPerSession = 100;
    private int minOperations = 1;
    private int maxOperations = 5;
    private int keys = 100;
    private double readRatio = 0.5;
    private Distribution distribution = Distribution.UNIFORM;
    private WorkloadKind kind = WorkloadKind.REGISTER;
    private Integer writesPerKey;
    private double abortRate;
    private double indeterminateRate;
    private boolean times = true;
    private long seed;

    private Builder() {}

    public Builder sessions(int number) {
      sessions = number;
      return this;
    }

    public Builder transactionsPerSession(int number) {
      transactionsPerSession = number;
      return this;
    }

    /** Every transaction has this many accesses. */
    public Builder operations(int number) {
      return operations(number, number);
    }

    public Builder operations(int fewest, int most) {
      minOperations = fewest;
      maxOperations = most;
      return this;
    }

    public Builder keys(int number) {
      keys = number;
      return this;
    }

    public Builder readRatio(double share) {
      readRatio = share;
      return this;
    }

    public Builder distribution(Distribution newDistribution) {
      distribution = newDistribution;
      return this;
    }

    public Builder kind(WorkloadKind newKind) {
      kind = newKind;
      return this;
    }

    /** By default 100 for lists, and {@link #UNLIMITED} for registers. */
    public Builder writesPerKey(int number) {
      writesPerKey = number;
      return this;
    }

    public Builder abortRate(double share) {
      abortRate = share;
      return this;
    }

    public Builder indeterminateRate(double share) {
      indeterminateRate = share;
      return this;
    }

    public Builder times(boolean recorded) {
      times = recorded;
      return this;
    }

    public Builder seed(long newSeed) {
      seed = newSeed;
      return this;
    }

    public WorkloadSpec build() {
      int ofItsKind = kind == WorkloadKind.LIST_APPEND ? APPENDS_PER_LIST : UNLIMITED;
      return new WorkloadSpec(
          sessions,
          transactionsPerSession,
          minOperations,
          maxOperations,
          keys,
          readRatio,
          distribution,
          kind,
          writesPerKey == null ? ofItsKind : writesPerKey,
          abortRate,
          indeterminateRate,
          times,
          seed);
    }
  }
}
