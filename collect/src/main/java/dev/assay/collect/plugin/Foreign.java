package dev.assay.collect.plugin;

import dev.assay.check.Findings;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.level.Level;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A third-party checker: if it fails, its verdict is unknown, which is not a defect of Assay. */
record Foreign(LevelChecker checker) implements LevelChecker {
  @Override
  public String name() {
    return checker.name();
  }

  @Override
  public Findings check(Subject subject) {
    try {
      return checker.check(subject);
    } catch (RuntimeException | LinkageError | StackOverflowError e) {
      Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
      for (Level level : subject.levels()) {
        verdicts.put(
            level, new Verdict.Unknown(Verdict.Reason.UNSUPPORTED, name() + " failed: " + e));
      }
      return new Findings(verdicts, List.of(), List.of());
    }
  }
}
