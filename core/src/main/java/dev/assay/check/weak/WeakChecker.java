package dev.assay.check.weak;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.infer.KeyAccess;
import dev.assay.infer.ListVersions;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Decides causal, read atomic, read committed, monotonic atomic view and the session guarantees for
 * registers and lists. A level that a stronger one found to hold implies is not looked at again.
 *
 * <p>When the first guess at a commit order already explains every read as if transactions had run
 * one after another, that is a serial order, and everything up to strong session serializability
 * holds at once.
 */
public final class WeakChecker implements LevelChecker {
  @Override
  public String name() {
    return "weak-levels";
  }

  @Override
  public Findings check(Subject subject) {
    if (wantedAxioms(subject).isEmpty()) {
      return new Findings(Map.of(), List.of(), List.of());
    }
    return new Run(subject).findings();
  }

  /** The axioms that a wanted level rests on. */
  private static List<Axiom> wantedAxioms(Subject subject) {
    List<Axiom> axioms = new ArrayList<>();
    for (Axiom axiom : Axiom.values()) {
      if (subject.levels().stream().anyMatch(level -> level.implies(axiom.level()))) {
        axioms.add(axiom);
      }
    }
    return axioms;
  }

  private static final class Run {
    private final Subject subject;
    private final Causality causality;
    private final List<KeyAccess> access;
    private final OrderSearch search;
    private final Patterns patterns;
    private final Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    private final String unexamined;

    Run(Subject subject) {
      this.subject = subject;
      History history = subject.history();
      this.unexamined = unexamined(history);
      ListVersions lists = new ListVersions(history, subject.reads());
      this.access = new ArrayList<>(subject.reads().access());
      access.add(lists.access());
      this.causality = new Causality(history, subject.reads(), lists.order());
      this.search = OrderSearch.of(causality, true, access, subject.budget());
      this.patterns = new Patterns(search, subject.budget());
    }

    Findings findings() {
      List<Axiom> axioms = wantedAxioms(subject);
      if (search.circles().any()) {
        patterns.addCircles(search, axioms);
      } else if (search.firstGuessIsSerial()) {
        hold(Level.STRONG_SESSION_SERIALIZABLE, "a serial order explains every read");
      }
      for (Axiom axiom : axioms) {
        if (!settled(axiom.level())) {
          decide(axiom);
        }
      }
      return new Findings(verdicts, patterns.anomalies(), List.of());
    }

    private boolean settled(Level level) {
      return verdicts.entrySet().stream()
          .anyMatch(e -> e.getValue() instanceof Verdict.Holds && e.getKey().implies(level));
    }

    private void decide(Axiom axiom) {
      OrderSearch own =
          axiom.sessions() ? search : OrderSearch.of(causality, false, access, subject.budget());
      if (own != search && own.circles().any()) {
        patterns.addCircles(own, List.of(axiom));
      }
      OrderSearch.Result result = own.run(axiom);
      if (result instanceof OrderSearch.Result.Refuted refuted) {
        patterns.add(axiom, own, refuted);
      } else if (result instanceof OrderSearch.Result.Expired) {
        verdicts.put(
            axiom.level(),
            new Verdict.Unknown(Verdict.Reason.TIMEOUT, "the time given ran out; see --timeout"));
      } else if (!own.circles().any()) {
        hold(axiom.level(), "a commit order satisfies every read");
      }
    }

    private void hold(Level level, String why) {
      verdicts.put(
          level,
          unexamined == null
              ? new Verdict.Holds(why)
              : new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, unexamined));
    }

    /** Why nothing can be said to hold, or null. */
    private static String unexamined(History history) {
      for (int op = 0; op < history.operationCount(); op++) {
        OpKind.Type type = history.kind(op).type();
        if (type != OpKind.Type.REGISTER && type != OpKind.Type.LIST) {
          return "only registers and lists were examined, and nothing was found there";
        }
      }
      return null;
    }
  }
}
