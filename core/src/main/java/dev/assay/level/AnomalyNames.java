package dev.assay.level;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The names of anomalies in use: ids, the words of reports, those of Elle and Adya, the letters of
 * Plume and C4, and those of the papers that schedules such as Hermitage's go by (Berenson et al.,
 * SIGMOD 1995; Bailis et al., VLDB 2014).
 */
public final class AnomalyNames {
  private static final Map<String, List<AnomalyType>> OTHERS = new TreeMap<>();

  static {
    put(
        List.of("G1", "P1", "dirty-read"),
        AnomalyType.ABORTED_READ,
        AnomalyType.INTERMEDIATE_READ,
        AnomalyType.G1C);
    put(List.of("P0"), AnomalyType.G0);
    put(List.of("A1"), AnomalyType.ABORTED_READ);
    put(List.of("P2", "A2", "IMP", "fuzzy-read"), AnomalyType.NON_REPEATABLE_READ);
    put(List.of("P3", "A3"), AnomalyType.G2);
    put(List.of("PMP"), AnomalyType.G_SINGLE);
    put(List.of("P4", "P4C", "G-cursor"), AnomalyType.LOST_UPDATE);
    put(List.of("A5A"), AnomalyType.G_SINGLE_ITEM);
    put(List.of("A5B"), AnomalyType.G2_ITEM);
    put(
        List.of("OTV", "observed-transaction-vanishes"),
        AnomalyType.NON_MONOTONIC_READ_CO,
        AnomalyType.NON_MONOTONIC_READ_CM);
  }

  private AnomalyNames() {}

  private static void put(List<String> names, AnomalyType... types) {
    names.forEach(name -> OTHERS.put(plain(name), List.of(types)));
  }

  /** The anomalies of a name, ignoring case; none if it is not a name of any. */
  public static Set<AnomalyType> find(String name) {
    String wanted = plain(name);
    Set<AnomalyType> found = EnumSet.noneOf(AnomalyType.class);
    for (AnomalyType type : AnomalyType.values()) {
      if (plain(type.id()).equals(wanted)) {
        return EnumSet.of(type);
      }
      if (of(type).contains(wanted)) {
        found.add(type);
      }
    }
    found.addAll(OTHERS.getOrDefault(wanted, List.of()));
    return found;
  }

  /** Every name that {@link #find} knows. */
  public static List<String> all() {
    List<String> names = new ArrayList<>();
    for (AnomalyType type : AnomalyType.values()) {
      names.add(type.id());
    }
    for (AnomalyType type : AnomalyType.values()) {
      of(type).stream().filter(name -> !names.contains(name)).forEach(names::add);
    }
    names.addAll(OTHERS.keySet());
    return names;
  }

  /** What else papers call it, other than Elle's name and letters. */
  public static List<String> others(AnomalyType type) {
    List<String> names = new ArrayList<>();
    OTHERS.forEach(
        (name, types) -> {
          if (types.contains(type)) {
            names.add(name.length() <= 4 ? name.toUpperCase(Locale.ROOT) : name);
          }
        });
    return names;
  }

  private static List<String> of(AnomalyType type) {
    List<String> names = new ArrayList<>(List.of(plain(type.title())));
    if (type.elle() != null) {
      names.add(plain(type.elle()));
    }
    if (type.plume() != null) {
      names.add(plain("TAP-" + type.plume()));
    }
    if (type.c4() != null) {
      for (String letter : type.c4().split(", ")) {
        names.add(plain("C4-" + letter));
      }
    }
    return names;
  }

  private static String plain(String name) {
    return name.strip().toLowerCase(Locale.ROOT).replace(' ', '-').replace('_', '-');
  }
}
