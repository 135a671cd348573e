package dev.assay.web.sweep;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.SweepParameters;
import dev.assay.collect.config.Use;
import dev.assay.collect.workload.Application;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Sweeps in the shape of the figures in papers: one parameter varies. Where a name does not say
 * which paper, the others have the defaults of {@link Use#BENCH}, which are those of PolySI: 20
 * sessions of 100 transactions of 15 operations on 10,000 keys with a Zipfian distribution, half of
 * them reads. docs/papers.md has the sources.
 */
public final class SweepPresets {
  private static final Map<String, Map<Parameter<?>, String>> ALL = new LinkedHashMap<>();

  /** The levels that a paper is about, where it is about some. */
  private static final Map<String, String> LEVELS = new LinkedHashMap<>();

  /** King Cobra's shares of the version order. */
  private static final String SHARES = "0,0.25,0.5,0.75,0.9,1";

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
    addPlume("plume-fig8a", Parameters.SESSIONS, "2,5,10,15,20,25,30,40,50");
    addPlume("plume-fig8b", Parameters.TRANSACTIONS, "100,200,300,400,500");
    addPlume("plume-fig8c", Parameters.OPERATIONS, "10,20,30,40,50");
    addPlume("plume-fig8d", Parameters.DISTRIBUTION, "uniform,zipf,hotspot");
    // The memory of the same runs.
    addPlume("plume-fig9a", Parameters.SESSIONS, "2,5,10,15,20,25,30,40,50");
    addPlume("plume-fig9b", Parameters.TRANSACTIONS, "100,200,300,400,500");
    addPlume("plume-fig9c", Parameters.OPERATIONS, "10,20,30,40,50");
    addPlume("plume-fig12", Parameters.READS, "0.3,0.5,0.95");
    add("plume-fig12", Parameters.SESSIONS, "40");
    add("plume-fig12", Parameters.TRANSACTIONS, "400");
    // C4 has the workloads of Plume, which grew out of it, and more of them.
    addPlume("c4-fig8a", Parameters.SESSIONS, "2,5,10,15,20,25,30,40,50");
    addPlume("c4-fig8b", Parameters.TRANSACTIONS, "100,200,300,400,500");
    addPlume("c4-fig8c", Parameters.OPERATIONS, "10,20,30,40,50");
    addPlume("c4-fig8d", Parameters.READS, "0,0.25,0.5,0.75,1");
    addPlume("c4-fig8e", Parameters.KEYS, "1000,2000,3000,4000,6000,8000,10000");
    addPlume("c4-fig8f", Parameters.DISTRIBUTION, "uniform,zipf,hotspot");
    // One to five appends or reads on 100 objects; the figure ends at 100,000 operations.
    add(
        "elle-fig4",
        "workload=list-append sessions=1,5,20,100 transactions=300 operations=1-5 keys=100"
            + " distribution=uniform",
        "serializable,strict-serializable");
    // 10,000 transactions of 20 clients, with and without session order.
    String kingCobra = "sessions=20 transactions=500 operations=8 keys=1000 distribution=uniform";
    String withAndWithoutSessions = "serializable,strong-session-serializable";
    add("kingcobra", kingCobra + " reads=0.1,0.5", withAndWithoutSessions);
    add("kingcobra", SweepParameters.KNOWN_VERSIONS, SHARES);
    add("kingcobra-rmw", kingCobra + " workload=read-modify-write reads=0", withAndWithoutSessions);
    add("kingcobra-rmw", SweepParameters.KNOWN_VERSIONS, SHARES);
    add("kingcobra-mix", kingCobra + " workload=register-mix reads=0.5", withAndWithoutSessions);
    add("kingcobra-mix", SweepParameters.KNOWN_VERSIONS, SHARES);
    // Only the sizes are the paper's; see docs/papers.md.
    add(
        "emme-items",
        "sessions=20 transactions=125,500,5000 operations=5 keys=1000 distribution=uniform",
        "snapshot-isolation,serializable");
    add("emme-items", SweepParameters.KNOWN_VERSIONS, "1");
    // What IsoVista's configuration file has.
    add(
        "isovista",
        "sessions=5 transactions=10 operations=10 keys=100 reads=0.5 distribution=uniform",
        "read-committed,read-atomic,causal,strong-session-snapshot-isolation,"
            + "strong-session-serializable");
  }

  /** Plume's workloads: 25 clients, 200 transactions each, 20 operations, 10,000 keys. */
  private static void addPlume(String name, Parameter<?> varied, String values) {
    add(
        name,
        "sessions=25 transactions=200 operations=20 keys=10000 reads=0.5 distribution=uniform",
        "causal");
    add(name, varied, values);
  }

  private SweepPresets() {}

  private static void add(String name, Parameter<?> parameter, String values) {
    ALL.computeIfAbsent(name, key -> new LinkedHashMap<>()).put(parameter, values);
  }

  /** Adds parameters as they are in the address of a form, and the levels of a paper. */
  private static void add(String name, String parameters, String levels) {
    for (String field : parameters.split(" ")) {
      String[] parts = field.split("=", 2);
      add(name, Parameters.find(parts[0]).orElseThrow(), parts[1]);
    }
    LEVELS.put(name, levels);
  }

  private static void addMix(String name, String reads) {
    add(name, Parameters.READS, reads);
    add(name, Parameters.TRANSACTIONS, "50,100,200,400");
  }

  public static List<String> names() {
    return List.copyOf(ALL.keySet());
  }

  /** The levels of a preset, or null for the usual ones. */
  public static String levels(String name) {
    return LEVELS.get(name);
  }

  /** The values of a preset by parameter; the others have their defaults. */
  public static Map<Parameter<?>, String> of(String name) {
    return ALL.get(name);
  }
}
