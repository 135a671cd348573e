package dev.assay.collect.workload;

import dev.assay.collect.client.ClientException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows that are inserted, changed and deleted, one by one and by conditions, and read in the same
 * two ways: the mix of the Emme paper's experiments. Keys stay in use, so that rows die and come
 * back, unless the spec says after how many writes a fresh one takes a key's place.
 */
public final class PredicateWorkload implements LiveWorkload {
  /** Its name among the workloads. */
  public static final String ID = "predicates";

  /** Inserted and updated values are below this. */
  static final int VALUES = 100;

  private static final int MAX_WIDTH = 20;
  private static final int MAX_DELETED_WIDTH = 3;
  private static final int MAX_SHIFT = 20;

  private final WorkloadSpec spec;
  private final PredicateShares shares;
  private final LiveKeys keys;

  /**
   * @param spec sessions, operations, keys, their distribution and their writes; its kind and its
   *     read ratio have no meaning here
   */
  public PredicateWorkload(WorkloadSpec spec, PredicateShares shares) {
    this.spec = spec;
    this.shares = shares;
    this.keys = new LiveKeys(WorkloadKind.REGISTER, spec.keys(), spec.writesPerKey());
  }

  @Override
  public Client client(SplitMix random) {
    return new Drawn(random);
  }

  @Override
  public int rows() {
    return keys.count();
  }

  /** Every other row is there from the beginning. */
  @Override
  public List<RowOperation.Insert> initialRows(SplitMix random) {
    List<RowOperation.Insert> rows = new ArrayList<>();
    for (int key = 0; key < spec.keys(); key += 2) {
      rows.add(new RowOperation.Insert(key, random.below(VALUES)));
    }
    return rows;
  }

  /** None that is not a row; rows are read all at once in the end. */
  @Override
  public void forEachKey(KeyVisitor visitor) {}

  @Override
  public String describe() {
    String rotation =
        spec.keysRotate() ? " at a time, " + spec.writesPerKey() + " writes each" : "";
    return "predicates, %d sessions, %s operations, %d keys (%s)%s, %s"
        .formatted(
            spec.sessions(),
            spec.lengths(),
            spec.keys(),
            spec.distribution().id(),
            rotation,
            shares);
  }

  private final class Drawn implements Client {
    private final SplitMix random;
    private final KeyChooser chooser = new KeyChooser(spec.distribution(), spec.keys());
    private final List<RowOperation> operations = new ArrayList<>();

    Drawn(SplitMix random) {
      this.random = random;
    }

    @Override
    public void draw(boolean onlyReads) {
      operations.clear();
      int length = spec.minOperations();
      length += random.below(spec.maxOperations() - spec.minOperations() + 1);
      for (int i = 0; i < length; i++) {
        PredicateShares.Step step = shares.draw(random);
        operations.add(operation(onlyReads ? PredicateShares.Step.RANGE : step));
      }
    }

    @Override
    public boolean onlyReads() {
      for (RowOperation operation : operations) {
        if (operation.writes()) {
          return false;
        }
      }
      return true;
    }

    @Override
    public void run(Access access) throws ClientException {
      for (RowOperation operation : operations) {
        access.row(operation);
      }
    }

    private RowOperation operation(PredicateShares.Step step) {
      return switch (step) {
        case INSERT -> new RowOperation.Insert(written(), value());
        case UPDATE ->
            new RowOperation.Update(RowCondition.key(written()), RowOperation.NewValue.of(value()));
        case READ -> new RowOperation.Read(key());
        case INCREMENT ->
            new RowOperation.Update(RowCondition.key(written()), RowOperation.NewValue.plus(1));
        case RANGE -> new RowOperation.Select(range());
        case MINMAX -> new RowOperation.Aggregate(function(), keyRange());
        case PREDICATE_UPDATE -> new RowOperation.Update(range(), newValue());
        case PREDICATE_DELETE -> new RowOperation.Delete(valueRange(MAX_DELETED_WIDTH));
      };
    }

    private long key() {
      return keys.current(chooser.next(random));
    }

    /** A key to write, by which it comes nearer to its end. */
    private long written() {
      return keys.claim(chooser.next(random));
    }

    private long value() {
      return random.below(VALUES);
    }

    private RowOperation.Function function() {
      return random.chance(0.5) ? RowOperation.Function.MIN : RowOperation.Function.MAX;
    }

    private RowOperation.NewValue newValue() {
      return random.chance(0.5)
          ? RowOperation.NewValue.of(value())
          : RowOperation.NewValue.plus(random.below(2 * MAX_SHIFT + 1) - MAX_SHIFT);
    }

    private RowCondition range() {
      return switch (random.below(4)) {
        case 0 -> keyRange();
        case 1 -> keyRange().and(valueRange(VALUES / 2));
        default -> valueRange(MAX_WIDTH);
      };
    }

    private RowCondition keyRange() {
      long from = key();
      return RowCondition.between("k", from, from + random.below(Math.max(1, spec.keys() / 4)));
    }

    private RowCondition valueRange(int widest) {
      long from = value();
      return RowCondition.between("val", from, from + random.below(widest));
    }
  }
}
