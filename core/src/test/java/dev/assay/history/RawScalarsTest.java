package dev.assay.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RawScalarsTest {
  private final RawScalars scalars = new RawScalars();

  @Test
  void equalScalarsAreOneEntryAndOthersAreNot() {
    List<Object> different =
        List.of(
            "x",
            "y",
            new Keyword("x"),
            1.5,
            -0.0,
            0.0,
            new BigDecimal("1.5"),
            new BigDecimal("1.50"),
            BigInteger.TWO.pow(70),
            Long.MIN_VALUE,
            true,
            List.of(1L, 2L),
            List.of(1L, "2"),
            List.of(List.of(1L), 2L),
            List.of());
    Set<Long> raws = new HashSet<>();
    for (Object scalar : different) {
      long raw = scalars.of(scalar);
      assertThat(scalars.of(scalar)).isEqualTo(raw);
      assertThat(scalars.get(raw)).isEqualTo(scalar);
      raws.add(raw);
    }
    assertThat(raws).hasSameSizeAs(different);
  }

  @Test
  void aVectorIsTheSameHoweverItIsGiven() {
    long raw = scalars.ofVector(new long[] {3, -4, 99}, 2);

    assertThat(scalars.of(List.of(3, -4))).isEqualTo(raw);
    assertThat(scalars.of(Arrays.asList(3L, BigInteger.valueOf(-4)))).isEqualTo(raw);
    assertThat(scalars.ofVector(new long[] {3, -4}, 2)).isEqualTo(raw);
    assertThat(scalars.ofVector(new long[] {3, -4}, 1)).isNotEqualTo(raw);
    assertThat(scalars.get(raw)).isEqualTo(List.of(3L, -4L));
  }

  @Test
  void manyEntriesAreAllFoundAgain() {
    Random random = new Random(5);
    List<Object> added = new ArrayList<>();
    List<Long> raws = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      Object scalar =
          random.nextBoolean()
              ? "t" + random.nextInt(3_000)
              : List.of((long) random.nextInt(60), (long) random.nextInt(60));
      added.add(scalar);
      raws.add(scalars.of(scalar));
    }

    Values values = new Values(scalars);
    for (int i = 0; i < added.size(); i++) {
      assertThat(scalars.of(added.get(i))).isEqualTo(raws.get(i));
      assertThat(values.find(added.get(i))).isEqualTo(values.code(raws.get(i)));
    }
    assertThat(scalars.size()).isEqualTo(2 + new HashSet<>(added).size());
    assertThat(values.find("t3000")).isEqualTo(Values.UNKNOWN);
  }

  @Test
  void textsWhoseHashCodesCollideAreToldApart() {
    List<String> texts = new ArrayList<>(List.of(""));
    for (int length = 0; length < 10; length++) {
      List<String> longer = new ArrayList<>();
      for (String text : texts) {
        longer.add(text + "Aa");
        longer.add(text + "BB");
      }
      texts = longer;
    }
    Set<Long> raws = new HashSet<>();
    Set<Integer> hashes = new HashSet<>();
    for (String text : texts) {
      raws.add(scalars.of(text));
      hashes.add(ScalarHash.of(text));
    }

    assertThat(raws).hasSize(1024);
    assertThat(hashes).hasSizeGreaterThan(1000);
  }
}
