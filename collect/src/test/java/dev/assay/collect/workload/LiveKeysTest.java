package dev.assay.collect.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LiveKeysTest {
  private static final int PLACES = 5;
  private static final int WRITES = 32;

  private final LiveKeys keys = new LiveKeys(WorkloadKind.LIST_APPEND, PLACES, WRITES);
  private final SplitMix random = new SplitMix(1);

  /** A key whose read was not committed is offered again, and then the key in use. */
  @Test
  void retiredKeysAreReadUntilOneWhoReadThemCommits() {
    long first = keys.claim(0);
    for (int i = 1; i < WRITES; i++) {
      assertThat(keys.claim(0)).isEqualTo(first);
      assertThat(keys.toRead(0)).isEqualTo(first);
    }
    long second = keys.claim(0);
    assertThat(second).isNotEqualTo(first);
    assertThat(keys.toRead(0)).as("others may still write the one before").isEqualTo(second);
    for (int i = 1; i < 8; i++) {
      keys.claim(0);
    }
    assertThat(keys.toRead(0)).isEqualTo(first);
    assertThat(keys.toRead(0)).isEqualTo(first);
    keys.seen(0, first);
    assertThat(keys.toRead(0)).isEqualTo(second);
    keys.seen(0, second);
    assertThat(keys.toRead(0)).isEqualTo(second);
  }

  @Test
  void everyKeyIsReadAfterItsLastWrite() {
    Set<Long> unread = new HashSet<>();
    Set<Long> ended = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      int place = random.below(PLACES);
      if (random.chance(0.5)) {
        unread.add(keys.claim(place));
      } else {
        long key = keys.toRead(place);
        boolean committed = random.chance(0.6);
        if (committed) {
          keys.seen(place, key);
        }
        if (committed && key != keys.current(place)) {
          ended.add(key);
        }
      }
    }
    unread.removeAll(ended);
    assertThat(ended).hasSizeGreaterThan(200);
    assertThat(unread).as("at most the last two of each place").hasSizeLessThanOrEqualTo(10);
  }
}
