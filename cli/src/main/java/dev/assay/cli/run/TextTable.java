package dev.assay.cli.run;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Tables for people and for pages. The first row is the head; all rows have as many cells. */
public final class TextTable {
  private static final int WIDTH = 80;
  private static final String GAP = "  ";

  private TextTable() {}

  /** Prints a Markdown table whose columns are aligned, as wide as it gets. */
  public static void markdown(List<List<String>> rows, PrintStream out) {
    int[] widths = widths(rows);
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder("|");
      StringBuilder rule = new StringBuilder("|");
      for (int i = 0; i < widths.length; i++) {
        line.append(' ').append(padded(rows.get(r).get(i), widths[i])).append(" |");
        rule.append("-".repeat(widths[i] + 2)).append('|');
      }
      out.println(line);
      if (r == 0) {
        out.println(rule);
      }
    }
  }

  /** Prints a table no wider than a terminal, where cells can be broken at spaces and hyphens. */
  public static void text(List<List<String>> rows, PrintStream out) {
    int[] widths = fitted(rows);
    for (int r = 0; r < rows.size(); r++) {
      List<List<String>> cells = new ArrayList<>();
      int height = 1;
      for (int i = 0; i < widths.length; i++) {
        cells.add(broken(rows.get(r).get(i), widths[i]));
        height = Math.max(height, cells.get(i).size());
      }
      for (int line = 0; line < height; line++) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
          List<String> cell = cells.get(i);
          // A head stands on its column, anything else begins with its row.
          int place = r == 0 ? line - height + cell.size() : line;
          String part = place >= 0 && place < cell.size() ? cell.get(place) : "";
          text.append(i == 0 ? "" : GAP).append(padded(part, widths[i]));
        }
        out.println(text.toString().stripTrailing());
      }
    }
  }

  private static int[] widths(List<List<String>> rows) {
    int[] widths = new int[rows.get(0).size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return widths;
  }

  /** Heads give way first, then the widest column, as long as its longest part still fits. */
  private static int[] fitted(List<List<String>> rows) {
    int[] widths = widths(rows);
    if (total(widths) > WIDTH) {
      widths = widths(rows.subList(1, rows.size()));
      for (int i = 0; i < widths.length; i++) {
        for (String part : parts(rows.get(0).get(i))) {
          widths[i] = Math.max(widths[i], part.stripTrailing().length());
        }
      }
    }
    int[] least = new int[widths.length];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        for (String part : parts(row.get(i))) {
          least[i] = Math.max(least[i], part.stripTrailing().length());
        }
      }
    }
    while (total(widths) > WIDTH) {
      int widest = -1;
      for (int i = 0; i < widths.length; i++) {
        if (widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest])) {
          widest = i;
        }
      }
      if (widest < 0) {
        break;
      }
      widths[widest]--;
    }
    int[] used = new int[widths.length];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        for (String line : broken(row.get(i), widths[i])) {
          used[i] = Math.max(used[i], line.length());
        }
      }
    }
    return used;
  }

  private static int total(int[] widths) {
    int total = GAP.length() * (widths.length - 1);
    for (int width : widths) {
      total += width;
    }
    return total;
  }

  private static List<String> broken(String cell, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String part : parts(cell)) {
      if (line.length() > 0 && (line + part).stripTrailing().length() > width) {
        lines.add(line.toString().stripTrailing());
        line.setLength(0);
      }
      line.append(part);
    }
    lines.add(line.toString().stripTrailing());
    return lines;
  }

  /** What a line may end after. */
  private static List<String> parts(String cell) {
    List<String> parts = new ArrayList<>();
    Collections.addAll(parts, cell.split("(?<=[ -])(?=[^ -])"));
    return parts;
  }

  private static String padded(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }
}
