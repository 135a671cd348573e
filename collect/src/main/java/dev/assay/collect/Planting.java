package dev.assay.collect;

import dev.assay.collect.workload.Workload;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Puts schedules into a running simulation. Each gets fresh keys, so that it touches nothing else;
 * sessions of the same name are shared between schedules, which follow each other in time, so that
 * session order leads only from earlier schedules to later ones and closes no cycle.
 */
final class Planting {
  /** Nanoseconds for one unit of a schedule's time. */
  private static final long UNIT = 1000;

  private final List<Schedule> schedules;
  private final TransactionSink sink;
  private final boolean times;
  private final long every;
  private final boolean once;
  private final Map<String, Long> sessions = new HashMap<>();
  private long ended;
  private long nextAt;
  private int next;

  Planting(List<Schedule> schedules, long every, WorkloadSpec spec, TransactionSink sink) {
    this.schedules = schedules;
    this.sink = sink;
    this.times = spec.times();
    this.every = every;
    this.once = every == 0;
    this.nextAt = schedules.isEmpty() ? -1 : once ? (spec.totalTransactions() + 1) / 2 : every;
  }

  /**
   * Plants what is due after one more transaction of the workload has ended.
   *
   * @return the time afterwards
   */
  long transactionEnded(long now, Workload workload, LongSupplier newSession) {
    if (++ended != nextAt) {
      return now;
    }
    if (!once) {
      nextAt += every;
      Schedule schedule = schedules.get(next);
      next = (next + 1) % schedules.size();
      return plant(schedule, now, workload, newSession);
    }
    long time = now;
    for (Schedule schedule : schedules) {
      time = plant(schedule, time, workload, newSession);
    }
    return time;
  }

  private long plant(Schedule schedule, long now, Workload workload, LongSupplier newSession) {
    Map<String, Long> keys = new HashMap<>();
    long base = now + 1;
    for (Schedule.Transaction transaction : schedule.transactions()) {
      sink.begin(sessions.computeIfAbsent(transaction.session(), s -> newSession.getAsLong()));
      for (Schedule.Step step : transaction.steps()) {
        long key = keys.computeIfAbsent(step.key(), k -> workload.freshKey());
        if (step.kind() == OpKind.LIST_READ) {
          sink.listRead(key, step.values(), step.values().length);
        } else {
          sink.op(step.kind(), key, step.values()[0]);
        }
      }
      long start = times ? base + UNIT * transaction.start() : History.ABSENT;
      long end = times ? base + UNIT * transaction.end() : History.ABSENT;
      sink.end(transaction.outcome(), start, end);
    }
    return base + UNIT * Schedule.LENGTH + 1;
  }
}
