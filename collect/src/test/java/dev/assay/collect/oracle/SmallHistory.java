package dev.assay.collect.oracle;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * A history as plain objects, resolved straight from the definitions: the writer of what each read
 * saw, which transactions count, and which read anomalies there are. Slow and obvious on purpose.
 */
public final class SmallHistory {
  /** The writer of every initial version. */
  public static final int INITIAL = -1;

  /** A version of a key; a register's value or a list's last element. */
  record Version(int key, int value) {}

  /** A read that counts: its reader, key, place in program order and the writer it saw. */
  public record Read(int reader, int key, int place, int writer) {}

  private final History history;
  private final Map<Version, Integer> writeOps = new HashMap<>();
  private final Set<Integer> counted = new TreeSet<>();
  private final Set<String> readAnomalies = new TreeSet<>();
  private final List<Read> reads = new ArrayList<>();

  public SmallHistory(History history) {
    this.history = history;
    for (int op = 0; op < history.operationCount(); op++) {
      if (history.kind(op).isWrite()) {
        Integer twice = writeOps.put(new Version(history.key(op), history.value(op)), op);
        if (twice != null) {
          throw new IllegalArgumentException("written twice: " + history.text(op));
        }
      }
    }
    count();
    for (int txn : counted) {
      readsOf(txn);
    }
    listAnomalies();
  }

  public History history() {
    return history;
  }

  /** Committed transactions, and indeterminate ones that one of these read from. */
  public Set<Integer> counted() {
    return counted;
  }

  /** Reads of other transactions' writes or of initial versions, by transactions that count. */
  public List<Read> reads() {
    return reads;
  }

  /** The ids of the anomalies inside single reads. */
  public Set<String> readAnomalies() {
    return readAnomalies;
  }

  public boolean writes(int txn, int key) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (history.kind(op).isWrite() && history.key(op) == key) {
        return true;
      }
    }
    return false;
  }

  public boolean sessionOrder(int a, int b) {
    return history.session(a) == history.session(b)
        && history.placeInSession(a) < history.placeInSession(b);
  }

  boolean realTime(int a, int b) {
    long end = history.end(a);
    return end != History.ABSENT && history.start(b) != History.ABSENT && end < history.start(b);
  }

  /** Transactions that wrote the elements of the longest read of a list, in order. */
  List<Integer> versionOrder(int key) {
    List<Integer> longest = List.of();
    for (int txn : counted) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.LIST_READ && history.key(op) == key) {
          List<Integer> elements = elements(op);
          longest = elements.size() > longest.size() ? elements : longest;
        }
      }
    }
    List<Integer> order = new ArrayList<>();
    for (int element : longest) {
      Integer op = writeOps.get(new Version(key, element));
      if (op != null) {
        order.add(history.transactionOf(op));
      }
    }
    return order;
  }

  List<Integer> elements(int op) {
    List<Integer> elements = new ArrayList<>();
    int sequence = history.value(op);
    for (int i = 0; i < history.sequences().length(sequence); i++) {
      elements.add(history.sequences().element(sequence, i));
    }
    return elements;
  }

  /** The version a read saw, or null for the initial one. */
  private Version seen(int op) {
    if (history.kind(op) == OpKind.LIST_READ) {
      List<Integer> elements = elements(op);
      return elements.isEmpty()
          ? null
          : new Version(history.key(op), elements.get(elements.size() - 1));
    }
    return history.hasInitialValue(op) ? null : new Version(history.key(op), history.value(op));
  }

  private void count() {
    List<Integer> toVisit = new ArrayList<>();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.isCommitted(txn)) {
        toVisit.add(txn);
      }
    }
    while (!toVisit.isEmpty()) {
      int txn = toVisit.remove(toVisit.size() - 1);
      if (!counted.add(txn)) {
        continue;
      }
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        for (Version version : versionsIn(op)) {
          Integer writeOp = writeOps.get(version);
          if (writeOp != null) {
            int writer = history.transactionOf(writeOp);
            if (history.outcome(writer) == Outcome.INDETERMINATE) {
              toVisit.add(writer);
            }
          }
        }
      }
    }
  }

  /** Every version whose write a read gives away; of a list, each element. */
  private List<Version> versionsIn(int op) {
    List<Version> versions = new ArrayList<>();
    if (history.kind(op) == OpKind.LIST_READ) {
      elements(op).forEach(element -> versions.add(new Version(history.key(op), element)));
    } else if (history.kind(op) == OpKind.READ && seen(op) != null) {
      versions.add(seen(op));
    }
    return versions;
  }

  private void readsOf(int txn) {
    Map<Integer, Version> ownWrite = new HashMap<>();
    Map<Integer, Version> lastRead = new HashMap<>();
    Set<Integer> hasRead = new HashSet<>();
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      int key = history.key(op);
      if (history.kind(op).isWrite()) {
        ownWrite.put(key, new Version(key, history.value(op)));
        hasRead.remove(key);
        continue;
      }
      Version version = seen(op);
      if (hasRead.contains(key) && !Objects.equals(lastRead.get(key), version)) {
        readAnomalies.add("non-repeatable-read");
      }
      hasRead.add(key);
      lastRead.put(key, version);
      int writer = writerSeen(txn, op, version);
      if (ownWrite.containsKey(key)) {
        if (writer != txn) {
          readAnomalies.add("not-my-own-write");
        } else if (!ownWrite.get(key).equals(version)) {
          readAnomalies.add("not-my-last-write");
        }
      } else if (writer != txn && writer != Integer.MIN_VALUE) {
        reads.add(new Read(txn, key, op, writer));
      }
    }
  }

  /** Judges what a read saw by itself; the writer, or MIN_VALUE where there is none. */
  private int writerSeen(int txn, int op, Version version) {
    for (Version part : versionsIn(op)) {
      Integer writeOp = writeOps.get(part);
      if (writeOp == null) {
        readAnomalies.add("thin-air-read");
      } else if (history.outcome(history.transactionOf(writeOp)) == Outcome.ABORTED) {
        readAnomalies.add("aborted-read");
      } else if (history.transactionOf(writeOp) == txn && writeOp > op) {
        readAnomalies.add("future-read");
      }
    }
    if (version == null) {
      return INITIAL;
    }
    Integer writeOp = writeOps.get(version);
    if (writeOp == null) {
      return Integer.MIN_VALUE;
    }
    int writer = history.transactionOf(writeOp);
    for (int later = writeOp + 1; later < history.endOp(writer) && writer != txn; later++) {
      if (history.kind(later).isWrite() && history.key(later) == version.key()) {
        readAnomalies.add("intermediate-read");
      }
    }
    return history.outcome(writer) == Outcome.ABORTED ? Integer.MIN_VALUE : writer;
  }

  private void listAnomalies() {
    Map<Integer, List<List<Integer>>> byKey = new HashMap<>();
    for (int txn : counted) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (history.kind(op) == OpKind.LIST_READ) {
          byKey.computeIfAbsent(history.key(op), k -> new ArrayList<>()).add(elements(op));
        }
      }
    }
    byKey.forEach(
        (key, lists) -> {
          for (List<Integer> list : lists) {
            if (new HashSet<>(list).size() < list.size()) {
              readAnomalies.add("duplicate-write");
            }
            if (isDirty(key, list)) {
              readAnomalies.add("dirty-update");
            }
            for (List<Integer> other : lists) {
              int common = Math.min(list.size(), other.size());
              if (!list.subList(0, common).equals(other.subList(0, common))) {
                readAnomalies.add("incompatible-order");
              }
            }
            if (isOutOfOrder(key, list)) {
              readAnomalies.add("incompatible-order");
            }
          }
        });
  }

  /** Whether an element lacks before it what its transaction appended earlier. */
  private boolean isOutOfOrder(int key, List<Integer> list) {
    for (int element : list) {
      Integer append = writeOps.get(new Version(key, element));
      int writer = append == null ? -1 : history.transactionOf(append);
      if (writer < 0 || history.outcome(writer) == Outcome.ABORTED) {
        continue;
      }
      List<Integer> before = list.subList(0, list.indexOf(element));
      for (int op = history.firstOp(writer); op < append; op++) {
        boolean earlier = history.kind(op) == OpKind.APPEND && history.key(op) == key;
        if (earlier && !before.contains(history.value(op))) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether a committed element follows an aborted one. */
  private boolean isDirty(int key, List<Integer> list) {
    boolean aborted = false;
    for (int element : list) {
      Integer op = writeOps.get(new Version(key, element));
      if (op != null) {
        boolean thisAborted = history.outcome(history.transactionOf(op)) == Outcome.ABORTED;
        if (aborted && !thisAborted) {
          return true;
        }
        aborted |= thisAborted;
      }
    }
    return false;
  }

  /** The history as text, one transaction a line. */
  public static String text(History h) {
    StringBuilder text = new StringBuilder();
    for (int txn = 0; txn < h.transactionCount(); txn++) {
      text.append(h.sessionText(h.session(txn))).append(' ').append(h.outcome(txn).id());
      text.append(' ').append(h.start(txn)).append("..").append(h.end(txn)).append(':');
      for (int op = h.firstOp(txn); op < h.endOp(txn); op++) {
        text.append(' ').append(h.text(op)).append(';');
      }
      text.append('\n');
    }
    return text.toString();
  }
}
