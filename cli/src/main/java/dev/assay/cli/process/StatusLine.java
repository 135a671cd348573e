package dev.assay.cli.process;

import java.io.PrintStream;
import java.util.function.Supplier;

/**
 * Says on standard error how far something is: on a terminal one line that is drawn again and
 * again, elsewhere a new line now and then. Ends when it is closed.
 */
public final class StatusLine implements AutoCloseable {
  private static final long FIRST_BAR_MILLIS = 500;
  private static final long BAR_MILLIS = 200;
  private static final long LINE_MILLIS = 5_000;
  private static final long RAREST_MILLIS = 600_000;
  private static final String CLEAR = "\r\u001b[K";

  private final PrintStream err;
  private final boolean terminal;
  private final Supplier<String> bar;
  private final Supplier<String> text;
  private final boolean rarer;
  private final Thread ticker = new Thread(this::tick, "progress");
  private boolean drawn;

  /**
   * Starts at once.
   *
   * @param bar the line for a terminal
   * @param text the line for anything else
   * @param rarer whether lines come further and further apart
   */
  public StatusLine(Terminal terminal, Supplier<String> bar, Supplier<String> text, boolean rarer) {
    this.err = terminal.err();
    this.terminal = terminal.errIsTerminal();
    this.bar = bar;
    this.text = text;
    this.rarer = rarer;
    ticker.setDaemon(true);
    ticker.start();
  }

  /** A bar that is filled to a share of its width. */
  public static String bar(int width, double share) {
    int full = (int) (Math.min(1, share) * width);
    return "[" + "#".repeat(full) + " ".repeat(width - full) + "]";
  }

  private void tick() {
    long wait = terminal ? FIRST_BAR_MILLIS : LINE_MILLIS;
    try {
      while (true) {
        Thread.sleep(wait);
        draw();
        wait = terminal ? BAR_MILLIS : rarer ? Math.min(wait * 2, RAREST_MILLIS) : wait;
      }
    } catch (InterruptedException e) {
      // The work is done; close() tidies up.
    }
  }

  private synchronized void draw() {
    if (terminal) {
      err.print(CLEAR + bar.get());
      drawn = true;
    } else {
      err.println("assay: " + text.get());
    }
    err.flush();
  }

  /** Says something in between, which stays. */
  public synchronized void say(String lines) {
    clear();
    err.print(lines);
    err.flush();
  }

  private void clear() {
    if (drawn) {
      err.print(CLEAR);
      err.flush();
      drawn = false;
    }
  }

  @Override
  public void close() {
    ticker.interrupt();
    try {
      ticker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    clear();
  }
}
