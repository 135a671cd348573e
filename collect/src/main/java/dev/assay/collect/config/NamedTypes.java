package dev.assay.collect.config;

import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/** Types of values with names from elsewhere. */
final class NamedTypes {
  private NamedTypes() {}

  static ValueType<Level> level() {
    return new ValueType<>() {
      @Override
      public Level parse(String text) {
        return Names.level(text);
      }

      @Override
      public List<String> choices() {
        return Level.surveyed().stream().map(Level::id).toList();
      }
    };
  }

  static ValueType<Set<Assumption>> assumptions() {
    return new ValueType<>() {
      @Override
      public Set<Assumption> parse(String text) {
        return Names.assumptions(text);
      }

      @Override
      public List<String> choices() {
        return Arrays.stream(Assumption.values())
            .filter(one -> !Assumption.DEFAULT.contains(one))
            .map(Assumption::id)
            .toList();
      }
    };
  }
}
