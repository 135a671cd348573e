package dev.assay.oracle.predicate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.oracle.predicate.TestStore.Defect;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A serializable store is accepted by its certificate and its serial order; a broken one is not.
 */
class PlantedDefectsTest {
  private static final int SEEDS = 5;
  private static final int TRANSACTIONS = 300;

  private static Report byCertificate(TestStore.Run run) {
    History history = run.history().toHistory();
    return check(history, run.certificate().of(history));
  }

  private static Report bySerialOrder(TestStore.Run run) {
    int[] order = run.certificate().commits().stream().mapToInt(Integer::intValue).toArray();
    return check(run.history().toHistory(), new VersionCertificate(List.of(), order));
  }

  private static Report check(History history, VersionCertificate certificate) {
    Given given = new Given(Assumption.DEFAULT, certificate);
    return Assay.check(history, Set.of(Level.SERIALIZABLE), given, Budget.unlimited());
  }

  private static void assertCaught(Defect defect) {
    for (int seed = 0; seed < SEEDS; seed++) {
      TestStore.Run run = new TestStore(defect, seed).run(TRANSACTIONS);
      assertThat(byCertificate(run).violated(Level.SERIALIZABLE)).as("seed " + seed).isTrue();
      assertThat(bySerialOrder(run).violated(Level.SERIALIZABLE)).as("seed " + seed).isTrue();
    }
  }

  @Test
  void aSerializableStoreIsAccepted() {
    for (int seed = 0; seed < SEEDS; seed++) {
      TestStore.Run run = new TestStore(Defect.NONE, seed).run(TRANSACTIONS);
      assertThat(byCertificate(run).verdict(Level.SERIALIZABLE).id()).isEqualTo("holds");
      assertThat(bySerialOrder(run).verdict(Level.SERIALIZABLE).id()).isEqualTo("holds");
    }
  }

  @Test
  void aMissedPhantomLockIsCaught() {
    assertCaught(Defect.MISSED_PHANTOM_LOCK);
  }

  @Test
  void aStaleSnapshotIsCaught() {
    assertCaught(Defect.STALE_SNAPSHOT);
  }

  @Test
  void aReorderedCommitIsCaught() {
    assertCaught(Defect.REORDERED_COMMIT);
  }

  @Test
  void aLostPredicateUpdateIsCaught() {
    assertCaught(Defect.LOST_PREDICATE_UPDATE);
  }
}
