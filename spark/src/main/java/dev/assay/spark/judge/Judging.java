package dev.assay.spark.judge;

import dev.assay.check.Budget;
import dev.assay.level.Level;
import dev.assay.spark.cut.Carried;
import dev.assay.spark.cut.Cuts;
import dev.assay.spark.cut.Packed;
import dev.assay.spark.input.Blocks;
import dev.assay.spark.input.Described;
import dev.assay.spark.input.Reading;
import dev.assay.spark.input.Split;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.util.CollectionAccumulator;
import scala.Tuple2;

/** Has windows judged: a shuffle brings each together, with what it must know of the others. */
public final class Judging implements Serializable {
  private static final long serialVersionUID = 1;

  private final Described described;
  private final Reading reading;
  private final ArrayList<String> levels = new ArrayList<>();
  private final long deadlineMillis;
  private final CollectionAccumulator<Judged> sofar;
  private final transient JavaRDD<Split> splits;
  private final transient JavaRDD<byte[]> accesses;

  public Judging(
      Described described,
      Reading reading,
      Set<Level> levels,
      long deadlineMillis,
      JavaRDD<Split> splits,
      JavaRDD<byte[]> accesses,
      CollectionAccumulator<Judged> sofar) {
    this.described = described;
    this.reading = reading;
    levels.forEach(level -> this.levels.add(level.id()));
    this.deadlineMillis = deadlineMillis;
    this.splits = splits;
    this.accesses = accesses;
    this.sofar = sofar;
  }

  /**
   * Judges some windows; those where everything holds are not in the result.
   *
   * @param asked which windows to judge
   * @param shows whether what shows each anomaly is to be kept
   */
  public List<Judged> judge(Cuts cuts, boolean[] asked, boolean shows, int partitions) {
    JavaPairRDD<Integer, Object> transactions =
        splits.flatMapToPair(
            split -> new Blocks<>(split, reading, block -> WindowBlock.of(block, cuts, asked)));
    return accesses
        .flatMapToPair(pack -> carried(pack, cuts, asked))
        .union(transactions)
        .groupByKey(partitions)
        .map(window -> noted(window._1, window._2, shows))
        .filter(judged -> !judged.isFine())
        .collect();
  }

  /** What windows that are asked for must know of the others. */
  public static Iterator<Tuple2<Integer, Object>> carried(byte[] pack, Cuts cuts, boolean[] asked) {
    List<Tuple2<Integer, Object>> pairs = new ArrayList<>();
    Packed.Cursor cursor = new Packed.Cursor(pack);
    while (cursor.next()) {
      for (Carried one : cursor.access().carried(cursor.name(), cuts)) {
        if (asked[one.window]) {
          pairs.add(new Tuple2<>(one.window, one));
        }
      }
    }
    return pairs.iterator();
  }

  private Judged noted(int number, Iterable<Object> content, boolean shows) {
    Set<Level> asked = EnumSet.noneOf(Level.class);
    levels.forEach(level -> asked.add(Judged.level(level)));
    long millis = deadlineMillis - System.currentTimeMillis();
    Budget budget = Budget.of(Duration.ofMillis(Math.max(1, millis)));
    Judged judged = judged(number, content, described, asked, shows, budget);
    if (!judged.isFine()) {
      sofar.add(judged);
    }
    return judged;
  }

  /** Judges the transactions of a window, with what was carried to it. */
  public static Judged judged(
      int number,
      Iterable<Object> content,
      Described described,
      Set<Level> levels,
      boolean shows,
      Budget budget) {
    List<WindowBlock> blocks = new ArrayList<>();
    List<Carried> carried = new ArrayList<>();
    for (Object one : content) {
      if (one instanceof WindowBlock block) {
        blocks.add(block);
      } else {
        carried.add((Carried) one);
      }
    }
    if (blocks.isEmpty()) {
      return Judged.nothing(number);
    }
    Window window = new Window(described, blocks, carried);
    return Judged.of(number, window, levels, shows, budget);
  }
}
