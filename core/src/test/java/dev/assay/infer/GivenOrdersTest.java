package dev.assay.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Anomaly;
import dev.assay.check.adya.CyclicVersions;
import dev.assay.graph.RealTimeChain;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.Chain;
import dev.assay.level.AnomalyType;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import dev.assay.resolve.ReadsFrom;
import dev.assay.resolve.Reason;
import dev.assay.type.KnownOrders;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Version orders from certificates, positions and timestamps. */
class GivenOrdersTest {
  private final HistoryBuilder b = new HistoryBuilder();

  private int begin() {
    return b.begin(b.session(b.transactionCount()), Outcome.COMMITTED);
  }

  private History built;

  private RegisterVersions registers(VersionCertificate certificate, Assumption... assumptions) {
    built = built == null ? b.build() : built;
    History history = built;
    Given given = new Given(Set.of(assumptions), certificate);
    return new RegisterVersions(history, ReadsFrom.of(history), given);
  }

  private static VersionCertificate chain(Integer... writes) {
    return new VersionCertificate(List.of(new Chain(0, List.of(writes), true)), new int[0]);
  }

  private void threeWrites() {
    for (int i = 1; i <= 3; i++) {
      begin();
      b.write("x", i);
    }
  }

  @Test
  void aCertificateOrdersTheVersionsItLists() {
    threeWrites();
    RegisterVersions versions = registers(chain(VersionCertificate.INITIAL, 2, 0, 1));
    assertThat(versions.order().size()).isEqualTo(2);
    assertThat(versions.order().from(0)).isEqualTo(2);
    assertThat(versions.order().to(0)).isZero();
    assertThat(versions.reason(versions.order().mark(0)))
        .isEqualTo(new Reason(Reason.Source.CERTIFICATE, 2, 0));
    assertThat(versions.contradictions()).isEmpty();
    assertThat(versions.known()).isEqualTo(new KnownOrders(1, 0, 0));
  }

  @Test
  void aCertificateThatPutsTheInitialVersionLaterContradictsTheHistory() {
    threeWrites();
    RegisterVersions versions = registers(chain(0, VersionCertificate.INITIAL));
    assertThat(versions.contradictions()).hasSize(1);
    assertThat(versions.order().size()).isZero();
  }

  @Test
  void aCertificateAgainstAReadModifyWriteContradictsTheHistory() {
    begin();
    b.write("x", 1);
    begin();
    b.read("x", 1);
    b.write("x", 2);
    RegisterVersions versions = registers(chain(2, 0));
    assertThat(versions.order().size()).isZero();
    List<Anomaly> anomalies =
        CyclicVersions.anomalies(
            built,
            Given.NOTHING,
            AnomalyType.CERTIFICATE_CONTRADICTION,
            versions.contradictions(),
            3);
    assertThat(anomalies).hasSize(1);
    assertThat(anomalies.get(0).witnesses().get(0).edges()).hasSize(2);
  }

  @Test
  void aSerializationOrderAgainstAReadModifyWriteContradictsTheHistory() {
    begin();
    b.write("x", 1);
    begin();
    b.read("x", 1);
    b.write("x", 2);
    RegisterVersions versions = registers(new VersionCertificate(List.of(), new int[] {1, 0}));
    assertThat(versions.contradictions()).hasSize(1);
    assertThat(versions.cycles()).isEmpty();
    assertThat(versions.order().size()).isZero();
  }

  @Test
  void anAssumptionAgainstTheCertificateIsDroppedAndTheCertificateStays() {
    threeWrites();
    b.commitTs(0, 1);
    b.commitTs(1, 2);
    b.commitTs(2, 3);
    RegisterVersions versions = registers(chain(1, 0), Assumption.TIMESTAMPS);
    assertThat(versions.cycles()).hasSize(1);
    assertThat(versions.cycles().get(0).dropped()).isEqualTo(Reason.Source.TIMESTAMPS);
    assertThat(versions.order().size()).isEqualTo(1);
  }

  @Test
  void equalAndMissingTimestampsAndPositionsOrderNothing() {
    threeWrites();
    b.commitTs(0, 5);
    b.commitTs(1, 5);
    b.serialPosition(2, 1);
    RegisterVersions versions = registers(VersionCertificate.NONE, Assumption.TIMESTAMPS);
    assertThat(versions.order().size()).isZero();
    assertThat(registers(VersionCertificate.NONE, Assumption.TRANSACTION_ORDER).order().size())
        .isZero();
    assertThat(versions.known()).isEqualTo(new KnownOrders(0, 0, 1));
  }

  @Test
  void assumptionsThatHaveNothingToGoByAreNoted() {
    threeWrites();
    RegisterVersions versions =
        registers(
            VersionCertificate.NONE,
            Assumption.LINEARIZABLE_KEYS,
            Assumption.TIMESTAMPS,
            Assumption.TRANSACTION_ORDER);
    assertThat(versions.order().size()).isZero();
    assertThat(versions.notes())
        .containsExactly(
            "linearizable-keys orders nothing: the history has no times",
            "timestamps orders nothing: the history has no database timestamps",
            "transaction-order orders nothing: the history has no expected serialization order");
  }

  @Test
  void positionsOrderTheVersionsOfTheirWriters() {
    threeWrites();
    b.serialPosition(0, 30);
    b.serialPosition(1, 10);
    b.serialPosition(2, 20);
    RegisterVersions versions = registers(VersionCertificate.NONE, Assumption.TRANSACTION_ORDER);
    assertThat(versions.order().size()).isEqualTo(2);
    assertThat(versions.known()).isEqualTo(new KnownOrders(1, 0, 0));
  }

  @Test
  void aListsCertificateAddsOrderOrContradictsWhatReadsShow() {
    for (int i = 1; i <= 3; i++) {
      begin();
      b.append("l", i);
    }
    begin();
    b.readList("l", List.of(1L));
    History history = b.build();
    ReadsFrom reads = ReadsFrom.of(history);
    ListVersions lists = new ListVersions(history, reads);
    GivenLists agrees = new GivenLists(history, reads, lists, chain(0, 2, 1));
    assertThat(agrees.contradictions()).isEmpty();
    assertThat(agrees.order().size()).isEqualTo(2);
    GivenLists contradicts = new GivenLists(history, reads, lists, chain(2, 0, 1));
    assertThat(contradicts.contradictions()).hasSize(1);
    assertThat(contradicts.order().size()).isZero();
  }

  @Test
  void snapshotsFollowCommitsAtOrBeforeThem() {
    long[][] spans = {{1, 5}, {5, 7}, {6, 9}, {7, 7}, {7, 7}, {9, 12}};
    for (long[] span : spans) {
      int txn = begin();
      b.write("k" + txn, 1);
      b.snapshotTs(txn, span[0]);
      b.commitTs(txn, span[1]);
    }
    History history = b.build();
    // Transactions first, then instants.
    boolean[][] reached = new boolean[12][12];
    TimestampOrder.build(
        history,
        ReadsFrom.of(history),
        new RealTimeChain.Sink() {
          private int instants = 6;

          @Override
          public int instant(int before) {
            if (before >= 0) {
              reached[before][instants] = true;
            }
            return instants++;
          }

          @Override
          public void ended(int txn, int instant) {
            reached[txn][instant] = true;
          }

          @Override
          public void began(int instant, int txn) {
            reached[instant][txn] = true;
          }
        });
    for (int k = 0; k < 12; k++) {
      for (int i = 0; i < 12; i++) {
        for (int j = 0; j < 12; j++) {
          reached[i][j] |= reached[i][k] && reached[k][j];
        }
      }
    }
    for (int i = 0; i < 6; i++) {
      for (int j = 0; j < 6; j++) {
        boolean before = i != j && spans[i][1] > spans[i][0] && spans[i][1] <= spans[j][0];
        assertThat(reached[i][j]).as(i + " before " + j).isEqualTo(before);
      }
    }
  }
}
