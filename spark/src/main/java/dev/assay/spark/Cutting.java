package dev.assay.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Finds clean cuts. What transactions do with a value, a list or in a session is brought together
 * by a shuffle; each then says between which positions it allows no cut. For each bucket the first
 * position that nothing forbids becomes a cut.
 */
final class Cutting {
  private final int partitions;
  private final long[] boundaries;
  private final JavaPairRDD<Bytes, Access> accesses;

  /**
   * Prepares; nothing is computed yet.
   *
   * @param boundaries positions about a window apart, sorted
   */
  Cutting(JavaRDD<Split> splits, Reading reading, long[] boundaries, int partitions) {
    this.partitions = partitions;
    this.boundaries = boundaries;
    this.accesses =
        splits
            .flatMapToPair(
                split -> new Blocks<>(split, reading, block -> Accesses.of(block, boundaries)))
            .reduceByKey(new HashPartitioner(partitions), Access::and)
            .setName("reads and writes by key")
            .persist(StorageLevel.MEMORY_AND_DISK_SER());
  }

  /** What is known of each value, list and session. */
  JavaPairRDD<Bytes, Access> accesses() {
    return accesses;
  }

  /** The cuts; at most one in each bucket. */
  Cuts cuts() {
    long[] between = boundaries;
    // A bucket that nothing concerns is not in the result: a cut is where it begins.
    long[] cuts = between.clone();
    List<long[]> found =
        own()
            .union(ofVersions())
            .groupByKey(partitions)
            .map(
                bucket -> {
                  Intervals intervals = new Intervals();
                  bucket._2.forEach(pair -> intervals.add(pair[0], pair[1]));
                  int number = bucket._1;
                  long end = number == between.length ? Long.MAX_VALUE : between[number];
                  Long cut = intervals.firstCut(between[number - 1], end);
                  return new long[] {number, cut == null ? Access.START : cut};
                })
            .collect();
    found.forEach(pair -> cuts[(int) pair[0] - 1] = pair[1]);
    return new Cuts(between, Arrays.stream(cuts).filter(cut -> cut != Access.START).toArray());
  }

  /** The number of keys. */
  long keys() {
    return accesses
        .filter(pair -> !(pair._2 instanceof SessionAccess))
        .map(pair -> new Bytes(Accesses.keyOf(pair._1)))
        .distinct(partitions)
        .count();
  }

  /** What each value, list and session says alone. */
  private JavaPairRDD<Integer, long[]> own() {
    long[] between = boundaries;
    return accesses.mapPartitionsToPair(
        all -> {
          Intervals intervals = new Intervals();
          all.forEachRemaining(pair -> pair._2.keepTogether(intervals::add));
          return intervals.byBucket(between);
        });
  }

  /**
   * A version of a register may be read until the next one is written. After that, those who read
   * it stay together with who wrote the next one.
   */
  private JavaPairRDD<Integer, long[]> ofVersions() {
    long[] between = boundaries;
    return accesses
        .filter(pair -> pair._2 instanceof Version)
        .flatMapToPair(pair -> events(Accesses.keyOf(pair._1), (Version) pair._2))
        .repartitionAndSortWithinPartitions(new ByKey(partitions))
        .mapPartitionsToPair(
            sorted -> {
              Intervals intervals = new Intervals();
              addVersions(sorted, intervals);
              return intervals.byBucket(between);
            });
  }

  /** Adds between which positions the versions of registers, sorted, allow no cut. */
  static void addVersions(Iterator<Tuple2<KeyAt, Long>> sorted, Intervals intervals) {
    KeyAt before = null;
    long readUntil = Access.START;
    while (sorted.hasNext()) {
      Tuple2<KeyAt, Long> next = sorted.next();
      if (before != null && Arrays.equals(before.key, next._1.key)) {
        intervals.add(next._1.position, readUntil);
      }
      before = next._1;
      readUntil = next._2;
    }
  }

  /** Where versions of a register begin, and until when they are read. */
  static Iterator<Tuple2<KeyAt, Long>> events(byte[] key, Version version) {
    List<Tuple2<KeyAt, Long>> events = new ArrayList<>();
    if (version.isInitial()) {
      events.add(new Tuple2<>(new KeyAt(key, Access.START), version.lastRead));
    } else if (version.canBeCarried()) {
      events.add(new Tuple2<>(new KeyAt(key, version.firstWrite), version.lastRead));
    } else if (version.mayCount()) {
      // Those who read it are with it already.
      events.add(new Tuple2<>(new KeyAt(key, version.firstWrite), Access.START));
      if (version.lastWrite > version.firstWrite) {
        events.add(new Tuple2<>(new KeyAt(key, version.lastWrite), Access.START));
      }
    }
    return events.iterator();
  }

  /** Brings all versions of a key together. */
  private static final class ByKey extends Partitioner implements Serializable {
    private static final long serialVersionUID = 1;

    private final int partitions;

    ByKey(int partitions) {
      this.partitions = partitions;
    }

    @Override
    public int numPartitions() {
      return partitions;
    }

    @Override
    public int getPartition(Object key) {
      return Math.floorMod(new Bytes(((KeyAt) key).key).hashCode(), partitions);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof ByKey same && same.partitions == partitions;
    }

    @Override
    public int hashCode() {
      return partitions;
    }
  }
}
