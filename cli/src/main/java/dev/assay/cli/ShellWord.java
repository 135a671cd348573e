package dev.assay.cli;

/** Arguments as people type them into a shell. */
final class ShellWord {
  private ShellWord() {}

  /** The word itself, in quotes where a shell would take it for something else. */
  static String of(String word) {
    boolean plain = !word.isEmpty() && word.matches("[A-Za-z0-9_./,:@%+=-]+");
    return plain ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
