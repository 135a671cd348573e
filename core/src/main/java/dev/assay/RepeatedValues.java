package dev.assay;

import dev.assay.check.Budget;
import dev.assay.check.ReadConsistency;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.VersionOrders;
import dev.assay.infer.writers.WriterChoices;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.resolve.Given;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Settles what stays open because values were written more than once, by going over all choices of
 * writers where these are few. Checkers that choose writers themselves leave out those that make a
 * read inconsistent; some levels allow these.
 */
final class RepeatedValues {
  private RepeatedValues() {}

  static Report settle(
      Report report, VersionOrders versions, Budget budget, Stages stages, Pipeline.Again again) {
    Set<Level> open = report.open(Verdict.Reason.AMBIGUOUS);
    History history = report.history();
    if (open.isEmpty()
        || history.operationCount() > ExhaustiveSearch.MAX_OPERATIONS
        || history.uses(OpKind.Type.PREDICATE)
        || versions.given().certificate() != VersionCertificate.NONE) {
      return report;
    }
    Stages.Stage stage = stages.enter("repeated values");
    Report settled = report;
    for (WriterChoices.Sources sources : WriterChoices.Sources.values()) {
      Set<Level> asked = EnumSet.copyOf(open);
      asked.removeIf(level -> sources(level) != sources);
      if (!asked.isEmpty()) {
        long most =
            Math.min(
                ExhaustiveSearch.MAX_CHOICES,
                ExhaustiveSearch.MAX_OPERATIONS / Math.max(1, history.operationCount()));
        WriterChoices choices = WriterChoices.of(history, sources, most, budget::expired);
        if (choices != null) {
          settled =
              ExhaustiveSearch.settle(
                  settled, asked, new Writers(choices, versions.given()), budget, again);
        }
      }
    }
    stage.end();
    return settled;
  }

  /** Reads of other writes violate the level by themselves. */
  private static WriterChoices.Sources sources(Level level) {
    if (AnomalyType.INTERMEDIATE_READ.forbiddenBy().contains(level)) {
      return WriterChoices.Sources.FINAL;
    }
    return AnomalyType.ABORTED_READ.forbiddenBy().contains(level)
        ? WriterChoices.Sources.COMMITTED
        : WriterChoices.Sources.ANY;
  }

  /** The writers of values that were written more than once. */
  private record Writers(WriterChoices choices, Given given) implements ExhaustiveSearch.Choices {
    @Override
    public ExhaustiveSearch.Choice choice() {
      if (!choices.isPossible()) {
        return null;
      }
      return new ExhaustiveSearch.Choice(choices.rewriting(), given, List.of());
    }

    @Override
    public boolean advance() {
      return choices.advance();
    }

    @Override
    public boolean cutShort() {
      return false;
    }

    @Override
    public String holds() {
      return "some choice of writers satisfies every read";
    }

    @Override
    public String note() {
      return ReadConsistency.ONE_CHOICE;
    }
  }
}
