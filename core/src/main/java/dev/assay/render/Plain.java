package dev.assay.render;

import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.List;

/** Numbers, counts and lists as people write them, the same in every locale. */
public final class Plain {
  private Plain() {}

  /** 100,000. */
  public static String number(long number) {
    String digits = Long.toString(Math.abs(number));
    StringBuilder text = new StringBuilder(number < 0 ? "-" : "");
    for (int i = 0; i < digits.length(); i++) {
      if (i > 0 && (digits.length() - i) % 3 == 0) {
        text.append(',');
      }
      text.append(digits.charAt(i));
    }
    return text.toString();
  }

  /** 1 session, 32 sessions. */
  public static String count(long number, String singular) {
    return number(number) + " " + singular + (number == 1 ? "" : "s");
  }

  /** 0.4 s, 12 s, 3 min 20 s. */
  public static String duration(long millis) {
    if (millis > 0 && millis < 100) {
      return millis + " ms";
    }
    if (millis < 10_000) {
      long tenths = (millis + 50) / 100;
      return tenths / 10 + "." + tenths % 10 + " s";
    }
    long seconds = (millis + 500) / 1000;
    return seconds < 120 ? seconds + " s" : seconds / 60 + " min " + seconds % 60 + " s";
  }

  /** 512 B, 1.5 MB. */
  public static String bytes(long bytes) {
    String[] units = {"B", "kB", "MB", "GB", "TB"};
    long scale = 1;
    int unit = 0;
    while (bytes / scale >= 1000 && unit < units.length - 1) {
      scale *= 1000;
      unit++;
    }
    if (unit == 0) {
      return bytes + " B";
    }
    long tenths = bytes * 10 / scale;
    return tenths / 10 + "." + tenths % 10 + " " + units[unit];
  }

  /** a, b and c. */
  public static String listed(List<?> items) {
    return listed(items, "and");
  }

  /** The same with another word before the last one. */
  public static String listed(List<?> items, String conjunction) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < items.size(); i++) {
      boolean last = i == items.size() - 1;
      text.append(i == 0 ? "" : last ? " " + conjunction + " " : ", ").append(items.get(i));
    }
    return text.toString();
  }

  /** Levels from weak to strong, the order in which a reader climbs the lattice. */
  public static List<Level> weakestFirst(List<Level> levels) {
    List<Level> reversed = new ArrayList<>(levels);
    java.util.Collections.reverse(reversed);
    return reversed;
  }

  /** Breaks text at spaces so that no line is wider than asked, where words allow. */
  public static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    int start = 0;
    while (text.length() - start > width) {
      int space = text.lastIndexOf(' ', start + width);
      if (space <= start) {
        space = text.indexOf(' ', start + width);
      }
      if (space < 0) {
        break;
      }
      lines.add(text.substring(start, space).stripTrailing());
      start = space + 1;
    }
    lines.add(text.substring(start));
    return lines;
  }
}
