package dev.assay.window;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Histories whose anomalies need what happened far apart, with any number of ordinary transactions
 * between: each operates on what the one before it left.
 */
final class FarApart {
  /** The time from one transaction to the next. */
  private static final long STEP = 10;

  private static final int KEYS = 8;
  private static final int SESSIONS = 4;
  private static final int APPENDS_PER_KEY = 16;

  /** What is far apart, in assay-jsonl, with lines of dashes between. */
  private static final Map<String, String> ENDS = ends();

  private FarApart() {}

  private static Map<String, String> ends() {
    Map<String, String> ends = new LinkedHashMap<>();
    try (InputStream in = FarApart.class.getResourceAsStream("far-apart.txt")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      for (String each : text.substring(2).split("\n# ")) {
        int name = each.indexOf('\n');
        ends.put(each.substring(0, name), each.substring(name + 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return ends;
  }

  static List<String> names() {
    return List.copyOf(ENDS.keySet());
  }

  /** Hands over the transactions in blocks, in the order they end. */
  static void forEachBlock(
      String name, int between, boolean times, int size, Consumer<List<Line>> blocks) {
    String[] parts = ENDS.get(name).split("---\n");
    List<Line> block = new ArrayList<>();
    long clock = 0;
    int made = 0;
    for (int part = 0; part < parts.length; part++) {
      for (Line line : parsed(parts[part])) {
        block.add(timed(line, clock += STEP, times));
      }
      for (int left = part + 1 == parts.length ? 0 : between / (parts.length - 1);
          left > 0;
          left--) {
        block.add(timed(ordinary(made++), clock += STEP, times));
        if (block.size() >= size) {
          blocks.accept(block);
          block = new ArrayList<>();
        }
      }
    }
    if (!block.isEmpty()) {
      blocks.accept(block);
    }
  }

  /** All the transactions. */
  static List<Line> lines(String name, int between, boolean times) {
    List<Line> lines = new ArrayList<>();
    forEachBlock(name, between, times, Integer.MAX_VALUE, lines::addAll);
    return lines;
  }

  private static Line timed(Line line, long time, boolean times) {
    long start = line.start() == History.ABSENT ? time : line.start();
    return times
        ? line.during(start, time + STEP / 2)
        : line.during(History.ABSENT, History.ABSENT);
  }

  private static Line ordinary(int i) {
    List<Operation> ops = new ArrayList<>();
    if (i % 2 == 0) {
      String key = "register " + i % KEYS;
      ops.add(Line.op(OpKind.READ, key, i < KEYS ? null : (long) (i - KEYS)));
      ops.add(Line.op(OpKind.WRITE, key, (long) i));
    } else {
      int turn = i / KEYS;
      String key = "list " + i % KEYS + " " + turn / APPENDS_PER_KEY;
      List<Object> elements = new ArrayList<>();
      for (int earlier = turn - turn % APPENDS_PER_KEY; earlier < turn; earlier++) {
        elements.add((long) earlier);
      }
      ops.add(Line.op(OpKind.LIST_READ, key, elements));
      ops.add(Line.op(OpKind.APPEND, key, (long) turn));
    }
    String session = "ordinary " + i % SESSIONS;
    return new Line(session, Outcome.COMMITTED, History.ABSENT, History.ABSENT, ops);
  }

  private static List<Line> parsed(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return Line.of(Formats.read(Input.of("h.jsonl", bytes)));
    } catch (ParseException e) {
      throw new IllegalStateException(e);
    }
  }
}
