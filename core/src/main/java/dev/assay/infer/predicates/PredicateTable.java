package dev.assay.infer.predicates;

import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.RowVersions;
import dev.assay.predicate.Columns;
import dev.assay.predicate.ConditionException;
import dev.assay.predicate.Conditions;
import dev.assay.predicate.EvaluationException;
import dev.assay.resolve.ReadsFrom;
import java.util.ArrayList;
import java.util.List;

/** The versions of a history as rows, and its queries over them, set up once. */
public final class PredicateTable {
  private final History history;
  private final RowVersions rows;
  private final List<String> problems = new ArrayList<>();
  private RowTable table;
  private Query[] queries;
  private IndexedQuery[] indexed;

  /**
   * For a history without a certificate, whose versions are unordered except that the initial ones
   * come first.
   *
   * @throws Deadline.Expired if there is no time left
   */
  public PredicateTable(History history, ReadsFrom reads, Deadline deadline) {
    this(history, new RowVersions(history, reads, VersionCertificate.NONE, List.of()), deadline);
  }

  PredicateTable(History history, RowVersions rows, Deadline deadline) {
    this.history = history;
    this.rows = rows;
    try {
      List<String> names = Columns.parse(history.metadata().get(Columns.METADATA));
      deadline.spend(rows.versions());
      table = new RowTable(history, rows, names);
      index(Columns.of(names), deadline);
    } catch (ConditionException | EvaluationException e) {
      problems.add(e.getMessage());
    }
  }

  private void index(Columns columns, Deadline deadline) {
    Conditions conditions = Conditions.of(history.predicates());
    queries = new Query[conditions.count()];
    indexed = new IndexedQuery[queries.length];
    for (int number = 0; number < queries.length; number++) {
      try {
        queries[number] = new Query(conditions.get(number), columns);
        indexed[number] = new IndexedQuery(queries[number], table);
        deadline.spend(indexed[number].candidateCount());
      } catch (ConditionException e) {
        if (problems.isEmpty()) {
          problems.add(e.getMessage());
        }
      }
    }
  }

  History history() {
    return history;
  }

  RowVersions rows() {
    return rows;
  }

  /** Whether there are rows and queries; some queries may still not be understood. */
  boolean isThere() {
    return indexed != null;
  }

  /** Why some conditions could not be evaluated, for the user; empty if all could. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  Object value(int version) {
    return table.value(version);
  }

  /** The query of a predicate operation; null if its condition cannot be evaluated. */
  IndexedQuery query(int op) {
    return indexed[history.predicates().conditionNumber(history.value(op))];
  }

  /** What explains the results of these queries. */
  ResultExplainer explainer() {
    return new ResultExplainer(history, queries, table.keys());
  }
}
