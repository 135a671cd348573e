package dev.assay.history;

import java.util.List;

/**
 * Where a history came from, for messages.
 *
 * @param name the input as the user gave it; {@code -} for standard input
 * @param format id of the format it was read in, or {@code memory}
 * @param unit what the source position of a transaction counts
 * @param files names of the parts of a folder, in the order transactions refer to them; else empty
 */
public record Origin(String name, String format, Unit unit, List<String> files) {
  /** What source positions count. */
  public enum Unit {
    LINE,
    OFFSET,
    /** Positions mean nothing: the history was not read from a file. */
    NONE
  }

  /** Metadata that says that the recording was cut short, so that its end may be missing. */
  public static final String CUT_SHORT = "note.truncated";

  public static final Origin MEMORY = new Origin("history", "memory", Unit.NONE, List.of());

  public Origin {
    files = List.copyOf(files);
  }

  /** The place of a transaction as compilers print it: {@code run.edn:142}. */
  String place(int file, long position) {
    String part = files.isEmpty() ? name : name + "/" + files.get(file);
    if (position == History.ABSENT) {
      return part;
    }
    return switch (unit) {
      case LINE -> part + ":" + position;
      case OFFSET -> part + "@" + position;
      case NONE -> part;
    };
  }
}
