package dev.assay.oracle;

import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

/** Histories of registers, each value of which is written once, with numbers for their versions. */
final class NumberedVersions {
  private record Place(int txn, int op) {}

  private final SmallHistory history;

  /** The writes of each key. */
  private final Map<Integer, List<Place>> writes = new HashMap<>();

  private final Map<Place, Integer> numbers = new HashMap<>();

  private NumberedVersions(SmallHistory history) {
    this.history = history;
    for (int t = 0; t < history.txns().size(); t++) {
      List<Op> ops = history.txns().get(t).ops();
      for (int i = 0; i < ops.size(); i++) {
        if (ops.get(i) instanceof Op.Write write) {
          writes.computeIfAbsent(write.key(), key -> new ArrayList<>()).add(new Place(t, i));
        }
      }
    }
  }

  /**
   * The history with every order of the versions of each key, and every choice of one version that
   * has no number or that of another one.
   */
  static void forEach(SmallHistory history, Consumer<SmallHistory> consumer) {
    NumberedVersions numbered = new NumberedVersions(history);
    numbered.choose(new ArrayList<>(numbered.writes.values()), 0, consumer);
  }

  private void choose(List<List<Place>> keys, int next, Consumer<SmallHistory> consumer) {
    if (next == keys.size()) {
      if (!numbers.isEmpty()) {
        consumer.accept(with(op -> op));
      }
      return;
    }
    List<Place> places = keys.get(next);
    int[] number = new int[places.size()];
    permute(
        number,
        0,
        () -> {
          for (int odd = -1; odd < 2 * number.length; odd++) {
            for (int i = 0; i < number.length; i++) {
              boolean none = odd == 2 * i;
              boolean shared = odd == 2 * i + 1;
              numbers.put(places.get(i), none ? 0 : shared ? number[0] : number[i]);
            }
            choose(keys, next + 1, consumer);
          }
          places.forEach(numbers::remove);
        });
  }

  private static void permute(int[] number, int from, Runnable each) {
    if (from == number.length) {
      each.run();
      return;
    }
    for (int n = 1; n <= number.length; n++) {
      int candidate = n;
      if (Arrays.stream(number, 0, from).noneMatch(used -> used == candidate)) {
        number[from] = n;
        permute(number, from + 1, each);
      }
    }
  }

  /**
   * The history with numbers drawn at random, of which some are missing, shared or wrong.
   *
   * @param values how many values there are, so that they repeat; 0 to leave them as they are
   */
  static SmallHistory random(SmallHistory history, int values, Random random) {
    NumberedVersions numbered = new NumberedVersions(history);
    boolean complete = random.nextBoolean();
    boolean inOrder = random.nextBoolean();
    for (List<Place> places : numbered.writes.values()) {
      for (int i = 0; i < places.size(); i++) {
        int number = inOrder ? i + 1 : 1 + random.nextInt(2 * places.size());
        numbered.numbers.put(places.get(i), !complete && random.nextInt(3) == 0 ? 0 : number);
      }
    }
    SmallHistory all =
        numbered.with(
            op -> {
              boolean plain = random.nextInt(8) == 0;
              boolean wrong = random.nextInt(40) == 0;
              int version = plain ? 0 : wrong ? 1 + random.nextInt(4) : op.version();
              return new Op.Read(op.key(), op.value(), version);
            });
    List<Txn> txns = new ArrayList<>();
    for (Txn txn : all.txns()) {
      txns.add(txn.with(txn.ops().stream().map(op -> repeating(op, values)).toList()));
    }
    return new SmallHistory(txns);
  }

  private static Op repeating(Op op, int values) {
    if (op instanceof Op.Write write) {
      return new Op.Write(op.key(), repeating(write.value(), values), write.version());
    }
    return op instanceof Op.Read read
        ? new Op.Read(op.key(), repeating(read.value(), values), read.version())
        : op;
  }

  private static int repeating(int value, int values) {
    return values == 0 || value == 0 ? value : 1 + value % values;
  }

  private interface Reads {
    Op.Read changed(Op.Read read);
  }

  /** The history with the numbers, also of the versions that reads saw. */
  private SmallHistory with(Reads reads) {
    List<Txn> txns = new ArrayList<>();
    for (int t = 0; t < history.txns().size(); t++) {
      List<Op> ops = new ArrayList<>();
      for (int i = 0; i < history.txns().get(t).ops().size(); i++) {
        Op op = history.txns().get(t).ops().get(i);
        if (op instanceof Op.Write write) {
          ops.add(new Op.Write(op.key(), write.value(), numbers.get(new Place(t, i))));
        } else if (op instanceof Op.Read read) {
          ops.add(reads.changed(new Op.Read(op.key(), read.value(), version(read))));
        } else {
          ops.add(op);
        }
      }
      txns.add(history.txns().get(t).with(ops));
    }
    return new SmallHistory(txns);
  }

  private int version(Op.Read read) {
    for (Place place : writes.getOrDefault(read.key(), List.of())) {
      Op write = history.txns().get(place.txn).ops().get(place.op);
      if (write.written() == read.value()) {
        return numbers.get(place);
      }
    }
    return 0;
  }
}
