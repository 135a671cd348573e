package dev.assay.check.predicate;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.graph.EdgeList;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.infer.predicates.Deadline;
import dev.assay.infer.predicates.PredicateTable;
import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Finds phantoms without help from the database: decides read committed and the levels at which a
 * transaction sees one version of each key from predicate results, where no certificate decides
 * them.
 */
public final class PredicateChecker implements LevelChecker {
  @Override
  public String name() {
    return "predicates";
  }

  @Override
  public Findings check(Subject subject) {
    if (!subject.history().uses(OpKind.Type.PREDICATE)) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    EdgeList before = certifiedBefore(subject);
    boolean saysAll = saysAll(subject);
    if (saysAll && before == null) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    try {
      Deadline deadline = new Deadline(subject.budget()::expired);
      PredicateTable table = new PredicateTable(subject.history(), subject.reads(), deadline);
      Map<Level, Verdict> certified =
          before == null ? Map.of() : CommittedLevels.byCertificate(subject, table, before);
      return saysAll
          ? new Findings(certified, List.of(), List.of())
          : withResults(subject, table, certified);
    } catch (Deadline.Expired e) {
      return new Findings(Map.of(), List.of(), List.of());
    }
  }

  /** The order of commits by a certificate; null if it is not needed or not known. */
  private static EdgeList certifiedBefore(Subject subject) {
    boolean given = !subject.versions().given().certificate().isEmpty();
    return given && CommittedLevels.isAskedFor(subject)
        ? subject.versions().certifiedBefore()
        : null;
  }

  /** Whether a certificate gives the versions that every predicate operation saw. */
  private static boolean saysAll(Subject subject) {
    VersionCertificate certificate = subject.versions().given().certificate();
    return !certificate.isEmpty()
        && (certificate.order().length > 0 || subject.versions().knowPredicateSnapshots());
  }

  /**
   * What the results prove with an incomplete certificate or none. That they can be explained
   * proves nothing if the certificate gives what some operations saw, because the explaining order
   * need not agree with it.
   */
  private static Findings withResults(
      Subject subject, PredicateTable table, Map<Level, Verdict> certified) {
    Findings found = new ResultsRun(subject, table).findings();
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    verdicts.putAll(found.verdicts());
    if (subject.versions().given().certificate().hasVersionSets()) {
      verdicts.values().removeIf(Verdict.Holds.class::isInstance);
    }
    certified.forEach(verdicts::putIfAbsent);
    return new Findings(verdicts, found.anomalies(), found.notes());
  }
}
