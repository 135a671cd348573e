package dev.assay.spark.cut;

import dev.assay.spark.input.Blocks;
import dev.assay.spark.input.Reading;
import dev.assay.spark.input.Split;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.HashPartitioner;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.storage.StorageLevel;
import scala.Tuple2;

/**
 * Finds clean cuts. What transactions do with a value, a list or in a session is brought together
 * by a shuffle; each then says between which positions it allows no cut. So do the versions of a
 * register that follow each other, which two more shuffles find. For each bucket the first position
 * that nothing forbids becomes a cut.
 */
public final class Cutting {
  /** Not the number of a bucket: what it has are numbers of keys. */
  public static final int KEYS = 0;

  private final int partitions;
  private final long[] boundaries;
  private final JavaRDD<byte[]> accesses;
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
                split ->
                    Packed.sent(
                        new Blocks<>(split, reading, block -> Accesses.of(block, boundaries)),
                        partitions))
            .partitionBy(byNumber())
            .values()
            .mapPartitions(Packed::merged)
            .setName("reads and writes by key")
            .persist(StorageLevel.MEMORY_AND_DISK_SER());
  }

  /** Tasks are named by their numbers. */
  private Partitioner byNumber() {
    return new HashPartitioner(partitions);
  }

  /** What is known of each value, list and session, {@link Packed}. */
  public JavaRDD<byte[]> accesses() {
    return accesses;
  }

  /** The cuts; at most one in each bucket. */
  public Cuts cuts() {
    long[] between = boundaries;
    int tasks = partitions;
    List<long[]> found =
        accesses
            .mapPartitionsToPair(packs -> versions(packs, between, tasks))
            .partitionBy(byNumber())
            .values()
            .mapPartitionsToPair(sent -> joined(sent, tasks))
            .partitionBy(byNumber())
            .values()
            .mapPartitionsToPair(sent -> pieces(sent, between))
            .groupByKey(partitions)
            .map(
                bucket -> {
                  int number = bucket._1;
                  return new long[] {
                    number, number == KEYS ? sum(bucket._2) : cutIn(number, bucket._2, between)
                  };
                })
            .collect();
    // A bucket that nothing concerns is not in the result: a cut is where it begins.
    long[] cuts = between.clone();
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

  /** The cut in a bucket; {@link Access#START} if there can be none. */
  public static long cutIn(int bucket, Iterable<long[]> pairs, long[] between) {
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

  /**
   * What each value, list and session says alone, and the versions of registers, sent to the task
   * of their part of time.
   */
  public static Iterator<Tuple2<Integer, byte[]>> versions(
      Iterator<byte[]> packs, long[] between, int tasks) {
    Intervals intervals = new Intervals();
    Parcels parcels = new Parcels(tasks);
    while (packs.hasNext()) {
      Packed.Cursor cursor = new Packed.Cursor(packs.next());
      while (cursor.next()) {
        Access access = cursor.access();
        access.keepTogether(intervals::add);
        access.events(
            (begin, readUntil) -> {
              byte[] bytes = cursor.bytes();
              int key = cursor.keyFrom();
              int length = cursor.keyLength();
              // There may be one at the beginning for every key.
              int task =
                  begin == Access.START
                      ? Slices.task(bytes, key, length, tasks)
                      : part(between, begin, tasks);
              Runs.write(parcels.to(task), bytes, key, length, begin, readUntil);
            });
      }
    }
    Runs.send(intervals, parcels);
    return parcels.take().iterator();
  }

  /** The part of time, of this number of parts, that a position is in. */
  private static int part(long[] between, long position, int parts) {
    return (int) ((long) Cuts.countUpTo(between, position) * parts / (between.length + 1));
  }

  /** Joins runs that are in the same part of time, and sends them to the task of their key. */
  public static Iterator<Tuple2<Integer, byte[]>> joined(Iterator<byte[]> sent, int tasks) {
    Runs runs = new Runs();
    sent.forEachRemaining(runs::add);
    Parcels parcels = new Parcels(tasks);
    runs.join(
        false,
        (array, from, length, begin, readUntil) -> {
          int task = Slices.task(array, from, length, tasks);
          Runs.write(parcels.to(task), array, from, length, begin, readUntil);
        });
    Runs.send(runs.intervals(), parcels);
    return parcels.take().iterator();
  }

  /** Joins all runs of a key: what concerns each bucket, and the number of keys. */
  public static Iterator<Tuple2<Integer, long[]>> pieces(Iterator<byte[]> sent, long[] between) {
    Runs runs = new Runs();
    sent.forEachRemaining(runs::add);
    runs.join(true, (array, from, length, begin, readUntil) -> {});
    List<Tuple2<Integer, long[]>> pieces = runs.intervals().byBucket(between);
    pieces.add(new Tuple2<>(KEYS, new long[] {runs.keys()}));
    return pieces.iterator();
  }
}
