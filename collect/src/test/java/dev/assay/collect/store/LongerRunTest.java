package dev.assay.collect.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.Generator;
import dev.assay.collect.oracle.Axiom;
import dev.assay.collect.oracle.CommitOrders;
import dev.assay.collect.oracle.SmallHistory;
import dev.assay.collect.oracle.SmallHistory.Read;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What needs more transactions than an oracle can permute: long version chains, reclaimed versions,
 * backlogs between replicas. Transactions that count appear in the order they took effect, which
 * gives the commit order of every store with one copy.
 */
class LongerRunTest {
  private static WorkloadSpec.Builder busy(int seed) {
    return WorkloadSpec.builder()
        .sessions(6)
        .transactionsPerSession(30)
        .operations(1, 4)
        .keys(8)
        .abortRate(0.05)
        .indeterminateRate(0.05)
        .seed(seed);
  }

  /** Lists are retired soon, so that many are in use over a run. */
  private static WorkloadSpec.Builder busy(int seed, WorkloadKind kind) {
    WorkloadSpec.Builder spec = busy(seed).kind(kind);
    return kind == WorkloadKind.LIST_APPEND ? spec.writesPerKey(12) : spec;
  }

  @ParameterizedTest
  @CsvSource({
    "CAUSAL, CAUSAL, REGISTER",
    "CAUSAL, CAUSAL, READ_MODIFY_WRITE",
    "READ_ATOMIC, READ_ATOMIC, REGISTER",
    "READ_ATOMIC, READ_ATOMIC, LIST_APPEND",
    "READ_COMMITTED, READ_COMMITTED, REGISTER",
    "READ_COMMITTED, READ_COMMITTED, LIST_APPEND",
    "SNAPSHOT_ISOLATION, CAUSAL, LIST_APPEND",
    "SERIALIZABLE, CAUSAL, LIST_APPEND"
  })
  void longHistoriesSatisfyTheLevelToo(StoreLevel level, Axiom axiom, WorkloadKind kind) {
    for (int seed = 0; seed < 5; seed++) {
      SmallHistory small =
          new SmallHistory(new Generator(busy(seed, kind).build(), level).history());
      assertThat(new CommitOrders(small).satisfiesByForcedEdges(axiom)).as("seed " + seed).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(WorkloadKind.class)
  void snapshotTransactionsReadOneMomentAndNobodyOverwroteThemSince(WorkloadKind kind) {
    for (int seed = 0; seed < 5; seed++) {
      WorkloadSpec spec = busy(seed, kind).transactionsPerSession(200).build();
      SmallHistory small =
          new SmallHistory(new Generator(spec, StoreLevel.SNAPSHOT_ISOLATION).history());
      assertEachReadsOneMoment(small, false);
    }
  }

  @ParameterizedTest
  @EnumSource(WorkloadKind.class)
  void serializableTransactionsReadTheMomentTheyCommit(WorkloadKind kind) {
    for (int seed = 0; seed < 5; seed++) {
      WorkloadSpec spec = busy(seed, kind).transactionsPerSession(200).build();
      SmallHistory small = new SmallHistory(new Generator(spec, StoreLevel.SERIALIZABLE).history());
      assertEachReadsOneMoment(small, true);
      WorkloadSpec sure = busy(seed, kind).abortRate(0).indeterminateRate(0).build();
      assertEachReadsOneMoment(
          new SmallHistory(new Generator(sure, StoreLevel.SERIALIZABLE).history()), true);
    }
  }

  @Test
  void serializableTransactionsReadTheMomentTheyCommitOverVeryManyKeys() {
    WorkloadSpec spec = busy(1).keys(2_000_000).build();
    SmallHistory small = new SmallHistory(new Generator(spec, StoreLevel.SERIALIZABLE).history());
    assertThat(small.readAnomalies()).isEmpty();
    assertEachReadsOneMoment(small, true);
  }

  /** Each moment lies after the transactions with smaller numbers took effect. */
  private static void assertEachReadsOneMoment(SmallHistory small, boolean atCommit) {
    Map<Integer, List<Integer>> writers = writersByKey(small);
    Map<Integer, List<Read>> reads = new HashMap<>();
    small.reads().forEach(r -> reads.computeIfAbsent(r.reader(), t -> new ArrayList<>()).add(r));
    for (int txn : small.counted()) {
      int earliest = SmallHistory.INITIAL;
      int latest = txn - 1;
      for (Read read : reads.getOrDefault(txn, List.of())) {
        earliest = Math.max(earliest, read.writer());
        for (int writer : writers.getOrDefault(read.key(), List.of())) {
          if (writer > read.writer() && writer != txn) {
            latest = Math.min(latest, writer - 1);
            break;
          }
        }
      }
      if (atCommit) {
        assertThat(latest).isEqualTo(txn - 1);
      }
      assertThat(earliest).as("transaction %d", txn).isLessThanOrEqualTo(latest);
      for (List<Integer> ofKey : writers.values()) {
        int own = ofKey.indexOf(txn);
        if (own > 0) {
          assertThat(ofKey.get(own - 1)).as("first committer").isLessThanOrEqualTo(latest);
        }
      }
    }
  }

  private static Map<Integer, List<Integer>> writersByKey(SmallHistory small) {
    History history = small.history();
    Map<Integer, List<Integer>> writers = new HashMap<>();
    for (int txn : small.counted()) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        List<Integer> ofKey = writers.computeIfAbsent(history.key(op), k -> new ArrayList<>());
        boolean known = !ofKey.isEmpty() && ofKey.get(ofKey.size() - 1) == txn;
        if (history.kind(op).isWrite() && !known) {
          ofKey.add(txn);
        }
      }
    }
    return writers;
  }

  @ParameterizedTest
  @CsvSource({
    "SERIALIZABLE, false",
    "SNAPSHOT_ISOLATION, false",
    "CAUSAL, true",
    "READ_ATOMIC, true",
    "READ_COMMITTED, true"
  })
  void updatesAreLostBelowSnapshotIsolationOnly(StoreLevel level, boolean lost) {
    WorkloadSpec spec = busy(3).kind(WorkloadKind.READ_MODIFY_WRITE).build();
    SmallHistory small = new SmallHistory(new Generator(spec, level).history());
    Set<List<Integer>> replaced = new HashSet<>();
    int lostUpdates = 0;
    Set<List<Integer>> firstReads = new HashSet<>();
    for (Read read : small.reads()) {
      if (firstReads.add(List.of(read.reader(), read.key()))
          && small.writes(read.reader(), read.key())
          && !replaced.add(List.of(read.key(), read.writer()))) {
        lostUpdates++;
      }
    }
    assertThat(lostUpdates > 0).isEqualTo(lost);
  }

  @Test
  void snapshotIsolationShowsWriteSkew() {
    SmallHistory small =
        new SmallHistory(new Generator(busy(3).build(), StoreLevel.SNAPSHOT_ISOLATION).history());
    Set<List<Integer>> overwrites = new HashSet<>();
    Map<Integer, List<Integer>> writers = writersByKey(small);
    for (Read read : small.reads()) {
      for (int writer : writers.getOrDefault(read.key(), List.of())) {
        if (writer > read.writer() && writer != read.reader()) {
          overwrites.add(List.of(read.reader(), writer));
          break;
        }
      }
    }
    assertThat(overwrites).anyMatch(pair -> overwrites.contains(List.of(pair.get(1), pair.get(0))));
  }
}
