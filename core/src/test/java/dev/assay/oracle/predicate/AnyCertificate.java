package dev.assay.oracle.predicate;

import dev.assay.level.Level;
import dev.assay.oracle.predicate.Certificate.Look;
import dev.assay.oracle.predicate.Certificate.Place;
import dev.assay.oracle.predicate.PredicateHistory.Op;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * The levels of Adya that a history has for some version order, and some version sets that explain
 * what predicate operations gave. The two levels that permit mismatches ask for no version sets.
 */
final class AnyCertificate {
  /** Histories with more certificates than this are not for this oracle. */
  private static final int MAX_CERTIFICATES = 4_000;

  private final PredicateHistory history;
  private final List<Map<ItemReads.Read, Integer>> sources;
  private final Set<Level> holding = EnumSet.noneOf(Level.class);
  private Certificate given = new Certificate(Map.of(), List.of(), Map.of(), Map.of());
  private int tried;

  private AnyCertificate(PredicateHistory history) {
    this.history = history;
    this.sources = new ItemReads(history).choices();
  }

  /**
   * A certificate with some version order and some version sets that explain what predicate
   * operations gave; null if there are none for that order.
   */
  static Certificate explaining(PredicateHistory history, Random random) {
    AnyCertificate any = new AnyCertificate(history);
    Map<String, List<Integer>> orders = new TreeMap<>();
    for (int txn = 0; txn < history.size(); txn++) {
      for (String key : history.finalWrites(txn).keySet()) {
        List<Integer> order = orders.computeIfAbsent(key, k -> new ArrayList<>());
        order.add(order.isEmpty() ? 0 : 1 + random.nextInt(order.size()), txn);
      }
    }
    Map<Place, Look> looks = new LinkedHashMap<>();
    for (Place place : any.places()) {
      List<Map<String, Integer>> possible = any.explanations(orders, place);
      if (possible.isEmpty()) {
        return null;
      }
      looks.put(place, new Look.Listed(possible.get(random.nextInt(possible.size()))));
    }
    return any.certificate(orders, looks);
  }

  /** The levels, or null where there are too many certificates to try. */
  static Set<Level> holding(PredicateHistory history) {
    AnyCertificate any = new AnyCertificate(history);
    Map<String, List<Integer>> writers = new TreeMap<>();
    for (int txn = 0; txn < history.size(); txn++) {
      for (String key : history.finalWrites(txn).keySet()) {
        writers.computeIfAbsent(key, k -> new ArrayList<>()).add(txn);
      }
    }
    any.order(new ArrayList<>(writers.keySet()), writers, new TreeMap<>());
    return any.tried > MAX_CERTIFICATES ? null : any.holding;
  }

  /**
   * The levels with a certificate that does not say of all predicate operations what they looked
   * at, for some version sets of those; null if there are too many.
   */
  static Set<Level> holding(PredicateHistory history, Certificate certificate) {
    AnyCertificate any = new AnyCertificate(history);
    any.given = certificate;
    any.order(List.copyOf(certificate.orders().keySet()), Map.of(), certificate.orders());
    return any.tried > MAX_CERTIFICATES ? null : any.holding;
  }

  private void order(
      List<String> keys, Map<String, List<Integer>> writers, Map<String, List<Integer>> orders) {
    if (orders.size() == keys.size()) {
      Map<String, List<Integer>> complete = new TreeMap<>(orders);
      take(certificate(complete, given.looks()), places().isEmpty());
      look(complete, places(), new HashMap<>());
      return;
    }
    String key = keys.get(orders.size());
    for (List<Integer> order : permutations(writers.get(key))) {
      orders.put(key, order);
      order(keys, writers, orders);
      orders.remove(key);
    }
  }

  static List<List<Integer>> permutations(List<Integer> items) {
    if (items.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (Integer first : items) {
      List<Integer> rest = new ArrayList<>(items);
      rest.remove(first);
      for (List<Integer> tail : permutations(rest)) {
        List<Integer> order = new ArrayList<>(List.of(first));
        order.addAll(tail);
        all.add(order);
      }
    }
    return all;
  }

  private List<Place> places() {
    List<Place> places = new ArrayList<>();
    for (int txn = 0; txn < history.size(); txn++) {
      List<Op> ops = history.txns().get(txn).ops();
      for (int op = 0; op < ops.size(); op++) {
        if (ops.get(op).predicate() != null) {
          places.add(new Place(txn, op));
        }
      }
    }
    return places;
  }

  private void look(Map<String, List<Integer>> orders, List<Place> places, Map<Place, Look> looks) {
    if (tried > MAX_CERTIFICATES) {
      return;
    }
    if (looks.size() == places.size()) {
      take(certificate(orders, new LinkedHashMap<>(looks)), true);
      return;
    }
    Place place = places.get(looks.size());
    Look known = given.looks().get(place);
    if (known != null) {
      looks.put(place, known);
      look(orders, places, looks);
      looks.remove(place);
      return;
    }
    for (Map<String, Integer> writers : explanations(orders, place)) {
      looks.put(place, new Look.Listed(writers));
      look(orders, places, looks);
      looks.remove(place);
    }
  }

  private Certificate certificate(Map<String, List<Integer>> orders, Map<Place, Look> looks) {
    return new Certificate(orders, given.commits(), looks, Map.of());
  }

  /** The versions that give what an operation gave. */
  private List<Map<String, Integer>> explanations(Map<String, List<Integer>> orders, Place place) {
    List<Op> ops = history.txns().get(place.txn()).ops();
    List<Map<String, Integer>> all = new ArrayList<>();
    all.add(new TreeMap<>());
    for (Map.Entry<String, List<Integer>> order : orders.entrySet()) {
      String key = order.getKey();
      List<Op> before = ops.subList(0, place.op());
      if (before.stream().anyMatch(op -> op.written().containsKey(key))) {
        continue;
      }
      List<Map<String, Integer>> more = new ArrayList<>(all);
      for (Map<String, Integer> writers : all) {
        for (int writer : order.getValue()) {
          if (writer != place.txn()) {
            Map<String, Integer> next = new TreeMap<>(writers);
            next.put(key, writer);
            more.add(next);
          }
        }
      }
      all = more;
    }
    all.removeIf(
        writers -> {
          Rows seen = new Rows();
          writers.forEach((key, writer) -> seen.put(key, history.finalWrites(writer).get(key)));
          ops.subList(0, place.op()).forEach(op -> seen.putAll(op.written()));
          return !seen.result(ops.get(place.op())).equals(ops.get(place.op()));
        });
    return all;
  }

  /** Notes what holds with a certificate; without version sets only what asks for none. */
  private void take(Certificate certificate, boolean explained) {
    tried++;
    for (Map<ItemReads.Read, Integer> choice : sources) {
      AdyaOracle oracle = new AdyaOracle(history, certificate, choice);
      for (Level level : AdyaOracle.levels()) {
        boolean asked = explained || AdyaOracle.permitsMismatches(level);
        if (asked && oracle.holds(level)) {
          holding.add(level);
        }
      }
    }
  }
}
