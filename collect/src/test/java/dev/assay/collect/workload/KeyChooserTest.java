package dev.assay.collect.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyChooserTest {
  private static final int DRAWS = 200_000;

  private static double[] shares(Distribution distribution, int keys) {
    KeyChooser chooser = new KeyChooser(distribution, keys);
    SplitMix random = new SplitMix(3);
    double[] shares = new double[keys];
    for (int i = 0; i < DRAWS; i++) {
      shares[chooser.next(random)] += 1.0 / DRAWS;
    }
    return shares;
  }

  @Test
  void uniformDrawsEveryKeyEquallyOften() {
    for (double share : shares(Distribution.UNIFORM, 10)) {
      assertThat(share).isCloseTo(0.1, within(0.005));
    }
  }

  @Test
  void hotspotDrawsFourInFiveFromTheFirstFifthAndTheRestFromAll() {
    double[] shares = shares(Distribution.HOTSPOT, 10);
    assertThat(shares[0] + shares[1]).isCloseTo(0.8 + 0.2 * 0.2, within(0.005));
    assertThat(shares[9]).isCloseTo(0.02, within(0.002));
  }

  @Test
  void zipfDrawsTheFirstKeysByTheirRank() {
    double[] shares = shares(Distribution.ZIPF, 1000);
    double zeta = KeyChooser.zeta(1000);
    assertThat(shares[0]).isCloseTo(1 / zeta, within(0.005));
    assertThat(shares[1]).isCloseTo(Math.pow(2, -0.99) / zeta, within(0.005));
    assertThat(shares[0]).isGreaterThan(10 * shares[30]);
  }

  @Test
  void theZetaOfManyKeysIsTheSameWithoutAddingThemAll() {
    int n = 3_000_000;
    double sum = 0;
    for (int i = 1; i <= n; i++) {
      sum += Math.pow(i, -0.99);
    }
    assertThat(KeyChooser.zeta(n)).isCloseTo(sum, within(1e-6));
  }

  @ParameterizedTest
  @EnumSource(Distribution.class)
  void fewKeysAreNoProblem(Distribution distribution) {
    for (int keys = 1; keys <= 4; keys++) {
      for (double share : shares(distribution, keys)) {
        assertThat(share).as("%d keys", keys).isPositive();
      }
    }
  }
}
