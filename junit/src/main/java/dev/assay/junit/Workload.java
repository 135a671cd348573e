package dev.assay.junit;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.workload.WorkloadKind;
import java.util.LinkedHashMap;
import java.util.Map;

/** What clients do: the transactions that a {@link WorkloadRun} generates. Immutable. */
public final class Workload {
  private final Map<Parameter<?>, Object> parameters;

  private Workload(Map<Parameter<?>, Object> parameters) {
    this.parameters = parameters;
  }

  private static Workload of(WorkloadKind kind) {
    return new Workload(Map.of(Parameters.WORKLOAD, kind.id()));
  }

  /** Reads of and appends to lists: the order of all versions shows, so most anomalies do. */
  public static Workload listAppend() {
    return of(WorkloadKind.LIST_APPEND);
  }

  /** Reads and blind writes of registers. */
  public static Workload registers() {
    return of(WorkloadKind.REGISTER);
  }

  /** Registers whose writes follow a read of the same key; made to show lost updates. */
  public static Workload readModifyWrite() {
    return of(WorkloadKind.READ_MODIFY_WRITE);
  }

  /** Reads of and insertions into sets. */
  public static Workload sets() {
    return of(WorkloadKind.SET_INSERT);
  }

  /** Reads and increments of counters. */
  public static Workload counters() {
    return of(WorkloadKind.COUNTER);
  }

  /** The number of keys in use at a time. */
  public Workload keys(int number) {
    return with(Parameters.KEYS, number);
  }

  /** The number of operations of a transaction. */
  public Workload operations(int least, int most) {
    return with(Parameters.OPERATIONS, least + "-" + most);
  }

  /** The share of reads among operations, from 0 to 1. */
  public Workload reads(double share) {
    return with(Parameters.READS, share);
  }

  private Workload with(Parameter<?> parameter, Object value) {
    Values.require(parameter, value.toString());
    Map<Parameter<?>, Object> more = new LinkedHashMap<>(parameters);
    more.put(parameter, value);
    return new Workload(more);
  }

  RunConfig addTo(RunConfig config) {
    RunConfig all = config;
    for (Map.Entry<Parameter<?>, Object> entry : parameters.entrySet()) {
      all = all.with(entry.getKey(), entry.getValue());
    }
    return all;
  }
}
