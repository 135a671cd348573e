package dev.assay.collect.config;

import dev.assay.collect.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Which values a parameter takes, and how they are written. Those of the table are classes and not
 * lambdas: every command makes them all, and a lambda takes ten times as long to link.
 */
public interface ValueType<T> {
  /** The value of a text; {@link UsageException} says what is wrong with it. */
  T parse(String text);

  /** The value of a field of a JSON file. */
  default T read(Object json) {
    return parse(Json.text(json));
  }

  /** The names to choose from; empty if values are not names. */
  default List<String> choices() {
    return List.of();
  }

  /** A whole number. */
  static ValueType<Integer> whole(int least, int most) {
    return new ValueType<>() {
      @Override
      public Integer parse(String text) {
        boolean number = text.matches("\\d{1,10}");
        long value = number ? Long.parseLong(text) : -1;
        if (!number || value < least || value > most) {
          String range =
              most == Integer.MAX_VALUE
                  ? " of at least " + least
                  : " from " + least + " to " + most;
          throw wrong(text, "a whole number" + range);
        }
        return (int) value;
      }
    };
  }

  /** What means that there is no end. */
  String FOREVER = "forever";

  /** How often to do something; the largest number means without end. */
  static ValueType<Integer> times() {
    ValueType<Integer> number = whole(1, Integer.MAX_VALUE);
    return new ValueType<>() {
      @Override
      public Integer parse(String text) {
        if (text.equals(FOREVER)) {
          return Integer.MAX_VALUE;
        }
        try {
          return number.parse(text);
        } catch (UsageException e) {
          throw wrong(text, "a whole number of at least 1, or " + FOREVER);
        }
      }
    };
  }

  /** Any whole number. */
  static ValueType<Long> seed() {
    return new ValueType<>() {
      @Override
      public Long parse(String text) {
        if (!text.matches("-?\\d{1,18}")) {
          throw wrong(text, "a whole number of at most 18 digits");
        }
        return Long.parseLong(text);
      }
    };
  }

  /** A number between 0 and 1. */
  static ValueType<Double> share() {
    return new ValueType<>() {
      @Override
      public Double parse(String text) {
        boolean number = text.matches("\\d{1,2}(\\.\\d{0,17})?|\\.\\d{1,17}");
        if (!number || Double.parseDouble(text) > 1) {
          throw wrong(text, "a number between 0 and 1");
        }
        return Double.parseDouble(text);
      }
    };
  }

  /**
   * A number, or a range of numbers.
   *
   * @param least the smaller bound
   * @param most the larger bound, or the same
   */
  record Range(int least, int most) {}

  static ValueType<Range> range() {
    ValueType<Integer> bound = whole(1, Integer.MAX_VALUE);
    return new ValueType<>() {
      @Override
      public Range parse(String text) {
        String[] bounds = text.split("-", 2);
        Range range;
        try {
          range = new Range(bound.parse(bounds[0]), bound.parse(bounds[bounds.length - 1]));
        } catch (UsageException e) {
          throw wrong(text, "a number or a range such as 2-8");
        }
        if (range.most() < range.least()) {
          throw new UsageException(
              "the end of the range '" + text + "' must not be below its start");
        }
        return range;
      }
    };
  }

  /** A time, at most ten years: budgets count in nanoseconds, which end after 292 years. */
  static ValueType<Duration> time() {
    return new ValueType<>() {
      @Override
      public Duration parse(String text) {
        if (!text.matches("\\d{1,9}(ms|s|m|min|h)?")) {
          throw new UsageException("'" + text + "' is not a time; write 500ms, 60s, 10m or 1h");
        }
        String digits = text.replaceFirst("\\D.*", "");
        long number = Long.parseLong(digits);
        Duration time =
            switch (text.substring(digits.length())) {
              case "ms" -> Duration.ofMillis(number);
              case "m", "min" -> Duration.ofMinutes(number);
              case "h" -> Duration.ofHours(number);
              default -> Duration.ofSeconds(number);
            };
        if (time.isZero()) {
          throw new UsageException("'" + text + "' is zero; write 500ms, 60s, 10m or 1h");
        }
        if (time.compareTo(Duration.ofDays(3650)) > 0) {
          throw new UsageException("'" + text + "' is longer than ten years");
        }
        return time;
      }
    };
  }

  /** A time that no run reaches. */
  Duration WITHOUT_END = Duration.ofDays(3650);

  /** A time, or without end. */
  static ValueType<Duration> timeOrForever() {
    ValueType<Duration> time = time();
    return new ValueType<>() {
      @Override
      public Duration parse(String text) {
        return text.equals(FOREVER) ? WITHOUT_END : time.parse(text);
      }
    };
  }

  /** A number of things a second. */
  static ValueType<Integer> perSecond() {
    return new ValueType<>() {
      @Override
      public Integer parse(String text) {
        if (!text.matches("[1-9]\\d{0,6}(/s)?")) {
          throw wrong(text, "a rate; write 500/s");
        }
        return Integer.parseInt(text.replace("/s", ""));
      }
    };
  }

  /** A number of bytes. */
  static ValueType<Long> size() {
    return new ValueType<>() {
      @Override
      public Long parse(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        if (!upper.matches("[1-9]\\d{0,5}[MGT]B?")) {
          throw wrong(text, "a size; write 500MB or 2GB");
        }
        int shift = upper.contains("M") ? 20 : upper.contains("G") ? 30 : 40;
        return Long.parseLong(upper.replaceFirst("\\D.*", "")) << shift;
      }
    };
  }

  /** A box that is ticked, or an option without a value. */
  static ValueType<Boolean> flag() {
    return new ValueType<>() {
      @Override
      public Boolean parse(String text) {
        return switch (text) {
          case "yes", "true" -> true;
          case "no", "false" -> false;
          default -> throw new UsageException("'" + text + "' is not yes or no");
        };
      }
    };
  }

  /**
   * One of several names; the closest one is proposed for one that is not among them.
   *
   * @param constants asked only when a value is read, so that a command loads what it uses
   */
  static <E> ValueType<E> oneOf(String what, Supplier<List<E>> constants, Function<E, String> id) {
    return new ValueType<>() {
      @Override
      public E parse(String text) {
        return constants.get().get(choices().indexOf(Names.known(what, text, choices())));
      }

      @Override
      public List<String> choices() {
        return constants.get().stream().map(id).toList();
      }
    };
  }

  /** One of the constants of an enum, whose names are written as in {@code read-committed}. */
  static <E extends Enum<E>> ValueType<E> oneOf(String what, Class<E> constants) {
    return new ValueType<>() {
      @Override
      public E parse(String text) {
        List<String> names = choices();
        return constants.getEnumConstants()[names.indexOf(Names.known(what, text, names))];
      }

      @Override
      public List<String> choices() {
        List<String> names = new ArrayList<>();
        for (E constant : constants.getEnumConstants()) {
          names.add(constant.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        return names;
      }
    };
  }

  static ValueType<String> oneOf(String what, Supplier<List<String>> names) {
    return oneOf(what, names, Function.identity());
  }

  /** Several values of another type, separated by commas. */
  static <E> ValueType<List<E>> items(ValueType<E> of) {
    return new ValueType<>() {
      @Override
      public List<E> parse(String text) {
        return Names.items(text).stream().map(of::parse).toList();
      }

      @Override
      public List<String> choices() {
        return of.choices();
      }
    };
  }

  /**
   * A text of a given form.
   *
   * @param wanted what to write, as in "write a version such as 12.3.0"
   */
  static ValueType<String> text(String pattern, String wanted) {
    return new ValueType<>() {
      @Override
      public String parse(String text) {
        if (!text.matches(pattern)) {
          throw new UsageException("'" + text + "' cannot be used; write " + wanted);
        }
        return text;
      }
    };
  }

  /** A text that only Assay writes, for files. */
  static ValueType<String> any() {
    return new ValueType<>() {
      @Override
      public String parse(String text) {
        return text;
      }
    };
  }

  /** A list of texts, for files. */
  static ValueType<List<String>> texts() {
    return new ValueType<>() {
      @Override
      public List<String> parse(String text) {
        return List.of(text);
      }

      @Override
      public List<String> read(Object json) {
        List<String> texts = new ArrayList<>();
        Json.list(json).forEach(item -> texts.add(Json.text(item)));
        return texts;
      }
    };
  }

  /** Names with values, for files. */
  static ValueType<Map<String, String>> pairs() {
    return new ValueType<>() {
      @Override
      public Map<String, String> parse(String text) {
        throw wrong(text, "a list of names with values");
      }

      @Override
      public Map<String, String> read(Object json) {
        Map<String, String> pairs = new LinkedHashMap<>();
        Json.object(json).forEach((name, value) -> pairs.put(name, Json.text(value)));
        return pairs;
      }
    };
  }

  private static UsageException wrong(String text, String wanted) {
    return new UsageException("'" + text + "' is not " + wanted);
  }
}
