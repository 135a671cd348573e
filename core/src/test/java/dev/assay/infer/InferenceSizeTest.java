package dev.assay.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.type.SetDependencies;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What is inferred stays about as large as the history. */
class InferenceSizeTest {
  private static final int SESSIONS = 20;

  /** Transactions of a serial store, each in a span of time that overlaps those around it. */
  private static History registers(int txns, int keys) {
    Random random = new Random(3);
    HistoryBuilder b = new HistoryBuilder();
    int[] version = new int[keys];
    int[] next = new int[keys];
    long[] free = new long[SESSIONS];
    for (int t = 0; t < txns; t++) {
      int txn = b.begin(b.session(t % SESSIONS), Outcome.COMMITTED);
      long moment = 100L * t;
      b.start(txn, Math.max(free[t % SESSIONS] + 1, moment - random.nextInt(1_000)));
      free[t % SESSIONS] = moment + 1 + random.nextInt(900);
      b.end(txn, free[t % SESSIONS]);
      b.commitTs(txn, moment);
      b.snapshotTs(txn, moment - 50);
      b.serialPosition(txn, t);
      for (int i = random.nextInt(5); i >= 0; i--) {
        int key = random.nextInt(keys);
        if (random.nextBoolean()) {
          version[key] = ++next[key];
          b.write((long) key, version[key]);
        } else {
          b.read((long) key, version[key] == 0 ? null : (Object) version[key]);
        }
      }
    }
    return b.build();
  }

  @Test
  void versionOrdersOfOneHundredThousandTransactionsAreLinear() {
    History history = registers(100_000, 100);
    ReadsFrom reads = ReadsFrom.of(history);
    Given everything = new Given(EnumSet.allOf(Assumption.class), VersionCertificate.NONE);
    RegisterVersions versions = new RegisterVersions(history, reads, everything);
    assertThat(versions.cycles()).isEmpty();
    assertThat(versions.notes()).isEmpty();
    assertThat(versions.order().size())
        .isBetween(history.operationCount(), 5 * history.operationCount());
    assertThat(versions.chains().size()).isLessThan(history.operationCount());
    assertThat(versions.known().total()).isEqualTo(100);
  }

  @Test
  void versionsThatAllOverlapAreLeftOutWithANoteInsteadOfListedPairByPair() {
    HistoryBuilder b = new HistoryBuilder();
    for (int t = 0; t < 20_000; t++) {
      int txn = b.begin(b.session(t), Outcome.COMMITTED);
      b.start(txn, t < 10_000 ? 0 : 2);
      b.end(txn, t < 10_000 ? 1 : 3);
      b.write("x", t);
    }
    History history = b.build();
    Given given = new Given(EnumSet.of(Assumption.LINEARIZABLE_KEYS), VersionCertificate.NONE);
    RegisterVersions versions = new RegisterVersions(history, ReadsFrom.of(history), given);
    assertThat(versions.order().size()).isZero();
    assertThat(versions.notes())
        .containsExactly(
            "linearizable-keys was not used for key x, where too many versions overlap in time");
  }

  @Test
  void dependenciesOfSetsAreAboutAsManyAsTheElementsInTheFile() {
    Random random = new Random(4);
    HistoryBuilder b = new HistoryBuilder();
    List<Long> state = new ArrayList<>();
    long elements = 0;
    for (int t = 0; t < 20_000; t++) {
      b.begin(b.session(t % SESSIONS), Outcome.COMMITTED);
      long key = t / 200;
      if (t % 200 == 0) {
        state.clear();
      }
      if (random.nextBoolean()) {
        b.add(key, (long) t);
        state.add((long) t);
        elements++;
      } else {
        b.readSet(key, state);
        elements += 1 + state.size();
      }
    }
    History history = b.build();
    SetDependencies found = new SetDependencies(history, ReadsFrom.of(history));
    assertThat(found.incompleteKeys()).isZero();
    assertThat((long) found.wr().size() + found.rw().size()).isLessThan(2 * elements);
  }
}
