package dev.assay.collect.client;

import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.List;

/**
 * Several levels of a store, each for a share of the transactions.
 *
 * @param parts the levels
 * @param shares the share of each, as a positive number; they need not add up to 100
 */
public record IsolationMix(List<Isolation> parts, List<Integer> shares) implements Isolation {
  public IsolationMix {
    parts = List.copyOf(parts);
    shares = List.copyOf(shares);
    if (parts.size() != shares.size()) {
      throw new IllegalArgumentException("a share for each level");
    }
  }

  /** The levels with their shares, such as {@code serializable:80+read-committed:20}. */
  @Override
  public String name() {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      names.add(parts.get(i).name() + ":" + shares.get(i));
    }
    return String.join("+", names);
  }

  @Override
  public Level claimed() {
    return Level.MIXED;
  }

  @Override
  public int part(double drawn) {
    double left = drawn * shares.stream().mapToInt(share -> share).sum();
    int part = 0;
    while (part < parts.size() - 1 && left >= shares.get(part)) {
      left -= shares.get(part++);
    }
    return part;
  }
}
