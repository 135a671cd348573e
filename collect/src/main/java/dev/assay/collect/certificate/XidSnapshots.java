package dev.assay.collect.certificate;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Snapshots of PostgreSQL, written {@code xmin:xmax:xip,...}: a transaction that committed is in
 * one if its id is below xmin, or below xmax and not in the list of those in progress.
 *
 * <p>A snapshot is nearly, but not always, a first part of the log: a transaction writes its commit
 * into the log a moment before others see it as ended, and two may pass each other in between.
 */
final class XidSnapshots implements Snapshots {
  /** The ids of the log, rising, and their positions. */
  private final long[] ids;

  private final int[] places;

  /** The highest place of the ids so far, and the lowest of those from here on. */
  private final int[] highest;

  private final int[] lowest;

  XidSnapshots(List<CommitLog.Committed> log) {
    int size = log.size();
    Integer[] byId = new Integer[size];
    Arrays.setAll(byId, i -> i);
    Arrays.sort(byId, (a, b) -> Long.compare(log.get(a).id(), log.get(b).id()));
    ids = new long[size];
    places = new int[size];
    highest = new int[size + 1];
    lowest = new int[size + 1];
    highest[0] = -1;
    lowest[size] = size;
    for (int i = 0; i < size; i++) {
      places[i] = byId[i];
      ids[i] = log.get(places[i]).id();
      highest[i + 1] = Math.max(highest[i], places[i]);
    }
    for (int i = size - 1; i >= 0; i--) {
      lowest[i] = Math.min(lowest[i + 1], places[i]);
    }
  }

  @Override
  public Visible read(String text, int own) throws CertificateException {
    String[] parts = text.split(":", -1);
    try {
      if (parts.length == 3) {
        Set<Long> inProgress = new HashSet<>();
        for (String id : parts[2].isEmpty() ? new String[0] : parts[2].split(",")) {
          inProgress.add(Long.parseLong(id));
        }
        return visible(Long.parseLong(parts[0]), Long.parseLong(parts[1]), inProgress, own);
      }
    } catch (NumberFormatException e) {
      // Said below.
    }
    throw new CertificateException("'" + text + "' is not a snapshot of PostgreSQL");
  }

  private Visible visible(long xmin, long xmax, Set<Long> inProgress, int own) {
    int from = place(xmin);
    int to = place(xmax);
    int last = highest[from];
    for (int i = from; i < to; i++) {
      if (isIn(i, inProgress, own)) {
        last = Math.max(last, places[i]);
      }
    }
    int[] except = new int[0];
    for (int i = from; i < to; i++) {
      if (!isIn(i, inProgress, own) && places[i] < last) {
        except = added(except, places[i]);
      }
    }
    for (int i = to; i < ids.length && lowest[i] < last; i++) {
      if (places[i] < last) {
        except = added(except, places[i]);
      }
    }
    Arrays.sort(except);
    return new Visible(last + 1, except);
  }

  /** Of ids from xmin to xmax; PostgreSQL leaves one's own out of those in progress. */
  private boolean isIn(int index, Set<Long> inProgress, int own) {
    return !inProgress.contains(ids[index]) && places[index] != own;
  }

  private static int[] added(int[] before, int place) {
    int[] after = Arrays.copyOf(before, before.length + 1);
    after[before.length] = place;
    return after;
  }

  /** How many ids are below this one. */
  private int place(long id) {
    int found = Arrays.binarySearch(ids, id);
    return found >= 0 ? found : -found - 1;
  }
}
