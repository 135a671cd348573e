package dev.assay.infer;

import dev.assay.graph.Sorted;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.VersionSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The version of each key that a predicate operation saw, one operation after another.
 *
 * <p>Snapshots are visited in commit order, so that moving to the next one costs only what was
 * committed in between; exceptions of a single snapshot are corrected for it alone.
 */
public final class SeenVersions {
  private final History history;
  private final RowVersions rows;
  private final VersionCertificate certificate;
  private final int[] commits;
  private final int[] place;

  /** The last version of each key that the first commits wrote. */
  private final int[] current;

  private int applied;

  /** Versions that differ from {@link #current} for the current operation. */
  private final Map<Integer, Integer> corrected = new HashMap<>();

  private VersionSet.Listed listed;

  /** Receives one predicate operation; {@link #version} then gives what it saw. */
  public interface Visitor {
    void visit(int txn, int op);
  }

  public SeenVersions(History history, RowVersions rows, VersionCertificate certificate) {
    this.history = history;
    this.rows = rows;
    this.certificate = certificate;
    this.commits = certificate.commits();
    this.place = new int[history.transactionCount()];
    Arrays.fill(place, Integer.MAX_VALUE);
    for (int i = 0; i < commits.length; i++) {
      place[commits[i]] = i;
    }
    this.current = new int[rows.keys()];
    for (int key = 0; key < current.length; key++) {
      current[key] = rows.first(key);
    }
  }

  /**
   * All transactions in a likely serial order: by commit, and those that wrote nothing by snapshot.
   */
  public int[] likelyOrder(List<Integer> operations) {
    int[] snapshot = new int[place.length];
    Arrays.fill(snapshot, -1);
    for (int op : operations) {
      int txn = history.transactionOf(op);
      if (certificate.versionSet(txn, op) instanceof VersionSet.Snapshot shot) {
        snapshot[txn] = Math.max(snapshot[txn], shot.commits());
      }
    }
    long[] time = new long[place.length];
    long last = 0;
    for (int txn = 0; txn < time.length; txn++) {
      boolean reads = snapshot[txn] >= 0 && (place[txn] == Integer.MAX_VALUE || !writes(txn));
      if (reads) {
        last = 2L * snapshot[txn];
      } else if (place[txn] != Integer.MAX_VALUE) {
        last = 2L * place[txn] + 1;
      }
      time[txn] = last;
    }
    return Sorted.by(IntStream.range(0, time.length).toArray(), txn -> time[txn]);
  }

  private boolean writes(int txn) {
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (rows.versionOf(op) >= 0) {
        return true;
      }
    }
    return false;
  }

  /** Visits predicate operations; those without a version set are left out. */
  public void visit(List<Integer> operations, Visitor visitor) {
    record Look(int txn, int op, VersionSet set, int commits) {}
    List<Look> looks =
        operations.stream()
            .map(
                op -> {
                  int txn = history.transactionOf(op);
                  VersionSet set = certificate.versionSet(txn, op);
                  int bound = set instanceof VersionSet.Snapshot shot ? shot.commits() : 0;
                  return new Look(txn, op, set, bound);
                })
            .filter(look -> look.set != null)
            .sorted(Comparator.comparingInt(Look::commits))
            .toList();
    for (Look look : looks) {
      corrected.clear();
      listed = null;
      if (look.set instanceof VersionSet.Snapshot snapshot) {
        advance(snapshot.commits());
        correct(withoutOwn(snapshot, look.txn));
      } else {
        listed = (VersionSet.Listed) look.set;
      }
      visitor.visit(look.txn, look.op);
    }
  }

  /** The version of a key that the operation being visited saw. */
  public int version(int key) {
    if (listed != null) {
      int write = listed.writes().getOrDefault(key, RowVersions.INITIAL);
      int version = write == RowVersions.INITIAL ? rows.first(key) : rows.versionOf(write);
      return version < 0 ? rows.first(key) : version;
    }
    return corrected.isEmpty() ? current[key] : corrected.getOrDefault(key, current[key]);
  }

  /** A snapshot contains the transaction's own earlier writes, whether it lists them or not. */
  private VersionSet.Snapshot withoutOwn(VersionSet.Snapshot snapshot, int txn) {
    boolean before = place[txn] < snapshot.commits() && !snapshot.except().contains(txn);
    if (!before && !snapshot.also().contains(txn)) {
      return snapshot;
    }
    List<Integer> except = new ArrayList<>(snapshot.except());
    if (before) {
      except.add(txn);
    }
    List<Integer> also = snapshot.also().stream().filter(other -> other != txn).toList();
    return new VersionSet.Snapshot(snapshot.commits(), except, also);
  }

  private void advance(int bound) {
    for (; applied < bound; applied++) {
      int txn = commits[applied];
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int version = rows.versionOf(op);
        if (version >= 0) {
          int key = history.key(op);
          current[key] = Math.max(current[key], version);
        }
      }
    }
  }

  private void correct(VersionSet.Snapshot snapshot) {
    for (int txn : snapshot.also()) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        int version = rows.versionOf(op);
        if (version >= 0 && version > version(history.key(op))) {
          corrected.put(history.key(op), version);
        }
      }
    }
    for (int txn : snapshot.except()) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (rows.versionOf(op) >= 0) {
          int key = history.key(op);
          corrected.put(key, visible(version(key), rows.first(key), snapshot));
        }
      }
    }
  }

  /** The last version in a snapshot at or before another. */
  private int visible(int from, int initial, VersionSet.Snapshot snapshot) {
    int version = from;
    while (version > initial && !isVisible(version, snapshot)) {
      version--;
    }
    return version;
  }

  private boolean isVisible(int version, VersionSet.Snapshot snapshot) {
    int txn = rows.writer(version);
    boolean before = place[txn] < snapshot.commits() && !snapshot.except().contains(txn);
    return before || snapshot.also().contains(txn);
  }
}
