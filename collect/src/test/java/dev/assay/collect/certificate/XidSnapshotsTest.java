package dev.assay.collect.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class XidSnapshotsTest {
  @Test
  void aSnapshotHasTheTransactionsThatTheManualSays() throws Exception {
    Random random = new Random(5);
    for (int round = 0; round < 2_000; round++) {
      List<Long> ids = new ArrayList<>();
      for (long id = 100; id < 100 + random.nextInt(12); id++) {
        if (random.nextInt(4) > 0) {
          ids.add(id);
        }
      }
      // Mostly in order, as a log is, and sometimes not at all.
      for (int swaps = random.nextInt(4); swaps > 0 && ids.size() > 1; swaps--) {
        int at = random.nextInt(ids.size() - 1);
        Collections.swap(ids, at, random.nextBoolean() ? at + 1 : random.nextInt(ids.size()));
      }
      long xmin = 99 + random.nextInt(14);
      long xmax = xmin + random.nextInt(6);
      TreeSet<Long> running = new TreeSet<>();
      for (long id = xmin; id < xmax; id++) {
        if (random.nextBoolean()) {
          running.add(id);
        }
      }
      int own = random.nextInt(3) == 0 && !ids.isEmpty() ? random.nextInt(ids.size()) : -1;
      if (own >= 0 && ids.get(own) < xmin) {
        // One's own id is never below xmin.
        own = -1;
      }
      assertThat(read(ids, xmin, xmax, running, own))
          .isEqualTo(visible(ids, xmin, xmax, running, own));
    }
  }

  private static TreeSet<Integer> read(
      List<Long> ids, long xmin, long xmax, TreeSet<Long> running, int own) throws Exception {
    List<CommitLog.Committed> log = new ArrayList<>();
    ids.forEach(id -> log.add(new CommitLog.Committed(id, null, null, List.of())));
    String list = String.join(",", running.stream().map(String::valueOf).toList());
    Snapshots.Visible read = new XidSnapshots(log).read(xmin + ":" + xmax + ":" + list, own);
    TreeSet<Integer> places = new TreeSet<>();
    for (int place = 0; place < read.upTo(); place++) {
      places.add(place);
    }
    for (int place : read.except()) {
      assertThat(places.remove(place)).isTrue();
    }
    return places;
  }

  private static TreeSet<Integer> visible(
      List<Long> ids, long xmin, long xmax, TreeSet<Long> running, int own) {
    TreeSet<Integer> places = new TreeSet<>();
    for (int place = 0; place < ids.size(); place++) {
      long id = ids.get(place);
      boolean ended = id < xmin || (id < xmax && !running.contains(id));
      if (ended && place != own) {
        places.add(place);
      }
    }
    return places;
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1:2", "1:2:x", "a:2:", "1:2:3:4"})
  void whatIsNoSnapshotIsRefused(String text) {
    assertThatThrownBy(() -> new XidSnapshots(List.of()).read(text, -1))
        .isInstanceOf(CertificateException.class)
        .hasMessage("'" + text + "' is not a snapshot of PostgreSQL");
  }
}
