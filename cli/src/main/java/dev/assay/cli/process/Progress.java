package dev.assay.cli.process;

import dev.assay.format.Input;
import dev.assay.render.Plain;

/**
 * Shows how far the work on one input has come: a bar on a terminal once it takes longer than half
 * a second, elsewhere a line now and then, further and further apart.
 */
public final class Progress implements AutoCloseable {
  private static final int BAR_WIDTH = 30;

  private final String name;
  private final long total;
  private final long started = System.nanoTime();
  private final StatusLine line;
  private volatile long bytes;
  private volatile String stage = "reading";

  /** How much of the stage is done; −1 for the part of the input that was read. */
  private volatile double share = -1;

  private volatile long stageStarted = started;

  private Progress(Terminal terminal, String name, long total) {
    this.name = name;
    this.total = total;
    this.line = new StatusLine(terminal, this::bar, this::text, true);
  }

  /** Watches an input being read; null, which try-with-resources accepts, when not wanted. */
  public static Progress of(Input input, Terminal terminal, boolean quiet) {
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

  public void stage(String now) {
    share(now, 0);
  }

  /** The same where the share that is done is known; −1 for the part of the input that was read. */
  public void share(String now, double done) {
    if (!stage.equals(now)) {
      stageStarted = System.nanoTime();
    }
    stage = now;
    share = done;
  }

  @Override
  public void close() {
    line.close();
  }

  private String text() {
    String of = share < 0 ? " % of " + Plain.bytes(total) : " %";
    return stage
        + " "
        + name
        + (knowsShare() ? ", " + percent() + of : "")
        + ", "
        + Plain.duration(millis())
        + left();
  }

  private String bar() {
    if (!knowsShare()) {
      return text();
    }
    String bar = StatusLine.bar(BAR_WIDTH, percent() / 100.0);
    return stage + " " + name + " " + bar + " " + percent() + " %" + left();
  }

  private boolean knowsShare() {
    return share > 0 || (share < 0 && total > 0);
  }

  private long percent() {
    return Math.min(100, (long) (share < 0 ? bytes * 100 / total : share * 100));
  }

  /** An estimate of the time that the stage will take, once it has taken some. */
  private String left() {
    long taken = (System.nanoTime() - stageStarted) / 1_000_000;
    boolean known = knowsShare() && percent() > 0 && percent() < 100 && taken > 5_000;
    return known
        ? ", about " + Plain.duration(taken * (100 - percent()) / percent()) + " left"
        : "";
  }

  private long millis() {
    return (System.nanoTime() - started) / 1_000_000;
  }
}
