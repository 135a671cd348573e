package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;

/** What a checker and an oracle say differently, with the shortest history of each kind. */
public final class Disagreements {
  private record Shown(int count, String shortest) {}

  private final TreeMap<String, Shown> shown = new TreeMap<>();

  public void add(String what, String history) {
    shown.merge(
        what,
        new Shown(1, history),
        (known, added) ->
            new Shown(
                known.count + 1,
                added.shortest.length() < known.shortest.length()
                    ? added.shortest
                    : known.shortest));
  }

  public void assertNone() {
    StringBuilder text = new StringBuilder();
    shown.forEach(
        (what, each) ->
            text.append(what)
                .append(" (")
                .append(each.count)
                .append(" histories)\n")
                .append(each.shortest)
                .append('\n'));
    assertThat(text.toString()).isEmpty();
  }
}
