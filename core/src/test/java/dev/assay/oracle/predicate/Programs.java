package dev.assay.oracle.predicate;

import dev.assay.oracle.predicate.PredicateHistory.Op;
import dev.assay.oracle.predicate.PredicateHistory.Row;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;

/** Operations to make programs of, without results; each takes the version that it writes. */
final class Programs {
  /** What the exhaustive histories are made of. */
  static final List<IntFunction<Op>> FEW =
      List.of(
          read("x"),
          write("x", 1),
          write("x", 2),
          write("y", 1),
          delete("x"),
          select("{\"where\":[\"<\",\"val\",2]}"),
          aggregate("{\"select\":[\"min\",\"val\"]}"),
          aggregate("{\"select\":[\"count\"],\"where\":[\"=\",\"val\",1]}"),
          increment("[\"<\",\"val\",2]"),
          deleteWhere("[\"=\",\"val\",1]"));

  /** What the random ones are made of. */
  static final List<IntFunction<Op>> MANY =
      List.of(
          read("x"),
          read("y"),
          write("x", 1),
          write("x", 2),
          write("y", 1),
          write("y", 3),
          write("z", 2),
          writeNull("y"),
          delete("x"),
          delete("y"),
          select("{}"),
          select("{\"where\":[\"<\",\"val\",2]}"),
          select("{\"where\":[\"=\",\"val\",1]}"),
          select("{\"where\":[\"and\",[\">\",\"val\",1],[\"!=\",\"k\",{\"text\":\"y\"}]]}"),
          aggregate("{\"select\":[\"min\",\"val\"]}"),
          aggregate("{\"select\":[\"max\",\"val\"],\"where\":[\"<=\",\"val\",2]}"),
          aggregate("{\"select\":[\"sum\",\"val\"],\"where\":[\">=\",\"val\",1]}"),
          aggregate("{\"select\":[\"avg\",\"val\"],\"where\":[\"<=\",\"val\",2]}"),
          aggregate("{\"select\":[\"count\"],\"where\":[\"between\",\"val\",1,2]}"),
          aggregate("{\"select\":[\"count\",\"val\"]}"),
          select("{\"where\":[\"is-null\",\"val\"]}"),
          increment("[\"<\",\"val\",3]"),
          increment("[\"=\",[\"%\",\"val\",2],1]"),
          assign("[\">\",\"val\",1]", 1),
          deleteWhere("[\">=\",\"val\",2]"),
          deleteWhere("true"));

  private Programs() {}

  static IntFunction<Op> read(String key) {
    return version -> new Op.Read(key, null);
  }

  static IntFunction<Op> write(String key, int val) {
    return version -> new Op.Write(key, new Row((long) val, version));
  }

  static IntFunction<Op> writeNull(String key) {
    return version -> new Op.Write(key, new Row(null, version));
  }

  static IntFunction<Op> delete(String key) {
    return version -> new Op.Write(key, null);
  }

  static IntFunction<Op> select(String condition) {
    return version -> new Op.Select(condition, Map.of());
  }

  static IntFunction<Op> aggregate(String condition) {
    return version -> new Op.Aggregate(condition, null);
  }

  static IntFunction<Op> increment(String where) {
    return version ->
        new Op.Update(
            "{\"where\":%s,\"set\":{\"val\":[\"+\",\"val\",1],\"ver\":%d}}"
                .formatted(where, version),
            Map.of());
  }

  static IntFunction<Op> assign(String where, int val) {
    return version ->
        new Op.Update(
            "{\"where\":%s,\"set\":{\"val\":%d,\"ver\":%d}}".formatted(where, val, version),
            Map.of());
  }

  static IntFunction<Op> deleteWhere(String where) {
    return version -> new Op.Update("{\"where\":%s,\"delete\":true}".formatted(where), Map.of());
  }
}
