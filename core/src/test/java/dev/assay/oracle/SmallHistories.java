package dev.assay.oracle;

import dev.assay.history.Outcome;
import dev.assay.oracle.SmallHistory.Op;
import dev.assay.oracle.SmallHistory.Txn;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * All register histories up to a size, each once up to renaming of sessions, keys and values. Every
 * write has a value of its own; a read sees the initial value or any write of its key, own, later
 * and aborted ones included, and at most one read of a history sees a value nobody wrote.
 *
 * <p>Sessions are written one after the other, longest first. Of the histories that differ only by
 * the order of sessions of one length or by the names of keys, the one whose encoding is smallest
 * is kept: first by what the transactions do, then by what the reads see.
 */
final class SmallHistories {
  /** A value that no transaction writes. */
  static final int UNWRITTEN = 99;

  /** How many pieces to share among the cores; many, so that uneven ones even out. */
  private static final int PIECES = 64;

  private static final int FROM_INITIAL = 0;
  private static final int FROM_NOWHERE = 1;
  private static final int FROM_WRITE = 2;

  /**
   * What to enumerate: that many transactions of one to {@code maxOps} operations on that many
   * keys, with these outcomes; of what that gives, about every {@code step}-th only.
   */
  record Size(int txns, int keys, int maxOps, List<Outcome> outcomes, int step) {
    static Size committed(int txns, int keys, int maxOps) {
      return new Size(txns, keys, maxOps, List.of(Outcome.COMMITTED), 1);
    }

    static Size ofAnyOutcome(int txns, int keys, int maxOps) {
      return new Size(txns, keys, maxOps, List.of(Outcome.values()), 1);
    }

    Size every(int newStep) {
      return new Size(txns, keys, maxOps, outcomes, newStep);
    }
  }

  /** One of several parts of an enumeration. */
  record Part(int first, int step) {
    /** Reads {@code 2/8}, the second of eight parts. */
    static Part parse(String text) {
      String[] numbers = text.split("/");
      int number = Integer.parseInt(numbers[0]);
      int parts = Integer.parseInt(numbers[1]);
      if (number < 1 || number > parts) {
        throw new IllegalArgumentException("there is no part " + text);
      }
      return new Part(number - 1, parts);
    }
  }

  /** What a transaction does, but not yet what its reads see. */
  private record Shape(Outcome outcome, List<Step> steps) {}

  private record Step(boolean write, int key) {}

  /** A renaming: the transactions in their new order, and the new name of each key. */
  private record Renaming(int[] order, int[] keys) {
    int newPlace(int txn) {
      int place = 0;
      while (order[place] != txn) {
        place++;
      }
      return place;
    }
  }

  /** Histories whose transactions do the same, and the renamings that keep what they do. */
  private record Family(int[] sessions, List<Shape> shapes, List<Renaming> symmetries) {}

  private final Size size;
  private final List<Shape> shapes = new ArrayList<>();
  private final List<Family> families = new ArrayList<>();
  private int[] sessions;
  private List<Renaming> renamings;

  private SmallHistories(Size size) {
    this.size = size;
    chooseSteps(new ArrayList<>());
    chooseSessions(new ArrayList<>(), size.txns);
  }

  static void forEach(Size size, Consumer<SmallHistory> consumer) {
    new SmallHistories(size).forEach(0, 1, consumer);
  }

  /** The same on all cores at once, in no certain order. */
  static void forEachInParallel(Size size, Part part, Consumer<SmallHistory> consumer) {
    SmallHistories all = new SmallHistories(size);
    IntStream.range(0, PIECES)
        .parallel()
        .forEach(
            piece -> all.forEach(part.first + piece * part.step, PIECES * part.step, consumer));
  }

  private void forEach(int first, int step, Consumer<SmallHistory> consumer) {
    for (int number = first; number < families.size(); number += step) {
      new Reads(families.get(number), number, consumer).choose(0, 0, false);
    }
  }

  private void chooseSteps(List<Step> steps) {
    if (!steps.isEmpty()) {
      size.outcomes.forEach(outcome -> shapes.add(new Shape(outcome, List.copyOf(steps))));
    }
    if (steps.size() < size.maxOps) {
      for (int key = 0; key < size.keys; key++) {
        for (boolean write : new boolean[] {false, true}) {
          steps.add(new Step(write, key));
          chooseSteps(steps);
          steps.remove(steps.size() - 1);
        }
      }
    }
  }

  private void chooseSessions(List<Integer> lengths, int left) {
    if (left == 0) {
      sessions = sessions(lengths);
      renamings = renamings(lengths);
      chooseShapes(new ArrayList<>());
    }
    int longest = lengths.isEmpty() ? left : lengths.get(lengths.size() - 1);
    for (int length = Math.min(longest, left); length >= 1; length--) {
      lengths.add(length);
      chooseSessions(lengths, left - length);
      lengths.remove(lengths.size() - 1);
    }
  }

  private static int[] sessions(List<Integer> lengths) {
    List<Integer> result = new ArrayList<>();
    for (int s = 0; s < lengths.size(); s++) {
      for (int i = 0; i < lengths.get(s); i++) {
        result.add(s + 1);
      }
    }
    return result.stream().mapToInt(Integer::intValue).toArray();
  }

  private List<Renaming> renamings(List<Integer> lengths) {
    List<Renaming> result = new ArrayList<>();
    for (int[] newSession : Orders.of(lengths.size())) {
      boolean keepsLengths = true;
      int[] order = new int[size.txns];
      for (int s = 0, from = 0; s < lengths.size(); from += lengths.get(s), s++) {
        keepsLengths &= lengths.get(s).equals(lengths.get(newSession[s]));
        int to = 0;
        for (int before = 0; before < newSession[s]; before++) {
          to += lengths.get(before);
        }
        for (int i = 0; keepsLengths && i < lengths.get(s); i++) {
          order[to + i] = from + i;
        }
      }
      if (keepsLengths) {
        for (int[] keys : Orders.of(size.keys)) {
          result.add(new Renaming(order, keys));
        }
      }
    }
    return result;
  }

  private void chooseShapes(List<Shape> chosen) {
    if (chosen.size() < size.txns) {
      for (Shape shape : shapes) {
        chosen.add(shape);
        chooseShapes(chosen);
        chosen.remove(chosen.size() - 1);
      }
      return;
    }
    List<Integer> own = encode(chosen, new Renaming(upTo(size.txns), upTo(size.keys)));
    List<Renaming> symmetries = new ArrayList<>();
    for (Renaming renaming : renamings) {
      int comparison = compare(encode(chosen, renaming), own);
      if (comparison < 0) {
        return;
      }
      if (comparison == 0) {
        symmetries.add(renaming);
      }
    }
    families.add(new Family(sessions, List.copyOf(chosen), symmetries));
  }

  private static int[] upTo(int end) {
    return IntStream.range(0, end).toArray();
  }

  private List<Integer> encode(List<Shape> chosen, Renaming renaming) {
    List<Integer> code = new ArrayList<>();
    for (int place = 0; place < size.txns; place++) {
      Shape shape = chosen.get(renaming.order[place]);
      code.add(shape.outcome.ordinal());
      code.add(shape.steps.size());
      for (Step step : shape.steps) {
        code.add(renaming.keys[step.key] * 2 + (step.write ? 1 : 0));
      }
    }
    return code;
  }

  private static int compare(List<Integer> a, List<Integer> b) {
    for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
      if (!a.get(i).equals(b.get(i))) {
        return Integer.compare(a.get(i), b.get(i));
      }
    }
    return Integer.compare(a.size(), b.size());
  }

  /** What the reads of a family see. */
  private final class Reads {
    private final Family family;
    private final Consumer<SmallHistory> consumer;
    private final int[][] seen;
    private long candidates;

    /** Prepares the choice; samples of families with other numbers begin elsewhere. */
    Reads(Family family, int number, Consumer<SmallHistory> consumer) {
      this.family = family;
      this.candidates = number;
      this.consumer = consumer;
      this.seen = new int[size.txns][];
      for (int t = 0; t < size.txns; t++) {
        seen[t] = new int[steps(t).size()];
      }
    }

    private List<Step> steps(int txn) {
      return family.shapes.get(txn).steps;
    }

    void choose(int txn, int op, boolean thinAir) {
      if (txn == size.txns) {
        if (candidates++ % size.step == 0 && isSmallest()) {
          consumer.accept(history());
        }
      } else if (op == seen[txn].length) {
        choose(txn + 1, 0, thinAir);
      } else if (steps(txn).get(op).write) {
        choose(txn, op + 1, thinAir);
      } else {
        seen[txn][op] = FROM_INITIAL;
        choose(txn, op + 1, thinAir);
        if (!thinAir) {
          seen[txn][op] = FROM_NOWHERE;
          choose(txn, op + 1, true);
        }
        Step write = new Step(true, steps(txn).get(op).key);
        for (int t = 0; t < size.txns; t++) {
          for (int i = 0; i < seen[t].length; i++) {
            if (steps(t).get(i).equals(write)) {
              seen[txn][op] = FROM_WRITE + t * size.maxOps + i;
              choose(txn, op + 1, thinAir);
            }
          }
        }
        seen[txn][op] = FROM_INITIAL;
      }
    }

    private boolean isSmallest() {
      for (Renaming renaming : family.symmetries) {
        int comparison = 0;
        for (int place = 0; comparison == 0 && place < size.txns; place++) {
          int old = renaming.order[place];
          for (int i = 0; comparison == 0 && i < seen[old].length; i++) {
            comparison = Integer.compare(renamed(seen[old][i], renaming), seen[place][i]);
          }
        }
        if (comparison < 0) {
          return false;
        }
      }
      return true;
    }

    private SmallHistory history() {
      List<Txn> txns = new ArrayList<>();
      for (int t = 0; t < size.txns; t++) {
        List<Op> ops = new ArrayList<>();
        for (int i = 0; i < seen[t].length; i++) {
          Step step = steps(t).get(i);
          ops.add(
              step.write
                  ? new Op.Write(step.key, value(FROM_WRITE + t * size.maxOps + i))
                  : new Op.Read(step.key, value(seen[t][i])));
        }
        txns.add(Txn.of(family.sessions[t], family.shapes.get(t).outcome, ops));
      }
      return new SmallHistory(txns);
    }
  }

  private int renamed(int source, Renaming renaming) {
    if (source < FROM_WRITE) {
      return source;
    }
    int txn = (source - FROM_WRITE) / size.maxOps;
    int op = (source - FROM_WRITE) % size.maxOps;
    return FROM_WRITE + renaming.newPlace(txn) * size.maxOps + op;
  }

  private static int value(int source) {
    return switch (source) {
      case FROM_INITIAL -> 0;
      case FROM_NOWHERE -> UNWRITTEN;
      default -> source - FROM_WRITE + 1;
    };
  }
}
