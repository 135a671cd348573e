package dev.assay.cli;

import dev.assay.format.Input;
import dev.assay.render.Plain;
import java.io.PrintStream;

/**
 * Tells how far the work on one input has come: a bar on a terminal once it takes longer than half
 * a second, elsewhere a line now and then, further and further apart.
 */
final class Progress implements AutoCloseable {
  private static final long FIRST_BAR_MILLIS = 500;
  private static final long BAR_INTERVAL_MILLIS = 200;
  private static final long FIRST_LINE_MILLIS = 5_000;
  private static final int BAR_WIDTH = 30;

  private final PrintStream err;
  private final boolean terminal;
  private final String name;
  private final long total;
  private final long started = System.nanoTime();
  private final Thread ticker;
  private volatile long bytes;
  private volatile String stage = "reading";
  private boolean drawn;

  private Progress(Terminal to, String name, long total) {
    this.err = to.err();
    this.terminal = to.errIsTerminal();
    this.name = name;
    this.total = total;
    this.ticker = new Thread(this::tick, "progress");
    ticker.setDaemon(true);
    ticker.start();
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
    ticker.interrupt();
    try {
      ticker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (drawn) {
      err.print("\r\u001b[K");
      err.flush();
    }
  }

  private void tick() {
    long wait = terminal ? FIRST_BAR_MILLIS : FIRST_LINE_MILLIS;
    try {
      while (true) {
        Thread.sleep(wait);
        if (terminal) {
          err.print("\r\u001b[K" + bar());
          err.flush();
          drawn = true;
          wait = BAR_INTERVAL_MILLIS;
        } else {
          err.println("assay: " + text());
          wait *= 2;
        }
      }
    } catch (InterruptedException e) {
      // The work is done; close() tidies up.
    }
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
    int full = (int) (percent() * BAR_WIDTH / 100);
    return stage
        + " "
        + name
        + " ["
        + "#".repeat(full)
        + " ".repeat(BAR_WIDTH - full)
        + "] "
        + percent()
        + " %";
  }

  private long percent() {
    return Math.min(100, bytes * 100 / total);
  }

  private long millis() {
    return (System.nanoTime() - started) / 1_000_000;
  }
}
