package dev.assay.render.html;

import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Places levels in rows from strong to weak so that every arrow leads down and few cross: a layered
 * layout (Sugiyama, Tagawa and Toda, IEEE SMC 1981). An arrow that passes a row takes a place in
 * it, so that it leads between the boxes there.
 */
final class LatticeLayout {
  private static final double ROW = 66;
  private static final double WIDTH = 158;
  private static final double HEIGHT = 38;
  private static final double GAP = 14;

  /** What an arrow that passes a row takes of its width. */
  private static final double PASSAGE = 2;

  private static final int SWEEPS = 24;

  /** A level, or where an arrow passes a row. */
  private static final class Item {
    final Level level;
    final int row;
    final List<Item> above = new ArrayList<>();
    final List<Item> below = new ArrayList<>();
    int place;
    double middle;

    Item(Level level, int row) {
      this.level = level;
      this.row = row;
    }

    double width() {
      return level == null ? PASSAGE : WIDTH;
    }
  }

  private final List<Level> levels;
  private final Map<Level, Item> items = new EnumMap<>(Level.class);
  private List<List<Item>> rows = new ArrayList<>();

  LatticeLayout(List<Level> levels) {
    this.levels = levels;
    for (Level level : levels) {
      add(item(level));
    }
    items.values().forEach(this::connect);
    order();
    align();
  }

  /** Puts a level one row below the lowest of those that imply it directly. */
  private Item item(Level level) {
    Item known = items.get(level);
    if (known != null) {
      return known;
    }
    int row = 0;
    for (Level above : levels) {
      if (above.directlyImplies().contains(level)) {
        row = Math.max(row, item(above).row + 1);
      }
    }
    Item item = new Item(level, row);
    items.put(level, item);
    return item;
  }

  private void add(Item item) {
    while (rows.size() <= item.row) {
      rows.add(new ArrayList<>());
    }
    rows.get(item.row).add(item);
  }

  private void connect(Item from) {
    for (Level level : from.level.directlyImplies()) {
      Item to = items.get(level);
      Item last = from;
      for (int row = from.row + 1; to != null && row <= to.row; row++) {
        Item next = row == to.row ? to : new Item(null, row);
        if (next != to) {
          add(next);
        }
        last.below.add(next);
        next.above.add(last);
        last = next;
      }
    }
  }

  // ---- the order in each row

  /** Sorts rows by where their neighbours are, down and up in turn, and keeps the best. */
  private void order() {
    rows.forEach(LatticeLayout::number);
    List<List<Item>> best = copy();
    int fewest = crossings();
    for (int sweep = 0; sweep < SWEEPS && fewest > 0; sweep++) {
      boolean down = sweep % 2 == 0;
      for (int i = 1; i < rows.size(); i++) {
        List<Item> row = rows.get(down ? i : rows.size() - 1 - i);
        row.sort(Comparator.comparingDouble(item -> mean(down ? item.above : item.below, item)));
        number(row);
      }
      exchange();
      if (crossings() < fewest) {
        fewest = crossings();
        best = copy();
      }
    }
    rows = best;
    rows.forEach(LatticeLayout::number);
  }

  private static double mean(List<Item> neighbours, Item item) {
    return neighbours.stream().mapToInt(other -> other.place).average().orElse(item.place);
  }

  /** Exchanges neighbours in a row while that makes fewer arrows cross. */
  private void exchange() {
    boolean better = true;
    while (better) {
      better = false;
      for (List<Item> row : rows) {
        for (int i = 0; i + 1 < row.size(); i++) {
          int before = crossings(row.get(i), row.get(i + 1));
          if (crossings(row.get(i + 1), row.get(i)) < before) {
            Collections.swap(row, i, i + 1);
            number(row);
            better = true;
          }
        }
      }
    }
  }

  private int crossings() {
    int crossings = 0;
    for (List<Item> row : rows) {
      for (int i = 0; i < row.size(); i++) {
        for (int j = i + 1; j < row.size(); j++) {
          crossings += crossings(row.get(i).below, row.get(j).below);
        }
      }
    }
    return crossings;
  }

  /** How many arrows of two items cross where the first is on the left. */
  private static int crossings(Item left, Item right) {
    return crossings(left.above, right.above) + crossings(left.below, right.below);
  }

  private static int crossings(List<Item> left, List<Item> right) {
    int crossings = 0;
    for (Item a : left) {
      for (Item b : right) {
        crossings += a.place > b.place ? 1 : 0;
      }
    }
    return crossings;
  }

  private static void number(List<Item> row) {
    for (int i = 0; i < row.size(); i++) {
      row.get(i).place = i;
    }
  }

  private List<List<Item>> copy() {
    List<List<Item>> copy = new ArrayList<>();
    rows.forEach(row -> copy.add(new ArrayList<>(row)));
    return copy;
  }

  // ---- the place in the picture

  /** Moves items towards their neighbours as far as those beside them leave room. */
  private void align() {
    double room = rows.stream().mapToDouble(row -> packed(row)[row.size() - 1]).max().orElse(0);
    rows.forEach(row -> place(row, Collections.nCopies(row.size(), room / 2), room));
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
      boolean down = sweep % 2 == 0;
      for (int i = 0; i < rows.size(); i++) {
        List<Item> row = rows.get(down ? i : rows.size() - 1 - i);
        List<Double> wanted = new ArrayList<>();
        row.forEach(item -> wanted.add(wanted(item)));
        place(row, wanted, room);
      }
    }
  }

  /** The middle of its neighbours; long arrows pull more, so that they become straight. */
  private static double wanted(Item item) {
    List<Item> neighbours = new ArrayList<>(item.above);
    neighbours.addAll(item.below);
    double sum = 0;
    double weights = 0;
    for (Item other : neighbours) {
      boolean passes = item.level == null || other.level == null;
      double weight = item.level == null && other.level == null ? 4 : passes ? 2 : 1;
      sum += weight * other.middle;
      weights += weight;
    }
    return weights == 0 ? item.middle : sum / weights;
  }

  /**
   * Half way between what the items want when they give way to the right, and to the left.
   *
   * @param room the widest row takes no less: how far the middle of the last item may be
   */
  private static void place(List<Item> row, List<Double> wanted, double room) {
    double[] fromLeft = new double[row.size()];
    double[] fromRight = new double[row.size()];
    for (int i = 0; i < row.size(); i++) {
      double least = i == 0 ? wanted.get(i) : fromLeft[i - 1] + apart(row, i);
      fromLeft[i] = Math.max(wanted.get(i), least);
    }
    for (int i = row.size() - 1; i >= 0; i--) {
      double most = i + 1 == row.size() ? wanted.get(i) : fromRight[i + 1] - apart(row, i + 1);
      fromRight[i] = Math.min(wanted.get(i), most);
    }
    double[] packed = packed(row);
    double slack = room - packed[row.size() - 1];
    for (int i = 0; i < row.size(); i++) {
      double middle = (fromLeft[i] + fromRight[i]) / 2;
      row.get(i).middle = Math.max(packed[i], Math.min(packed[i] + slack, middle));
    }
  }

  /** The middles of items side by side, those of the first level's width from the left edge. */
  private static double[] packed(List<Item> row) {
    double[] middles = new double[row.size()];
    middles[0] = WIDTH / 2;
    for (int i = 1; i < middles.length; i++) {
      middles[i] = middles[i - 1] + apart(row, i);
    }
    return middles;
  }

  /** The least distance between the middles of an item and the one before it. */
  private static double apart(List<Item> row, int index) {
    return (row.get(index - 1).width() + row.get(index).width()) / 2 + GAP;
  }

  private static Box box(Item item, double margin) {
    double x = Math.round(item.middle - item.width() / 2);
    return new Box(margin + x, margin + item.row * ROW, item.width(), HEIGHT);
  }

  /** The size of the picture, without a margin on the right and below. */
  Box extent(double margin) {
    Box extent = new Box(0, 0, 0, 0);
    for (List<Item> row : rows) {
      for (Item item : row) {
        extent = extent.and(box(item, margin));
      }
    }
    return extent;
  }

  /** The box of each level, at a distance from the edges of the picture. */
  Map<Level, Box> boxes(double margin) {
    Map<Level, Box> boxes = new EnumMap<>(Level.class);
    items.forEach((level, item) -> boxes.put(level, box(item, margin)));
    return boxes;
  }

  /**
   * The arrows from a level, by where they lead: the boxes that each passes, both ends included.
   */
  Map<Level, List<Box>> arrows(Level from, double margin) {
    Map<Level, List<Box>> arrows = new EnumMap<>(Level.class);
    for (Item next : items.get(from).below) {
      List<Box> passed = new ArrayList<>(List.of(box(items.get(from), margin)));
      Item item = next;
      while (item.level == null) {
        passed.add(box(item, margin));
        item = item.below.get(0);
      }
      passed.add(box(item, margin));
      arrows.put(item.level, passed);
    }
    return arrows;
  }
}
