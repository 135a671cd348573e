package dev.assay.web.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Predefined requests. */
public final class Presets {
  /**
   * A request with a name.
   *
   * @param fields the fields of the form that it fills
   */
  public record Preset(String id, String title, String about, Map<String, String> fields) {}

  private static final List<Preset> ALL =
      List.of(
          preset(
              "quick",
              "Quick look",
              "H2 at serializable for five seconds",
              "source=database database=h2 isolation=serializable workload=mixed sessions=10"
                  + " operations=1-4 keys=10 reads=0.5 duration=5s"),
          preset(
              "skew",
              "Write skew",
              "few keys and short lists, so that transactions conflict",
              "source=database database=h2 isolation=serializable workload=list-append sessions=10"
                  + " operations=2-4 keys=3 writes-per-key=4 reads=0.5 duration=5s"),
          preset(
              "postgres-12.3",
              "PostgreSQL 12.3 bug",
              "write skew at serializable, fixed in 12.4: 20 sessions with one transaction of two"
                  + " operations each, repeated until it shows",
              "source=database database=postgres version=12.3 isolation=serializable"
                  + " workload=list-append sessions=20 transactions=1 operations=2 keys=10"
                  + " reads=0.5 repeat=10000 until-violated=yes"),
          preset(
              "levels",
              "All levels",
              "every level that the database offers, as a batch",
              "source=database database=h2 isolation=all workload=mixed sessions=10 keys=10"
                  + " duration=3s"),
          preset(
              "read-heavy",
              "Read-heavy",
              "95 % reads, as in the papers",
              "source=synthetic store=serializable workload=register sessions=20 transactions=100"
                  + " operations=15 keys=1000 reads=0.95 distribution=zipf"),
          preset(
              "balanced",
              "Balanced",
              "50 % reads",
              "source=synthetic store=serializable workload=register sessions=20 transactions=100"
                  + " operations=15 keys=1000 reads=0.5 distribution=zipf"),
          preset(
              "write-heavy",
              "Write-heavy",
              "70 % writes",
              "source=synthetic store=serializable workload=register sessions=20 transactions=100"
                  + " operations=15 keys=1000 reads=0.3 distribution=zipf"),
          preset(
              "tpcc",
              "TPC-C",
              "orders and payments, scaled down",
              "source=database database=h2 workload=tpcc sessions=10 keys=10 duration=5s"),
          preset(
              "rubis",
              "RUBiS",
              "an auction site, scaled down",
              "source=database database=h2 workload=rubis sessions=10 keys=10 duration=5s"),
          preset(
              "twitter",
              "C-Twitter",
              "tweets and timelines, scaled down",
              "source=database database=h2 workload=twitter sessions=10 keys=10 duration=5s"),
          preset(
              "sessions",
              "Scaling with sessions",
              "5 to 40 sessions, each method by itself",
              "source=synthetic store=serializable workload=register sessions=5,10,20,40"
                  + " transactions=100 operations=15 keys=1000 reads=0.5"
                  + " checkers=assay,weak-levels,strong-levels"));

  private Presets() {}

  private static Preset preset(String id, String title, String about, String fields) {
    Map<String, String> map = new LinkedHashMap<>();
    for (String field : fields.split(" ")) {
      String[] parts = field.split("=", 2);
      map.put(parts[0], parts[1]);
    }
    return new Preset(id, title, about, map);
  }

  public static List<Preset> all() {
    return new ArrayList<>(ALL);
  }

  public static Optional<Preset> find(String id) {
    return ALL.stream().filter(preset -> preset.id().equals(id)).findFirst();
  }
}
