package dev.assay.spark.cut;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.spark.input.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import scala.Tuple2;

/** What tasks send each other says what one task that has everything says. */
class CuttingTest {
  private static final long[] BOUNDARIES = {100, 200, 300, 400};
  private static final int END = 500;

  private final Random random = new Random(1);
  private final Map<String, List<long[]>> expected = new TreeMap<>();

  private Iterator<List<byte[]>> shuffled(List<Tuple2<Integer, byte[]>> sent, int tasks) {
    List<List<byte[]>> received = new ArrayList<>();
    for (int task = 0; task < tasks; task++) {
      int own = task;
      List<byte[]> packs = new ArrayList<>();
      sent.stream().filter(pair -> pair._1 == own).forEach(pair -> packs.add(pair._2));
      received.add(packs);
    }
    return received.iterator();
  }

  /** A name as those of registers are: the length of the key, the key and the value. */
  private static Bytes name(String key, int value) {
    byte[] name = new byte[7 + key.length()];
    name[0] = Accesses.REGISTER;
    name[4] = (byte) key.length();
    System.arraycopy(key.getBytes(), 0, name, 5, key.length());
    name[name.length - 2] = (byte) (value >> 8);
    name[name.length - 1] = (byte) value;
    return new Bytes(name);
  }

  /** Versions of some registers, each known in up to three parts; the first ones initial. */
  private List<Tuple2<Bytes, Access>> versions() {
    List<Tuple2<Bytes, Access>> all = new ArrayList<>();
    for (int left = 3 + random.nextInt(60), value = 0; left > 0; left--, value++) {
      String key = "k".repeat(1 + random.nextInt(4));
      boolean isInitial = value < 3;
      long begin = isInitial ? Access.START : random.nextInt(END);
      if (!isInitial) {
        Version written = new Version();
        written.write(begin, Version.COMMITTED, new byte[] {7});
        all.add(new Tuple2<>(name(key, value), written));
      }
      long readUntil = Access.START;
      for (int reads = isInitial ? 1 : random.nextInt(3); reads > 0; reads--) {
        Version read = new Version();
        read.flags = isInitial ? Version.INITIAL : 0;
        long at = Math.max(0, begin) + random.nextInt(60);
        read.read(at, Cuts.countUpTo(BOUNDARIES, at), true);
        readUntil = Math.max(readUntil, at);
        all.add(new Tuple2<>(name(key, value), read));
      }
      expected.computeIfAbsent(key, k -> new ArrayList<>()).add(new long[] {begin, readUntil});
    }
    Collections.shuffle(all, random);
    return all;
  }

  /** The cut in each bucket, by all versions of each key. */
  private long[] expectedCuts() {
    Intervals intervals = new Intervals();
    for (List<long[]> versions : expected.values()) {
      versions.sort(Comparator.<long[]>comparingLong(v -> v[0]).thenComparingLong(v -> v[1]));
      for (int i = 1; i < versions.size(); i++) {
        intervals.add(versions.get(i)[0], versions.get(i - 1)[1]);
      }
    }
    return cuts(intervals.byBucket(BOUNDARIES));
  }

  private static long[] cuts(List<Tuple2<Integer, long[]>> pieces) {
    long[] cuts = new long[BOUNDARIES.length];
    for (int bucket = 1; bucket <= cuts.length; bucket++) {
      int own = bucket;
      List<long[]> pairs = new ArrayList<>();
      pieces.stream().filter(piece -> piece._1 == own).forEach(piece -> pairs.add(piece._2));
      cuts[bucket - 1] = Cutting.cutIn(bucket, pairs, BOUNDARIES);
    }
    return cuts;
  }

  @Test
  void anyNumberOfTasksFindsTheCutsOfAllVersionsTogether() {
    int moved = 0;
    for (int round = 0; round < 300; round++) {
      expected.clear();
      List<Tuple2<Bytes, Access>> all = versions();
      int tasks = 1 + random.nextInt(6);
      List<Tuple2<Integer, byte[]>> byName = new ArrayList<>();
      int middle = random.nextInt(all.size() + 1);
      Packed.sent(all.subList(0, middle).iterator(), tasks).forEachRemaining(byName::add);
      Packed.sent(all.subList(middle, all.size()).iterator(), tasks).forEachRemaining(byName::add);
      List<Tuple2<Integer, byte[]>> byTime = new ArrayList<>();
      shuffled(byName, tasks)
          .forEachRemaining(
              packs ->
                  Cutting.versions(Packed.merged(packs.iterator()), BOUNDARIES, tasks)
                      .forEachRemaining(byTime::add));
      List<Tuple2<Integer, byte[]>> byKey = new ArrayList<>();
      shuffled(byTime, tasks)
          .forEachRemaining(
              packs -> Cutting.joined(packs.iterator(), tasks).forEachRemaining(byKey::add));
      List<Tuple2<Integer, long[]>> pieces = new ArrayList<>();
      shuffled(byKey, tasks)
          .forEachRemaining(
              packs -> Cutting.pieces(packs.iterator(), BOUNDARIES).forEachRemaining(pieces::add));
      String what = "round " + round + ", " + tasks + " tasks";
      long[] cuts = cuts(pieces);
      assertThat(cuts).as(what).isEqualTo(expectedCuts());
      moved += Arrays.equals(cuts, BOUNDARIES) ? 0 : 1;
      assertThat(pieces.stream().filter(p -> p._1 == Cutting.KEYS).mapToLong(p -> p._2[0]).sum())
          .as(what + ": keys")
          .isEqualTo(expected.size());
    }
    // Nothing would be shown if no version were read after the next one.
    assertThat(moved).isGreaterThan(100);
  }

  @Test
  void pairsAreSorted() {
    for (int round = 0; round < 100; round++) {
      LongPairs pairs = new LongPairs();
      List<long[]> sorted = new ArrayList<>();
      for (int i = random.nextInt(40); i > 0; i--) {
        long first = random.nextInt(4) == 0 ? Access.START : random.nextInt(10);
        long second = random.nextInt(3);
        pairs.add(first, second);
        sorted.add(new long[] {first, second});
      }
      sorted.sort(Comparator.<long[]>comparingLong(p -> p[0]).thenComparingLong(p -> p[1]));
      pairs.sort();
      for (int i = 0; i < sorted.size(); i++) {
        assertThat(new long[] {pairs.first(i), pairs.second(i)}).isEqualTo(sorted.get(i));
      }
    }
  }
}
