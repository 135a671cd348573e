package dev.assay.web.sweep;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.Use;
import dev.assay.collect.workload.Application;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sweeps in the shape of the figures of PolySI, Plume, C4 and IsoVista: one parameter varies, and
 * the others have the defaults of {@link Use#BENCH}, which are around 20 sessions of 100
 * transactions of 15 operations on 10,000 keys with a Zipfian distribution, half of them reads.
 */
public final class SweepPresets {
  private static final Map<String, Map<Parameter<?>, String>> ALL = new LinkedHashMap<>();

  static {
    add("sessions", Parameters.SESSIONS, "5,10,20,40,80");
    add("transactions", Parameters.TRANSACTIONS, "50,100,200,400,800");
    add("operations", Parameters.OPERATIONS, "5,10,15,20,30");
    add("reads", Parameters.READS, "0,0.25,0.5,0.75,0.95");
    add("keys", Parameters.KEYS, "1000,2000,5000,10000,20000");
    add("distribution", Parameters.DISTRIBUTION, "uniform,zipf,hotspot");
    addMix("read-heavy", "0.95");
    addMix("balanced", "0.5");
    addMix("write-heavy", "0.3");
    for (Application application : Application.values()) {
      add(application.id(), Parameters.WORKLOAD, application.id());
      add(application.id(), Parameters.KEYS, "20");
      add(application.id(), Parameters.TRANSACTIONS, "25,50,100,200");
    }
  }

  private SweepPresets() {}

  private static void add(String name, Parameter<?> parameter, String values) {
    ALL.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(parameter, values);
  }

  private static void addMix(String name, String reads) {
    add(name, Parameters.READS, reads);
    add(name, Parameters.TRANSACTIONS, "50,100,200,400");
  }

  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** The values of a preset by parameter; the others have their defaults. */
  public static Map<Parameter<?>, String> of(String name) {
    return ALL.get(name);
  }
}
