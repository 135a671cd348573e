package dev.assay.render.html;

import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import dev.assay.history.RecordedFault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Transactions along time, a lane for each session. Order and overlap are those of the history;
 * distances grow with the logarithm of the time between, since what matters often happens within
 * microseconds and what does not may take minutes. Without times, each lane has the order of its
 * session and lanes say nothing of each other.
 */
final class Timeline {
  private static final double LANE = 52;
  private static final double TOP = 8;
  private static final double BAR = 24;
  private static final double LEFT = 4;
  private static final double LEAST_STEP = 12;
  private static final double MOST_STEP = 76;
  private static final double LABEL_GAP = 14;
  private static final int MAX_TRANSACTIONS = 80;
  private static final int MAX_OPERATIONS = 8;

  private final History history;
  private final Wording wording;
  private final Set<Integer> witness;
  private final TreeSet<Integer> shown = new TreeSet<>();
  private final List<Fault> faults = new ArrayList<>();
  private final boolean timed;
  private final Map<Long, Double> places = new TreeMap<>();
  private int elsewhere;

  private record Fault(String kind, long time) {}

  private record Bar(int txn, double from, double to, int skipped) {}

  /**
   * @param witness the transactions that the argument names
   * @param neighbours how many others to show before and after each in its session
   */
  Timeline(History history, List<Integer> witness, int neighbours) {
    this.history = history;
    this.wording = new Wording(history);
    this.witness = new TreeSet<>(witness.subList(0, Math.min(witness.size(), MAX_TRANSACTIONS)));
    for (int txn : this.witness) {
      int session = history.session(txn);
      int place = history.placeInSession(txn);
      int first = Math.max(0, place - neighbours);
      int last = Math.min(history.sessionSize(session) - 1, place + neighbours);
      for (int p = first; p <= last; p++) {
        shown.add(history.sessionTransaction(session, p));
      }
    }
    this.timed = shown.stream().allMatch(txn -> start(txn) != History.ABSENT);
    if (timed) {
      placeTimes();
    }
  }

  boolean isTimed() {
    return timed;
  }

  int size() {
    return shown.size();
  }

  private long start(int txn) {
    return history.hasShownTimes() ? history.shownStart(txn) : history.start(txn);
  }

  /** When it ended as far as is known; else when it began. */
  private long end(int txn) {
    long end = history.hasShownTimes() ? history.shownEnd(txn) : history.end(txn);
    return end == History.ABSENT || end < start(txn) ? start(txn) : end;
  }

  private boolean isOpen(int txn) {
    return history.outcome(txn) == Outcome.INDETERMINATE || end(txn) == start(txn);
  }

  // ---- places in time

  private void placeTimes() {
    TreeSet<Long> times = new TreeSet<>();
    for (int txn : shown) {
      times.add(start(txn));
      times.add(end(txn));
    }
    readFaults(times);
    long least = Long.MAX_VALUE;
    Long before = null;
    for (long time : times) {
      if (before != null) {
        least = Math.min(least, time - before);
      }
      before = time;
    }
    double x = LEFT;
    before = null;
    for (long time : times) {
      if (before != null) {
        x += step(time - before, least);
      }
      for (int txn : shown) {
        if (end(txn) == time && start(txn) < time) {
          x = Math.max(x, places.get(start(txn)) + leastWidth(txn));
        }
        int previous = start(txn) == time ? previous(txn) : -1;
        if (previous >= 0 && start(previous) < time) {
          x = Math.max(x, places.get(start(previous)) + leastWidth(previous) + 4);
        }
      }
      places.put(time, x);
      before = time;
    }
  }

  /** The transaction shown before this one in its session, or −1. */
  private int previous(int txn) {
    for (int place = history.placeInSession(txn) - 1; place >= 0; place--) {
      int earlier = history.sessionTransaction(history.session(txn), place);
      if (shown.contains(earlier)) {
        return earlier;
      }
    }
    return -1;
  }

  private static double step(long gap, long least) {
    double decades = StrictMath.log10((double) gap / least);
    return Math.min(MOST_STEP, LEAST_STEP + 16 * decades);
  }

  private void readFaults(TreeSet<Long> times) {
    for (RecordedFault fault : RecordedFault.of(history)) {
      if (fault.begin() >= times.first() && fault.begin() <= times.last()) {
        faults.add(new Fault(Wording.clean(fault.what()), fault.begin()));
      } else {
        elsewhere++;
      }
    }
    faults.forEach(fault -> times.add(fault.time()));
  }

  private double leastWidth(int txn) {
    return Cells.width(name(txn)) * Cells.SMALL_ADVANCE + 14;
  }

  private String name(int txn) {
    String sign =
        switch (history.outcome(txn)) {
          case COMMITTED -> "";
          case ABORTED -> "✗ ";
          case INDETERMINATE -> "? ";
        };
    return sign + Cells.shortened(wording.name(txn), Cells.MAX_NAME);
  }

  // ---- drawing

  Markup draw(String title) {
    List<Integer> sessions = sessions();
    List<List<Bar>> lanes = new ArrayList<>();
    double width = 0;
    for (int session : sessions) {
      List<Bar> lane = lane(session);
      lanes.add(lane);
      Bar last = lane.get(lane.size() - 1);
      width = Math.max(width, last.to() + (isOpen(last.txn()) ? 26 : 0));
      String name = sessionName(session);
      width = Math.max(width, LEFT + Cells.width(name) * Cells.SMALL_ADVANCE);
    }
    width = Math.ceil(width + 8);
    double height = TOP + sessions.size() * LANE + (timed ? 24 : 0);
    Markup svg = new Markup();
    svg.open(
        "svg",
        "class",
        "timeline",
        "xmlns",
        "http://www.w3.org/2000/svg",
        "width",
        Router.n(width),
        "height",
        Router.n(height),
        "viewBox",
        "0 0 " + Router.n(width) + " " + Router.n(height),
        "role",
        "group",
        "aria-label",
        title);
    svg.line();
    for (Fault fault : faults) {
      fault(svg, fault, TOP + sessions.size() * LANE);
    }
    for (int i = 0; i < lanes.size(); i++) {
      double top = TOP + i * LANE;
      svg.empty("path", "class", "lane", "d", "M0 " + Router.n(top + 32) + "H" + Router.n(width));
      svg.leaf(
          "text",
          sessionName(sessions.get(i)),
          "class",
          "session",
          "x",
          Router.n(LEFT),
          "y",
          Router.n(top + 13));
      for (Bar bar : lanes.get(i)) {
        bar(svg, bar, top + 20);
      }
    }
    if (timed) {
      axis(svg, TOP + sessions.size() * LANE + 4, width);
    }
    return svg.close("svg");
  }

  /** In time, the transaction that began first is on top. */
  private List<Integer> sessions() {
    Comparator<Integer> order =
        timed
            ? Comparator.<Integer>comparingLong(this::start).thenComparing(txn -> txn)
            : Comparator.comparing(history::session);
    return shown.stream().sorted(order).map(history::session).distinct().toList();
  }

  private String sessionName(int session) {
    return "session " + Cells.shortened(Wording.clean(history.sessionText(session)), 30);
  }

  private List<Bar> lane(int session) {
    List<Bar> lane = new ArrayList<>();
    double x = LEFT;
    int before = -1;
    for (int place = 0; place < history.sessionSize(session); place++) {
      int txn = history.sessionTransaction(session, place);
      if (!shown.contains(txn)) {
        continue;
      }
      int skipped = place - before - 1;
      if (timed) {
        double from = places.get(start(txn));
        double to = Math.max(places.get(end(txn)), from + leastWidth(txn));
        lane.add(new Bar(txn, from, to, 0));
      } else {
        x += skipped > 0 ? 24 + String.valueOf(skipped).length() * Cells.SMALL_ADVANCE : 8;
        lane.add(new Bar(txn, x, x + leastWidth(txn) + 10, skipped));
        x += leastWidth(txn) + 10;
      }
      before = place;
    }
    return lane;
  }

  private void bar(Markup svg, Bar bar, double y) {
    int txn = bar.txn();
    boolean named = witness.contains(txn);
    String description = description(txn);
    if (bar.skipped() > 0) {
      svg.leaf(
          "text",
          "+" + bar.skipped(),
          "class",
          "skipped",
          "x",
          Router.n(bar.from() - 5),
          "y",
          Router.n(y + 16),
          "text-anchor",
          "end");
    }
    svg.open(
        "g",
        "class",
        "bar " + history.outcome(txn).id() + (named ? " witness" : " neighbour"),
        "data-txn",
        "t" + txn,
        "tabindex",
        "0",
        "role",
        "img");
    svg.leaf("title", description);
    svg.empty(
        "rect",
        "x",
        Router.n(bar.from()),
        "y",
        Router.n(y),
        "width",
        Router.n(bar.to() - bar.from()),
        "height",
        Router.n(BAR),
        "rx",
        "5");
    if (timed && isOpen(txn)) {
      String open = "M" + Router.n(bar.to()) + " " + Router.n(y + BAR / 2) + "h22";
      svg.empty("path", "class", "open", "d", open);
    }
    svg.leaf(
        "text",
        name(txn),
        "x",
        Router.n((bar.from() + bar.to()) / 2),
        "y",
        Router.n(y + 16),
        "text-anchor",
        "middle");
    svg.close("g").line();
  }

  private String description(int txn) {
    List<String> did = new ArrayList<>();
    int most = witness.contains(txn) ? MAX_OPERATIONS : MAX_OPERATIONS / 2;
    int end = Math.min(history.endOp(txn), history.firstOp(txn) + most);
    for (int op = history.firstOp(txn); op < end; op++) {
      did.add(wording.operation(op));
    }
    if (end < history.endOp(txn)) {
      did.add("and " + (history.endOp(txn) - end) + " more");
    }
    String error = history.error(txn) == null ? "" : " (" + Wording.clean(history.error(txn)) + ")";
    String when = timed ? ", from " + offset(start(txn)) + " to " + offset(end(txn)) : "";
    return wording.name(txn)
        + ", "
        + wording.session(txn)
        + ", "
        + history.outcome(txn).id()
        + error
        + when
        + ": "
        + String.join("; ", did);
  }

  private void fault(Markup svg, Fault fault, double bottom) {
    String x = Router.n(places.get(fault.time()));
    svg.open("g", "class", "fault");
    svg.leaf("title", fault.kind() + " at " + offset(fault.time()));
    svg.empty("path", "d", "M" + x + " 0V" + Router.n(bottom));
    svg.leaf("text", "⚡ " + fault.kind(), "x", x, "y", "10", "dx", "4");
    svg.close("g").line();
  }

  private void axis(Markup svg, double y, double width) {
    svg.empty("path", "class", "axis", "d", "M0 " + Router.n(y) + "H" + Router.n(width));
    double free = 0;
    for (Map.Entry<Long, Double> place : places.entrySet()) {
      double x = place.getValue();
      String text = offset(place.getKey());
      double length = text.length() * Cells.SMALL_ADVANCE;
      // The last one ends with the axis.
      double begin = Math.min(x, width - length);
      if (begin >= free) {
        svg.empty("path", "class", "axis", "d", "M" + Router.n(x) + " " + Router.n(y) + "v5");
        svg.leaf(
            "text",
            text,
            "class",
            "tick",
            "x",
            Router.n(begin == x ? x : width),
            "y",
            Router.n(y + 17),
            "text-anchor",
            begin == x ? null : "end");
        free = begin + length + LABEL_GAP;
      }
    }
  }

  /** A time after the first one shown, in the units of the source. */
  private String offset(long time) {
    long first = places.keySet().iterator().next();
    long since = time - first;
    if (!isNanoseconds()) {
      return "+" + since;
    }
    if (since < 1_000_000) {
      return "+" + since / 1000 + "." + since / 100 % 10 + " µs";
    }
    if (since < 10_000_000_000L) {
      return "+"
          + since / 1_000_000
          + "."
          + since / 10_000 % 100 / 10
          + since / 10_000 % 10
          + " ms";
    }
    return "+" + since / 1_000_000_000 + "." + since / 100_000_000 % 10 + " s";
  }

  private boolean isNanoseconds() {
    String clock = history.metadata().get("clock");
    return history.hasShownTimes() || clock != null && clock.startsWith("nanoseconds");
  }

  /** What to know when looking at it. */
  String caption() {
    String more =
        elsewhere == 0
            ? ""
            : " "
                + elsewhere
                + (elsewhere == 1 ? " fault" : " faults")
                + " happened at other times.";
    return timed
        ? "Order and overlap are exact; long stretches of time are drawn shorter." + more
        : "These transactions have no times: each lane is in session order, and lanes are not"
            + " aligned with each other. Numbers count transactions left out.";
  }
}
