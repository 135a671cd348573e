package dev.assay.render.plot;

import java.util.List;

/** Comma-separated values. */
public final class Csv {
  private final StringBuilder out = new StringBuilder();

  public Csv(List<String> head) {
    row(head);
  }

  public void row(List<String> cells) {
    for (int i = 0; i < cells.size(); i++) {
      String cell = cells.get(i);
      // A spreadsheet takes what begins so for a formula; names come from anywhere.
      boolean formula = cell.matches("[=+@\\t\\r].*|-[^0-9.].*");
      String safe = formula ? "'" + cell : cell;
      boolean quoted = safe.matches("(?s).*[\",\\n\\r].*");
      out.append(i == 0 ? "" : ",").append(quoted ? '"' + safe.replace("\"", "\"\"") + '"' : safe);
    }
    out.append('\n');
  }

  public String text() {
    return out.toString();
  }
}
