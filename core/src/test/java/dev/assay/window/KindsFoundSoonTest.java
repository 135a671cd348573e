package dev.assay.window;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.history.History;
import dev.assay.history.OpKind.Type;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Where all levels are known to be violated, the search for kinds of cycles is short. Both limits
 * of what it may miss matter: with a quarter of its steps it misses twice as many kinds, and if it
 * misses none it is not short.
 */
class KindsFoundSoonTest {
  private static final int HISTORIES = 30;
  private static final int TRANSACTIONS = 1_500;
  private static final int DISTURBED = 10;

  @Test
  void aShortSearchNamesAllButOneKindInAHundred() {
    int kinds = 0;
    int missed = 0;
    for (int seed = 0; seed < HISTORIES; seed++) {
      History history = history(seed);
      CheckOptions options = CheckOptions.of(Level.surveyed());
      Set<AnomalyType> all = types(Assay.check(history, options));
      Set<AnomalyType> soon = types(Assay.check(history, options.searchingFor(Set.of())));
      assertThat(all).as("seed " + seed).containsAll(soon);
      kinds += all.size();
      missed += all.size() - soon.size();
    }
    assertThat(kinds).isGreaterThan(600);
    assertThat(missed).isBetween(1, 8);
  }

  private static History history(int seed) {
    Streams.Store[] stores = Streams.Store.values();
    Streams.Shape shape =
        new Streams.Shape(
            stores[seed % stores.length],
            List.of(Type.LIST),
            8,
            4,
            20,
            DISTURBED,
            false,
            Streams.Clock.FINE,
            0,
            false);
    return Line.history(Streams.record(shape, TRANSACTIONS, new Random(seed)), Streams.nothing());
  }

  private static Set<AnomalyType> types(Report report) {
    Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);
    report.anomalies().stream().map(Anomaly::type).forEach(types::add);
    return types;
  }
}
