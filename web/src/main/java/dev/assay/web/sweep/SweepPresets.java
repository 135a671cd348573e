package dev.assay.web.sweep;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sweeps in the shape of the figures of PolySI, Plume, C4 and IsoVista: around 20 sessions of 100
 * transactions of 15 operations on 10,000 keys with a Zipfian distribution, half of them reads, one
 * parameter varies.
 */
public final class SweepPresets {
  private static final Map<String, String> BASE =
      fields(
          "store=serializable workload=register sessions=20 transactions=100 operations=15"
              + " keys=10000 reads=0.5 distribution=zipf");

  private static final Map<String, Map<String, String>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("sessions", fields("sessions=5,10,20,40,80"));
    ALL.put("transactions", fields("transactions=50,100,200,400,800"));
    ALL.put("operations", fields("operations=5,10,15,20,30"));
    ALL.put("reads", fields("reads=0,0.25,0.5,0.75,0.95"));
    ALL.put("keys", fields("keys=1000,2000,5000,10000,20000"));
    ALL.put("distribution", fields("distribution=uniform,zipf,hotspot"));
    ALL.put("read-heavy", fields("reads=0.95 transactions=50,100,200,400"));
    ALL.put("balanced", fields("reads=0.5 transactions=50,100,200,400"));
    ALL.put("write-heavy", fields("reads=0.3 transactions=50,100,200,400"));
    for (String application : new String[] {"tpcc", "rubis", "twitter"}) {
      ALL.put(
          application, fields("workload=" + application + " keys=20 transactions=25,50,100,200"));
    }
  }

  private SweepPresets() {}

  public static Iterable<String> names() {
    return ALL.keySet();
  }

  /** The values of a preset by parameter; null where there is none of this name. */
  public static Map<String, String> find(String name) {
    Map<String, String> own = ALL.get(name);
    if (own == null) {
      return null;
    }
    Map<String, String> all = new LinkedHashMap<>(BASE);
    all.putAll(own);
    return all;
  }

  private static Map<String, String> fields(String text) {
    Map<String, String> fields = new LinkedHashMap<>();
    for (String field : text.split(" ")) {
      String[] parts = field.split("=", 2);
      fields.put(parts[0], parts[1]);
    }
    return fields;
  }
}
