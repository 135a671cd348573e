package dev.assay.collect;

import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes synthetic histories: a workload, run on a simulated store that gives a chosen isolation
 * level, with chosen anomalies planted. The same parameters give the same history.
 *
 * <pre>{@code
 * WorkloadSpec spec = WorkloadSpec.builder().sessions(20).keys(1000).seed(7).build();
 * History history =
 *     new Generator(spec, StoreLevel.SNAPSHOT_ISOLATION).plant("lost-update").history();
 * }</pre>
 */
public final class Generator {
  private final WorkloadSpec spec;
  private final StoreLevel level;
  private final List<Schedule> planted = new ArrayList<>();
  private final List<String> plantedIds = new ArrayList<>();
  private long plantEvery;

  public Generator(WorkloadSpec spec, StoreLevel level) {
    this.spec = spec;
    this.level = level;
  }

  /**
   * Adds a few transactions on their own keys and sessions that show this anomaly, halfway through
   * the run. May be called several times.
   *
   * @param anomaly an id of {@link Planted#ids}
   */
  public Generator plant(String anomaly) {
    Schedule schedule = Planted.schedule(anomaly);
    if (schedule.needsTimes() && !spec.times()) {
      throw new IllegalArgumentException(
          "'%s' is about real time, and this history is to have no times".formatted(anomaly));
    }
    planted.add(schedule);
    plantedIds.add(anomaly);
    return this;
  }

  /**
   * Plants again after every given number of transactions; several anomalies take turns. Those of
   * one history share their sessions, so there may be millions of them.
   */
  public Generator plantEvery(long transactions) {
    if (transactions < 1) {
      throw new IllegalArgumentException(
          "anomalies can be planted every 1 or more transactions, not every " + transactions);
    }
    plantEvery = transactions;
    return this;
  }

  /** Generates the transactions one by one, without keeping them. */
  public void generate(TransactionSink sink) {
    Planting planting = new Planting(planted, plantEvery, spec, sink);
    new Simulation(spec, level, planting, sink).run();
  }

  /** What a file should say about the history. */
  public Map<String, String> metadata() {
    Map<String, String> metadata = new LinkedHashMap<>();
    metadata.put("workload", spec.describe());
    metadata.put("seed", Long.toString(spec.seed()));
    metadata.put("store", level.id());
    if (level.guarantee() != null) {
      metadata.put("level", level.guarantee());
    }
    if (!plantedIds.isEmpty()) {
      metadata.put("planted", String.join(",", plantedIds));
    }
    return metadata;
  }

  /** Generates a history in memory. */
  public History history() {
    HistoryBuilder builder = new HistoryBuilder();
    metadata().forEach(builder::metadata);
    generate(new HistorySink(builder));
    return builder.build();
  }
}
