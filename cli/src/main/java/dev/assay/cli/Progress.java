package dev.assay.cli;

import dev.assay.format.Input;
import dev.assay.render.Plain;

/**
 * Shows how far the work on one input has come: a bar on a terminal once it takes longer than half
 * a second, elsewhere a line now and then, further and further apart.
 */
final class Progress implements AutoCloseable {
  private static final int BAR_WIDTH = 30;

  private final String name;
  private final long total;
  private final long started = System.nanoTime();
  private final StatusLine line;
  private volatile long bytes;
  private volatile String stage = "reading";

  private Progress(Terminal terminal, String name, long total) {
    this.name = name;
    this.total = total;
    this.line = new StatusLine(terminal, this::bar, this::text, true);
  }

  /** Watches an input being read; null, which try-with-resources accepts, when not wanted. */
  static Progress of(Input input, Terminal terminal, boolean quiet) {
    if (quiet) {
      return null;
    }
    String name = input.name().equals("-") ? "standard input" : input.name();
    Progress progress = new Progress(terminal, name, input.size());
    input.onProgress(
        n -> {
          progress.bytes = n;
        });
    return progress;
  }

  void stage(String now) {
    stage = now;
  }

  @Override
  public void close() {
    line.close();
  }

  private String text() {
    boolean knowsShare = total > 0 && stage.equals("reading");
    String share = knowsShare ? ", " + percent() + " % of " + Plain.bytes(total) : "";
    return stage + " " + name + share + ", " + Plain.duration(millis());
  }

  private String bar() {
    if (total <= 0 || !stage.equals("reading")) {
      return text();
    }
    String bar = StatusLine.bar(BAR_WIDTH, percent() / 100.0);
    return stage + " " + name + " " + bar + " " + percent() + " %";
  }

  private long percent() {
    return Math.min(100, bytes * 100 / total);
  }

  private long millis() {
    return (System.nanoTime() - started) / 1_000_000;
  }
}
