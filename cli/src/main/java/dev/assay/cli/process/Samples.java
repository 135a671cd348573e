package dev.assay.cli.process;

import com.sun.management.OperatingSystemMXBean;
import dev.assay.collect.record.Tally;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.LongSupplier;

/**
 * What this process uses while it works, as lines of comma-separated values: for the web interface,
 * which starts a process for every step of a run and names a file in the property {@code
 * assay.samples}. Without that property nothing happens, and none of the slow classes is loaded.
 */
public final class Samples {
  static final String HEAD =
      "millis,stage,cpu_millis,heap_bytes,resident_bytes,committed,aborted,latency_micros";

  private static final long INTERVAL_MILLIS = 100;
  private static final long MOST_AT_ONCE = 3_000;
  private static final long PAGE_BYTES = 4096;

  /** Samples are of the process, so there is one of them. */
  private static volatile Samples current;

  private final long start = System.nanoTime();
  private final PrintWriter out;
  private final LongSupplier cpuNanos;
  private volatile String stage = "start";
  private volatile Tally tally;
  private long endedThen;
  private long nanosThen;

  private Samples(PrintWriter out) {
    this.out = out;
    OperatingSystemMXBean system =
        (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    this.cpuNanos = system::getProcessCpuTime;
  }

  /** Begins to measure if the property is set. */
  public static void begin() throws IOException {
    String file = System.getProperty("assay.samples");
    if (file == null || current != null) {
      return;
    }
    PrintWriter out =
        new PrintWriter(Files.newBufferedWriter(Path.of(file), StandardCharsets.UTF_8));
    out.println(HEAD);
    Samples samples = new Samples(out);
    current = samples;
    Thread ticker = new Thread(samples::tick, "samples");
    ticker.setDaemon(true);
    ticker.start();
  }

  /** The last line, so that a short run has one too. */
  public static void end() {
    if (current != null) {
      current.line();
    }
  }

  /** Says what the process is at. */
  public static void stage(String now) {
    if (current != null && !current.stage.equals(now)) {
      current.line();
      current.stage = now;
      current.line();
    }
  }

  /** Says what counts the transactions of a run. */
  public static void tally(Tally now) {
    if (current != null) {
      current.tally = now;
    }
  }

  private void tick() {
    try {
      while (true) {
        line();
        // Fewer and fewer, so that a run of days leaves a file that can be drawn.
        long elapsed = (System.nanoTime() - start) / 1_000_000;
        Thread.sleep(Math.max(INTERVAL_MILLIS, elapsed / MOST_AT_ONCE));
      }
    } catch (InterruptedException e) {
      // An interrupt can only mean that it is to end.
    }
  }

  private synchronized void line() {
    Runtime runtime = Runtime.getRuntime();
    Tally counts = tally;
    out.println(
        (System.nanoTime() - start) / 1_000_000
            + ","
            + stage
            + ","
            + cpuNanos.getAsLong() / 1_000_000
            + ","
            + (runtime.totalMemory() - runtime.freeMemory())
            + ","
            + resident()
            + ","
            + (counts == null ? 0 : counts.count(Outcome.COMMITTED))
            + ","
            + (counts == null ? 0 : counts.count(Outcome.ABORTED))
            + ","
            + latencyMicros(counts));
    out.flush();
  }

  /** The mean time that transactions took since the last line. */
  private long latencyMicros(Tally counts) {
    if (counts == null) {
      return 0;
    }
    long ended = 0;
    for (Outcome outcome : Outcome.values()) {
      ended += counts.count(outcome);
    }
    long nanos = counts.nanos();
    long since = ended - endedThen;
    long micros = since <= 0 ? 0 : Math.max(0, nanos - nanosThen) / since / 1_000;
    endedThen = ended;
    nanosThen = nanos;
    return micros;
  }

  /** The moment of {@link System#nanoTime} as samples count it; −1 if none are taken. */
  public static long millis(long nanoTime) {
    return current == null ? -1 : (nanoTime - current.start) / 1_000_000;
  }

  /** Memory in use as Linux counts it; 0 elsewhere. */
  private static long resident() {
    try {
      String[] fields = Files.readString(Path.of("/proc/self/statm")).split(" ");
      return Long.parseLong(fields[1]) * PAGE_BYTES;
    } catch (IOException | RuntimeException e) {
      return 0;
    }
  }
}
