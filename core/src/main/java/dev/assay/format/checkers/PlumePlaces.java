package dev.assay.format.checkers;

import dev.assay.format.LineReader;
import dev.assay.format.OperationPlaces;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the lines of some transactions of plume-text, even where lines of others are between them.
 */
final class PlumePlaces {
  private final History history;
  private final OperationPlaces places;

  /** For each session its wanted transactions by their number. */
  private final Map<Long, Map<Long, Integer>> numbered = new HashMap<>();

  /** Aborted transactions have no number; they are known by where they begin. */
  private final Map<Long, Integer> abortedAtLine = new HashMap<>();

  /** For each session the wanted aborted transaction that it is in the middle of. */
  private final Map<Long, Integer> openAborted = new HashMap<>();

  /** The field parsed last. */
  private long number;

  PlumePlaces(History history, OperationPlaces places) {
    this.history = history;
    this.places = places;
    for (int txn : places.wanted()) {
      if (history.outcome(txn) == Outcome.ABORTED) {
        abortedAtLine.put(history.position(txn), txn);
      } else {
        Long session = (Long) history.sessionName(history.session(txn));
        Map<Long, Integer> inSession = numbered.computeIfAbsent(session, s -> new HashMap<>());
        inSession.put((Long) history.ownId(txn), txn);
      }
    }
  }

  void find(LineReader lines) throws IOException {
    long first = history.position(places.wanted().get(0));
    while (!places.complete() && lines.next()) {
      if (lines.line() >= first) {
        look(lines);
      }
    }
  }

  private void look(LineReader lines) {
    byte[] bytes = lines.bytes();
    int comma = lastIndexOf(bytes, ',', lines.start(), lines.end());
    int before = lastIndexOf(bytes, ',', lines.start(), comma);
    if (before < lines.start() || !parse(bytes, comma + 1, lines.end())) {
      return;
    }
    long txn = number;
    if (!parse(bytes, before + 1, comma)) {
      return;
    }
    long session = number;
    if (txn != PlumeText.ABORTED) {
      if (!openAborted.isEmpty()) {
        openAborted.remove(session);
      }
      Map<Long, Integer> inSession = numbered.get(session);
      Integer found = inSession == null ? null : inSession.get(txn);
      if (found != null) {
        places.note(found, lines.line());
      }
      return;
    }
    Integer begun = abortedAtLine.get(lines.line());
    if (begun != null) {
      openAborted.put(session, begun);
    }
    Integer open = openAborted.get(session);
    if (open != null) {
      places.note(open, lines.line());
    }
  }

  private static int lastIndexOf(byte[] bytes, char wanted, int from, int to) {
    int i = to - 1;
    while (i >= from && bytes[i] != wanted) {
      i--;
    }
    return i;
  }

  /** Parses the integer in a field of a line that was found well-formed before. */
  private boolean parse(byte[] bytes, int from, int to) {
    boolean negative = false;
    boolean any = false;
    number = 0;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      negative |= b == '-';
      if (b >= '0' && b <= '9') {
        number = number * 10 + (b - '0');
        any = true;
      }
    }
    number = negative ? -number : number;
    return any;
  }
}
