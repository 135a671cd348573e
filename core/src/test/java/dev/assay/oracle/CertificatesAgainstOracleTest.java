package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.oracle.RandomHistories.Shape;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * A certificate of the versions that transactions wrote one after another, for every order of them:
 * no certificate makes a level hold that no order of versions satisfies, and where some order does,
 * one of the certificates proves it.
 */
class CertificatesAgainstOracleTest {
  /** Levels with one order of all commits, which one of the certificates therefore follows. */
  private static final Set<Level> BY_ONE_ORDER =
      EnumSet.of(
          Level.SERIALIZABLE,
          Level.STRONG_SESSION_SERIALIZABLE,
          Level.STRICT_SERIALIZABLE,
          Level.SNAPSHOT_ISOLATION,
          Level.STRONG_SESSION_SNAPSHOT_ISOLATION,
          Level.STRONG_SNAPSHOT_ISOLATION);

  private final Set<Level> proven = EnumSet.noneOf(Level.class);

  @Test
  void someCertificateProvesWhatHoldsAndNoneAnythingElse() {
    RandomHistories plain = new RandomHistories(Shape.committed(4, 2, 3), 71);
    RandomHistories timed = new RandomHistories(Shape.committed(4, 2, 3).withTimes(), 72);
    for (int i = 0; i < 150; i++) {
      compare(plain.registers());
      compare(timed.registers());
    }
    assertThat(proven).containsAll(BY_ONE_ORDER);
  }

  private void compare(SmallHistory small) {
    History history = small.toHistory();
    Set<Level> holding = LevelOracle.holding(small);
    Set<Level> accepted = EnumSet.noneOf(Level.class);
    // The places of all orders are all orders.
    for (int[] order : Orders.of(history.transactionCount())) {
      for (boolean commits : new boolean[] {false, true}) {
        Report report = check(history, order, commits);
        for (Level level : Level.surveyed()) {
          if (report.holds(level)) {
            assertThat(holding)
                .as("%s by %s of\n%s", level, Arrays.toString(order), small)
                .contains(level);
            accepted.add(level);
          }
        }
      }
    }
    for (Level level : BY_ONE_ORDER) {
      boolean askable = !level.needsRealTime() || small.hasTimes();
      if (askable && holding.contains(level)) {
        assertThat(accepted).as("for\n%s", small).contains(level);
        proven.add(level);
      }
    }
  }

  private static Report check(History history, int[] order, boolean withCommits) {
    Map<Integer, List<Integer>> versions = new LinkedHashMap<>();
    for (int txn : order) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.WRITE && history.lastWrite(txn, history.key(op)) == op) {
          versions.computeIfAbsent(history.key(op), key -> new ArrayList<>()).add(op);
        }
      }
    }
    List<VersionCertificate.Chain> chains = new ArrayList<>();
    versions.forEach((key, ops) -> chains.add(new VersionCertificate.Chain(key, ops, true)));
    int[] commits = withCommits ? order : new int[0];
    VersionCertificate certificate =
        new VersionCertificate(chains, new int[0], commits, Map.of(), Map.of());
    Given given = new Given(Assumption.DEFAULT, certificate);
    return Verifier.sample(
        Assay.check(history, Level.surveyed(), given, Budget.unlimited()), given);
  }
}
