package dev.assay.collect.predicate;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.StringJoiner;

/**
 * Random expressions, as JSON, over rows with the key {@code k}, the nullable integers {@code a},
 * {@code b} and {@code c}, and the nullable text {@code t}. They are of the types that a database
 * asks for, but may divide by zero and overflow.
 */
final class RandomConditions {
  static final List<String> INTEGERS = List.of("a", "b", "c");
  static final List<String> TEXTS = List.of("", "a", "ab", "b", "it's", "z\\\\");

  private static final List<String> PATTERNS =
      List.of("", "%", "_", "a%", "%b", "_b", "%'%", "a_%", "z\\\\", "%\\\\%", "%%_");
  private static final List<String> COMPARATORS = List.of("=", "!=", "<", "<=", ">", ">=");

  private final Random random;
  private final boolean mayFail;

  /** With or without arithmetic that can have no result. */
  RandomConditions(Random random, boolean mayFail) {
    this.random = random;
    this.mayFail = mayFail;
  }

  String truth(int depth) {
    if (depth > 0 && random.nextInt(3) > 0) {
      return switch (random.nextInt(5)) {
        case 0, 1 -> joined("and", depth);
        case 2, 3 -> joined("or", depth);
        default -> "[\"not\"," + truth(depth - 1) + "]";
      };
    }
    return switch (random.nextInt(20)) {
      case 0 -> pick(List.of("true", "false", "null"));
      case 1, 2 -> "[\"is-null\"," + anything(depth) + "]";
      case 3, 4, 5 -> "[\"between\"," + integer(2) + "," + integer(1) + "," + integer(1) + "]";
      case 6, 7, 8 -> in();
      case 9, 10, 11 -> "[\"" + pick(COMPARATORS) + "\"," + text() + "," + text() + "]";
      case 12 -> "[\"like\"," + text() + ",{\"text\":\"" + pick(PATTERNS) + "\"}]";
      case 13 -> "[\"" + pick(COMPARATORS) + "\",\"" + pick(INTEGERS) + "\",1.5]";
      default -> "[\"" + pick(COMPARATORS) + "\"," + integer(2) + "," + integer(1) + "]";
    };
  }

  private String anything(int depth) {
    return switch (random.nextInt(4)) {
      case 0 -> text();
      case 1 -> truth(Math.max(0, depth - 2));
      default -> integer(2);
    };
  }

  private String joined(String operator, int depth) {
    StringJoiner joined = new StringJoiner(",", "[\"" + operator + "\",", "]");
    for (int i = 1 + random.nextInt(3); i >= 0; i--) {
      joined.add(truth(depth - 1));
    }
    return joined.toString();
  }

  private String in() {
    boolean ofTexts = random.nextInt(4) == 0;
    StringJoiner joined = new StringJoiner(",", "[\"in\",", "]");
    for (int i = 1 + random.nextInt(4); i >= 0; i--) {
      joined.add(ofTexts ? text() : integer(1));
    }
    return joined.toString();
  }

  /** An integer, or null. */
  String integer(int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      List<String> operators = new ArrayList<>(List.of("+", "-", "*"));
      String divisor = String.valueOf(random.nextBoolean() ? 3 : -2);
      if (random.nextInt(3) == 0) {
        return "[\"%\"," + integer(depth - 1) + "," + (mayFail ? integer(0) : divisor) + "]";
      }
      String operator = pick(operators);
      return "[\"" + operator + "\"," + integer(depth - 1) + "," + integer(depth - 1) + "]";
    }
    int kind = random.nextInt(20);
    if (kind == 0) {
      return "null";
    }
    if (kind == 1 && mayFail) {
      return pick(List.of("9223372036854775807", "-9223372036854775808", "4611686018427387904"));
    }
    if (kind < 11) {
      return "\"" + (kind == 2 ? "k" : pick(INTEGERS)) + "\"";
    }
    return String.valueOf(random.nextInt(9) - 3);
  }

  String text() {
    return random.nextBoolean() ? "\"t\"" : "{\"text\":\"" + pick(TEXTS) + "\"}";
  }

  private String pick(List<String> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
