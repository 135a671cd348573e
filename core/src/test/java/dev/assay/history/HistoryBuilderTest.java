package dev.assay.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class HistoryBuilderTest {
  private static HistoryBuilder begun() {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(0), Outcome.COMMITTED);
    return b;
  }

  @Test
  void denseSparseAndOtherKeysAllKeepTheirIdentity() {
    List<List<Object>> keySets =
        List.of(
            List.of(0L, 5L, 64L, 511L, 512L, 513L, 4096L, 1_000_000L),
            List.of(-7L, -1L, 0L, 3L),
            List.of(Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE, 0L, 1L << 40),
            List.of(1L, "1", 1.0, new Keyword("x"), true, BigInteger.TEN.pow(30), List.of(1L, "a")),
            List.of("only", "strings"));
    for (List<Object> keys : keySets) {
      HistoryBuilder b = begun();
      for (Object key : keys) {
        b.write(key, 1);
        b.read(key, 1);
      }
      History h = b.build();
      assertThat(h.keys().count()).isEqualTo(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        assertThat(h.operation(2 * i).key()).isEqualTo(keys.get(i));
        assertThat(h.key(2 * i)).isEqualTo(h.key(2 * i + 1));
      }
    }
  }

  @Test
  void keysAreNumberedDenselyAndReadBackForRandomRanges() {
    Random random = new Random(1);
    for (int round = 0; round < 50; round++) {
      long base = random.nextInt(3) == 0 ? random.nextLong() / 2 : random.nextInt(1000) - 500;
      int width = 1 << random.nextInt(22);
      HistoryBuilder b = begun();
      List<Long> keys = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        long key = base + random.nextInt(width);
        keys.add(key);
        b.write(key, i);
      }
      History h = b.build();
      Set<Integer> numbers = new HashSet<>();
      for (int i = 0; i < keys.size(); i++) {
        assertThat(h.keys().get(h.key(i))).isEqualTo(keys.get(i));
        numbers.add(h.key(i));
      }
      assertThat(numbers).hasSize(h.keys().count());
      assertThat(numbers).allMatch(n -> n >= 0 && n < h.keys().count());
    }
  }

  @Test
  void valuesAreEqualExactlyWhenTheirCodesAre() {
    List<Object> values =
        new ArrayList<>(
            Arrays.asList(
                null,
                0L,
                1L,
                -1L,
                (1L << 30) - 1,
                1L << 30,
                -(1L << 30),
                -(1L << 30) - 1,
                Long.MAX_VALUE,
                Long.MIN_VALUE,
                Long.MIN_VALUE + 1,
                "0",
                "",
                0.0,
                -0.0,
                false,
                new Keyword("a"),
                "a",
                BigInteger.ONE.shiftLeft(70),
                List.of(),
                List.of(1L)));
    HistoryBuilder b = begun();
    for (int repeat = 0; repeat < 2; repeat++) {
      values.forEach(value -> b.write("x", value));
    }
    History h = b.build();
    for (int i = 0; i < values.size(); i++) {
      assertThat(h.operation(i).value()).isEqualTo(values.get(i));
      for (int j = 0; j < values.size(); j++) {
        assertThat(h.value(i) == h.value(values.size() + j)).isEqualTo(i == j);
      }
    }
  }

  @Test
  void operationsOfInterleavedTransactionsAreGroupedInProgramOrder() {
    HistoryBuilder b = new HistoryBuilder();
    int s = b.session("s");
    int first = b.begin(s, Outcome.COMMITTED);
    b.write("x", 1);
    int second = b.begin(s, Outcome.ABORTED);
    b.write("y", 1);
    b.resume(first);
    b.write("x", 2);
    b.begin(s, Outcome.COMMITTED);
    b.resume(second);
    b.write("y", 2);
    History h = b.build();
    assertThat(h.text(h.firstOp(0))).isEqualTo("write x 1");
    assertThat(h.text(h.firstOp(0) + 1)).isEqualTo("write x 2");
    assertThat(h.text(h.firstOp(1) + 1)).isEqualTo("write y 2");
    assertThat(h.endOp(2) - h.firstOp(2)).isZero();
    for (int txn = 0; txn < 3; txn++) {
      for (int op = h.firstOp(txn); op < h.endOp(txn); op++) {
        assertThat(h.transactionOf(op)).isEqualTo(txn);
      }
    }
  }

  @Test
  void adoptedBuffersAndRunsGiveTheSameAsSingleOperations() {
    Random random = new Random(3);
    for (int round = 0; round < 30; round++) {
      HistoryBuilder one = new HistoryBuilder();
      HistoryBuilder other = new HistoryBuilder();
      int transactions = 1 + random.nextInt(6);
      for (int t = 0; t < transactions; t++) {
        one.begin(one.session(t % 2), Outcome.COMMITTED);
        other.begin(other.session(t % 2), Outcome.COMMITTED);
      }
      for (int block = 0; block < 4; block++) {
        OpBuffer buffer = new OpBuffer();
        List<int[]> runs = new ArrayList<>();
        for (int r = 0; r < 5; r++) {
          int txn = random.nextInt(transactions);
          int length = random.nextInt(4);
          one.resume(txn);
          for (int i = 0; i < length; i++) {
            long key = random.nextInt(5);
            long value = random.nextInt(10) == 0 ? random.nextLong() >> 1 : random.nextInt(100);
            buffer.add(OpKind.WRITE, key, value);
            one.op(OpKind.WRITE, key, value);
          }
          runs.add(new int[] {txn, length});
        }
        buffer.trim();
        other.adopt(buffer);
        runs.forEach(run -> other.run(run[0], run[1]));
      }
      HistoryAssert.assertSame(other.build(), one.build());
    }
  }

  @Test
  void whatOtherOperationsDoWithAKeySettlesWhatNilAndVectorsMean() {
    HistoryBuilder b = begun();
    b.read("list", null);
    b.append("list", 1);
    b.read("set", null);
    b.add("set", 1);
    b.readList("set", List.of(3, 1, 2));
    b.read("counter", 4);
    b.increment("counter", 1);
    b.read("register", null);
    b.write("vectors", List.of(1L, 2L));
    b.readList("vectors", List.of(1, 2));
    b.readList("onlyread", List.of(7));
    b.read("onlyread", null);
    History h = b.build();
    assertThat(h.text(0)).isEqualTo("read list -> []");
    assertThat(h.kind(2)).isEqualTo(OpKind.SET_READ);
    assertThat(h.text(4)).isEqualTo("read set -> {1 2 3}");
    assertThat(h.kind(5)).isEqualTo(OpKind.COUNTER_READ);
    assertThat(h.text(7)).isEqualTo("read register -> nil");
    assertThat(h.kind(9)).isEqualTo(OpKind.READ);
    assertThat(h.value(9)).isEqualTo(h.value(8));
    assertThat(h.text(11)).isEqualTo("read onlyread -> []");
  }

  @Test
  void readsOfOneListShareATraceWhereTheyAgree() {
    HistoryBuilder b = begun();
    b.append("x", 1);
    b.readList("x", List.of(1));
    b.readList("x", List.of(1, 2, 3));
    b.readList("x", List.of(1, 2));
    b.readList("x", List.of(2, 1));
    b.readList("y", List.of(1, 2));
    History h = b.build();
    Sequences s = h.sequences();
    assertThat(s.trace(h.value(2))).isEqualTo(s.trace(h.value(1)));
    assertThat(s.trace(h.value(3))).isEqualTo(s.trace(h.value(1)));
    assertThat(s.trace(h.value(4))).isNotEqualTo(s.trace(h.value(1)));
    assertThat(h.text(4)).isEqualTo("read x -> [2 1]");
    assertThat(s.isPrefix(h.value(1), h.value(2))).isTrue();
    assertThat(s.isPrefix(h.value(4), h.value(2))).isFalse();
  }

  @Test
  void misuseIsRefused() {
    HistoryBuilder b = new HistoryBuilder();
    assertThatThrownBy(() -> b.write("x", 1)).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> b.begin(0, Outcome.COMMITTED))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> b.scalars().of(new Object()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
