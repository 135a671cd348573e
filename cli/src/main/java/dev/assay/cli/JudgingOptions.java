package dev.assay.cli;

import picocli.CommandLine.Option;

/** What to decide of a history and how to tell it: the same for all commands that check. */
final class JudgingOptions {
  @Option(
      names = {"-l", "--level"},
      paramLabel = "L[,L...]",
      description = "The levels to decide and judge, or all (default: all).")
  String level = Names.ALL;

  @Option(
      names = "--expect",
      paramLabel = "L",
      description =
          "With all: the level that decides success (default: the level recorded in the"
              + " history, which is the one asked of the database, else serializable).")
  String expect;

  @Option(
      names = "--infer",
      paramLabel = "A[,A...]",
      description = {
        "What may be assumed of single registers (default: initial, which is always assumed):",
        "  initial: the initial version comes first;",
        "  writes-follow-reads: what a transaction writes is newer than what it read of the key;",
        "  sequential-keys: a session meets the versions of a key in their order;",
        "  linearizable-keys: real time orders the versions of a key;",
        "  transaction-order: the serialization order that the history expects does;",
        "  timestamps: the database's commit timestamps do."
      })
  String infer = "";

  @Option(
      names = {"-o", "--output"},
      paramLabel = "KIND",
      description = "text, json or junit (default: text).")
  String output = "text";

  @Option(
      names = "--report",
      paramLabel = "X.html",
      description = "Also write a page that explains the verdict; assay check reads it again.")
  String report;

  @Option(names = "--dot", paramLabel = "X.dot", description = "Also draw witnesses (Graphviz).")
  String dot;

  @Option(names = "--tikz", paramLabel = "X.tex", description = "Also draw witnesses (TikZ).")
  String tikz;

  @Option(
      names = "--max-witnesses",
      paramLabel = "N",
      description = "Show up to N instances of each anomaly (default: 1 in text, 3 in json).")
  Integer maxWitnesses;

  @Option(
      names = "--anomaly",
      paramLabel = "ID[,ID...]",
      description = "Show only these anomalies; verdicts stay the same.")
  String anomaly;

  @Option(
      names = "--forbid",
      paramLabel = "ID[,ID...]",
      description = {
        "Judge by anomalies: finding one of these is a failure, whatever levels hold. Levels are",
        "then judged only where --level or --expect names them."
      })
  String forbid;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many threads a check may use at once (default: one a processor).")
  Integer threads;

  @Option(
      names = "--timeout",
      paramLabel = "T",
      description = "Give up on checking a history after this long (default: 10m).")
  String timeout = "10m";
}
