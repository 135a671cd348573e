package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;

/**
 * Versions of registers that follow each other: where the first of them begins, and until when the
 * last one is read. A version is a run of its own at first. Runs of a key are joined where they are
 * in the same part of time, and what is left of each key then, so that no task has all versions of
 * a key. Positions between which no cut may be go with them.
 */
public final class Runs {
  /** The key of positions between which no cut may be; keys have bytes. */
  private static final byte[] NO_KEY = {};

  private final Slices keys = new Slices();

  /** By key: where runs begin, and until when the last version is read. */
  private final List<LongPairs> runs = new ArrayList<>();

  private final Intervals intervals = new Intervals();

  /** What is made of a run. */
  interface Giving {
    void of(byte[] array, int from, int length, long begin, long readUntil);
  }

  /** Positions between which no cut may be. */
  Intervals intervals() {
    return intervals;
  }

  /** The number of keys. */
  int keys() {
    return keys.size();
  }

  static void write(Output out, byte[] array, int from, int length, long begin, long readUntil) {
    out.writeInt(length, true);
    out.writeBytes(array, from, length);
    out.writeLong(begin, false);
    out.writeLong(readUntil, false);
  }

  /** Adds what another task sent. */
  void add(byte[] sent) {
    Input in = new Input(sent);
    while (in.position() < sent.length) {
      int length = in.readInt(true);
      int from = in.position();
      in.setPosition(from + length);
      long begin = in.readLong(false);
      long readUntil = in.readLong(false);
      if (length == 0) {
        intervals.add(begin, readUntil);
        continue;
      }
      int key = keys.indexOf(sent, from, length);
      if (key == runs.size()) {
        runs.add(new LongPairs());
      }
      runs.get(key).add(begin, readUntil);
    }
  }

  /** Sends on between which positions no cut may be, to any tasks. */
  static void send(Intervals intervals, Parcels parcels) {
    int[] next = {0};
    intervals.forEach(
        (first, last) -> write(parcels.to(next[0]++ % parcels.tasks()), NO_KEY, 0, 0, first, last));
  }

  /**
   * Joins the runs of each key. A version may be read until the next one is written; after that,
   * those who read it stay together with who wrote the next one.
   *
   * @param areAll whether all runs of the keys are here; else those that begin the history are not
   *     joined, because others may come between
   */
  void join(boolean areAll, Giving giving) {
    for (int key = 0; key < runs.size(); key++) {
      LongPairs own = runs.get(key);
      own.sort();
      long begin = own.first(0);
      long readUntil = own.second(0);
      for (int i = 1; i < own.size(); i++) {
        if (areAll || begin != Access.START) {
          intervals.add(own.first(i), readUntil);
        } else {
          give(key, begin, readUntil, giving);
          begin = own.first(i);
        }
        readUntil = own.second(i);
      }
      give(key, begin, readUntil, giving);
    }
  }

  private void give(int key, long begin, long readUntil, Giving giving) {
    giving.of(keys.array(key), keys.from(key), keys.length(key), begin, readUntil);
  }
}
