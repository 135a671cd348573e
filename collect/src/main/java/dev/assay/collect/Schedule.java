package dev.assay.collect;

import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A small history written down by hand, one transaction a line:
 *
 * <pre>
 * s1 aborted: w(x,1)
 * s2 @2-3: r(x,1) r(y,nil) a(l,2) r(l,[1 2])
 * </pre>
 *
 * <p>The first word is the session. {@code w} writes and {@code r} reads a register; {@code a}
 * appends to a list, and a read with brackets reads one. Times are units from 0 to {@link #LENGTH}.
 * Where none are given, transactions are as concurrent as their sessions let them be: none ends
 * before another begins, and real time says nothing.
 */
record Schedule(List<Transaction> transactions, boolean needsTimes) {
  /** The latest time a schedule may use. */
  static final int LENGTH = 3;

  /** When every session with several transactions goes from its first to its last. */
  private static final int TURN = 1;

  private static final Pattern LINE = Pattern.compile("(\\w+)( aborted)?(?: @(\\d)-(\\d))?: (.+)");
  private static final Pattern STEP =
      Pattern.compile("([wra])\\((\\w+),(nil|\\d+|\\[[\\d ]*\\])\\)");

  /** A transaction with its times. */
  record Transaction(String session, Outcome outcome, int start, int end, List<Step> steps) {}

  /** An operation; the values are the elements of a list, or one value, 0 for nil. */
  record Step(OpKind kind, String key, long[] values) {}

  static Schedule parse(String text) {
    String[] lines = text.strip().split("\n");
    Map<String, Integer> sizes = new HashMap<>();
    for (String line : lines) {
      sizes.merge(match(LINE, line.strip()).group(1), 1, Integer::sum);
    }
    List<Transaction> transactions = new ArrayList<>();
    Map<String, Integer> places = new HashMap<>();
    boolean needsTimes = false;
    for (String line : lines) {
      Matcher m = match(LINE, line.strip());
      String session = m.group(1);
      int place = places.merge(session, 1, Integer::sum);
      int start = place == 1 ? 0 : TURN;
      int end = place == sizes.get(session) ? LENGTH : TURN;
      if (m.group(3) != null) {
        needsTimes = true;
        start = Integer.parseInt(m.group(3));
        end = Integer.parseInt(m.group(4));
      }
      Outcome outcome = m.group(2) == null ? Outcome.COMMITTED : Outcome.ABORTED;
      transactions.add(new Transaction(session, outcome, start, end, steps(m.group(5))));
    }
    return new Schedule(List.copyOf(transactions), needsTimes);
  }

  private static List<Step> steps(String text) {
    List<Step> steps = new ArrayList<>();
    for (String word : text.split(" (?=[wra]\\()")) {
      Matcher m = match(STEP, word);
      boolean list = m.group(3).startsWith("[");
      OpKind kind =
          switch (m.group(1)) {
            case "w" -> OpKind.WRITE;
            case "a" -> OpKind.APPEND;
            default -> list ? OpKind.LIST_READ : OpKind.READ;
          };
      steps.add(new Step(kind, m.group(2), values(m.group(3))));
    }
    return List.copyOf(steps);
  }

  private static long[] values(String text) {
    if (text.equals("nil")) {
      return new long[] {0};
    }
    String digits = text.replaceAll("[\\[\\]]", "");
    if (digits.isEmpty()) {
      return new long[0];
    }
    String[] words = digits.split(" ");
    long[] values = new long[words.length];
    for (int i = 0; i < words.length; i++) {
      values[i] = Long.parseLong(words[i]);
    }
    return values;
  }

  private static Matcher match(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not part of a schedule: " + text);
    }
    return matcher;
  }
}
