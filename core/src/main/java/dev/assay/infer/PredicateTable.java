package dev.assay.infer;

import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.predicate.Columns;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.EvaluationException;
import java.util.ArrayList;
import java.util.List;

/** The rows that the versions of a history are, and its conditions over them, set up once. */
public final class PredicateTable {
  private final History history;
  private final RowVersions rows;
  private final List<String> problems = new ArrayList<>();
  private RowTable table;
  private PredicateView[] views;

  /**
   * Of a history without a certificate, whose versions have no order but the initial ones first.
   */
  public PredicateTable(History history, ReadsFrom reads) {
    this(history, new RowVersions(history, reads, VersionCertificate.NONE, List.of()));
  }

  PredicateTable(History history, RowVersions rows) {
    this.history = history;
    this.rows = rows;
    try {
      List<String> names = Columns.parse(history.metadata().get(Columns.METADATA));
      table = new RowTable(history, rows, names);
      views = PredicateView.of(history, table, rows, names, problems);
    } catch (ConditionException | EvaluationException e) {
      problems.add(e.getMessage());
    }
  }

  History history() {
    return history;
  }

  RowVersions rows() {
    return rows;
  }

  /** Whether there are rows and conditions; some conditions may still not be understood. */
  boolean isThere() {
    return views != null;
  }

  /** What kept conditions from being understood, for the user; empty if nothing did. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  Object value(int version) {
    return table.value(version);
  }

  /** The condition of a predicate operation; null if it is not understood. */
  PredicateView view(int op) {
    return views[history.predicates().conditionNumber(history.value(op))];
  }
}
