package dev.assay.spark.cut;

import dev.assay.spark.input.Blocks;
import dev.assay.spark.input.Bytes;
import dev.assay.spark.input.Reading;
import dev.assay.spark.input.Split;
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
public final class Cutting {
  /** Not the number of a bucket: what it has are numbers of keys. */
  private static final int KEYS = 0;

  private final int partitions;
  private final long[] boundaries;
  private final JavaPairRDD<Bytes, Access> accesses;
  private long keys;

  /**
   * Prepares; nothing is computed yet.
   *
   * @param boundaries positions about a window apart, sorted
   */
  public Cutting(JavaRDD<Split> splits, Reading reading, long[] boundaries, int partitions) {
    this.partitions = partitions;
    this.boundaries = boundaries;
    this.accesses =
        splits
            .flatMapToPair(
                split -> new Blocks<>(split, reading, block -> Accesses.of(block, boundaries)))
            // Each block has added up its own; other blocks rarely have the same values.
            .combineByKey(
                access -> access,
                Access::and,
                Access::and,
                new HashPartitioner(partitions),
                false,
                null)
            .setName("reads and writes by key")
            .persist(StorageLevel.MEMORY_AND_DISK_SER());
  }

  /** What is known of each value, list and session. */
  public JavaPairRDD<Bytes, Access> accesses() {
    return accesses;
  }

  /** The cuts; at most one in each bucket. */
  public Cuts cuts() {
    long[] between = boundaries;
    // A bucket that nothing concerns is not in the result: a cut is where it begins.
    long[] cuts = between.clone();
    List<long[]> found =
        own()
            .union(ofVersions())
            .groupByKey(partitions)
            .map(
                bucket -> {
                  int number = bucket._1;
                  return new long[] {
                    number, number == KEYS ? sum(bucket._2) : cutIn(number, bucket._2, between)
                  };
                })
            .collect();
    for (long[] pair : found) {
      if (pair[0] == KEYS) {
        keys = pair[1];
      } else {
        cuts[(int) pair[0] - 1] = pair[1];
      }
    }
    return new Cuts(between, Arrays.stream(cuts).filter(cut -> cut != Access.START).toArray());
  }

  private static long sum(Iterable<long[]> counts) {
    long sum = 0;
    for (long[] count : counts) {
      sum += count[0];
    }
    return sum;
  }

  private static long cutIn(int bucket, Iterable<long[]> pairs, long[] between) {
    Intervals intervals = new Intervals();
    pairs.forEach(pair -> intervals.add(pair[0], pair[1]));
    long end = bucket == between.length ? Long.MAX_VALUE : between[bucket];
    Long cut = intervals.firstCut(between[bucket - 1], end);
    return cut == null ? Access.START : cut;
  }

  /** The number of keys, which is known once there are cuts. */
  public long keys() {
    return keys;
  }

  /** What each value, list and session says alone. */
  private JavaPairRDD<Integer, long[]> own() {
    long[] between = boundaries;
    return accesses.mapPartitionsToPair(
        all -> {
          Intervals intervals = new Intervals();
          all.forEachRemaining(pair -> pair._2.keepTogether(intervals::add));
          return intervals.byBucket(between).iterator();
        });
  }

  /**
   * A version of a register may be read until the next one is written. After that, those who read
   * it stay together with who wrote the next one.
   */
  private JavaPairRDD<Integer, long[]> ofVersions() {
    long[] between = boundaries;
    return accesses
        .filter(pair -> !Accesses.isSession(pair._1))
        .flatMapToPair(pair -> events(Accesses.keyOf(pair._1), pair._2))
        .repartitionAndSortWithinPartitions(new ByKey(partitions))
        .mapPartitionsToPair(
            sorted -> {
              Intervals intervals = new Intervals();
              long[] count = {addVersions(sorted, intervals)};
              List<Tuple2<Integer, long[]>> pieces = intervals.byBucket(between);
              pieces.add(new Tuple2<>(KEYS, count));
              return pieces.iterator();
            });
  }

  /**
   * Adds between which positions the versions of registers, sorted, allow no cut.
   *
   * @return the number of keys
   */
  public static long addVersions(Iterator<Tuple2<KeyAt, Long>> sorted, Intervals intervals) {
    KeyAt before = null;
    long readUntil = Access.START;
    long count = 0;
    while (sorted.hasNext()) {
      Tuple2<KeyAt, Long> next = sorted.next();
      if (before == null || !Arrays.equals(before.key, next._1.key)) {
        count++;
        readUntil = Access.START;
      }
      intervals.add(next._1.position, readUntil);
      before = next._1;
      // What is only there to be counted may come after the initial version.
      readUntil = next._1.position == Access.START ? Math.max(readUntil, next._2) : next._2;
    }
    return count;
  }

  /** Where versions of a register begin, and until when they are read; one event at least. */
  public static Iterator<Tuple2<KeyAt, Long>> events(byte[] key, Access access) {
    List<Tuple2<KeyAt, Long>> events = new ArrayList<>();
    if (access instanceof Version version && version.isInitial()) {
      events.add(new Tuple2<>(new KeyAt(key, Access.START), version.lastRead));
    } else if (access instanceof Version version && version.canBeCarried()) {
      events.add(new Tuple2<>(new KeyAt(key, version.firstWrite), version.lastRead));
    } else if (access instanceof Version version && version.mayCount()) {
      // Those who read it are with it already.
      events.add(new Tuple2<>(new KeyAt(key, version.firstWrite), Access.START));
      if (version.lastWrite > version.firstWrite) {
        events.add(new Tuple2<>(new KeyAt(key, version.lastWrite), Access.START));
      }
    } else {
      events.add(new Tuple2<>(new KeyAt(key, Access.START), Access.START));
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
