package dev.assay.type;

import dev.assay.history.History;
import dev.assay.history.Sequences;
import dev.assay.resolve.ReadsFrom;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** A write adds an element, which stays. */
final class Sets implements DataType {
  static final DataType TYPE = new Sets();

  private Sets() {}

  @Override
  public Function<ReadAnomalies, TypeReads> reads(History history, ReadsFrom reads) {
    return found -> new SetReads(history, reads, found);
  }

  @Override
  public TypeDependencies dependencies(History history, ReadsFrom reads) {
    return new SetDependencies(history, reads);
  }

  @Override
  public boolean shows(History history, int read, int write) {
    return history.sequences().setContains(history.value(read), history.value(write));
  }

  @Override
  public boolean misses(History history, int read, int write) {
    return !shows(history, read, write);
  }

  @Override
  public TypeStore store(History history) {
    return new Store(history);
  }

  /** Each element is a row. */
  @Override
  public SqlTable table() {
    return new SqlTable(
        "sets",
        "k %1$s NOT NULL, v %2$s NOT NULL, PRIMARY KEY (k, v)",
        null,
        "INSERT INTO sets VALUES (%1$s, %2$s)");
  }

  private static final class Store implements TypeStore {
    private final History history;
    private final Map<Integer, Set<Integer>> sets = new HashMap<>();

    Store(History history) {
      this.history = history;
    }

    @Override
    public Runnable write(int op) {
      int element = history.value(op);
      Set<Integer> elements = sets.computeIfAbsent(history.key(op), k -> new HashSet<>());
      return elements.add(element) ? () -> elements.remove(element) : () -> {};
    }

    @Override
    public boolean agrees(int read) {
      Set<Integer> elements = sets.getOrDefault(history.key(read), Set.of());
      Sequences sequences = history.sequences();
      int sequence = history.value(read);
      boolean same = sequences.length(sequence) == elements.size();
      for (int i = 0; same && i < elements.size(); i++) {
        same = elements.contains(sequences.element(sequence, i));
      }
      return same;
    }
  }
}
