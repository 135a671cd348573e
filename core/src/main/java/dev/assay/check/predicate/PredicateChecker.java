package dev.assay.check.predicate;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Finds phantoms on any database: decides the levels at which a transaction sees one version of
 * each key, and read committed, by what predicate results tell, as far as no certificate does.
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
    VersionCertificate certificate = subject.versions().given().certificate();
    if (certificate.isEmpty()) {
      return new ResultsRun(subject).findings();
    }
    Map<Level, Verdict> certified = CommittedLevels.byCertificate(subject);
    boolean saysAll = certificate.order().length > 0 || subject.versions().tellWhatPredicatesSaw();
    return saysAll
        ? new Findings(certified, List.of(), List.of())
        : withResults(subject, certified);
  }

  /**
   * What a certificate that says too little proves together with the results. That they can be
   * explained proves nothing where it says what some operations looked at, because an order that
   * explains them need not agree with that.
   */
  private static Findings withResults(Subject subject, Map<Level, Verdict> certified) {
    Findings found = new ResultsRun(subject).findings();
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    verdicts.putAll(found.verdicts());
    if (subject.versions().given().certificate().hasVersionSets()) {
      verdicts.values().removeIf(Verdict.Holds.class::isInstance);
    }
    certified.forEach(verdicts::putIfAbsent);
    return new Findings(verdicts, found.anomalies(), found.notes());
  }
}
