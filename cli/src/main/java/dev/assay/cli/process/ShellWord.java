package dev.assay.cli.process;

/** Arguments as people type them into a shell. */
public final class ShellWord {
  private ShellWord() {}

  /** The word itself, in quotes where a shell would take it for something else. */
  public static String of(String word) {
    boolean plain = !word.isEmpty() && word.matches("[A-Za-z0-9_./,:@%+=-]+");
    return plain ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
