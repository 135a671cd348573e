package dev.assay.window;

import dev.assay.level.Level;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a {@link Monitor} judges, and what it may use.
 *
 * @param levels the levels to decide
 * @param lateness how much later than others, by their end times, transactions may be accepted
 * @param window the maximum number of transactions that are judged together
 * @param memory the maximum number of bytes of past transactions, and of what is known of their
 *     keys, to keep in memory; 0 to keep nothing there between windows
 * @param folder where past transactions are kept beyond that, or null for the system's folder of
 *     temporary files
 * @param listener receives each violation when it is found, on the thread that judges
 */
public record MonitorOptions(
    Set<Level> levels,
    Duration lateness,
    int window,
    long memory,
    Path folder,
    Consumer<Violation> listener) {
  private static final Duration LATENESS = Duration.ofMillis(200);
  private static final int WINDOW = 4_000_000;

  public MonitorOptions {
    if (levels.isEmpty()) {
      throw new IllegalArgumentException("no level to check");
    }
    levels = EnumSet.copyOf(levels);
  }

  /** Decides levels, with the usual limits. */
  public static MonitorOptions of(Collection<Level> levels) {
    long memory = Runtime.getRuntime().maxMemory() / 8;
    return new MonitorOptions(Set.copyOf(levels), LATENESS, WINDOW, memory, null, violation -> {});
  }

  /** The same for transactions that may be later, or less late. */
  public MonitorOptions lateness(Duration newLateness) {
    return new MonitorOptions(levels, newLateness, window, memory, folder, listener);
  }

  /** The same with another maximum number of transactions that are judged together. */
  public MonitorOptions window(int newWindow) {
    return new MonitorOptions(levels, lateness, newWindow, memory, folder, listener);
  }

  /** The same with more or less memory for past transactions. */
  public MonitorOptions memory(long newMemory) {
    return new MonitorOptions(levels, lateness, window, newMemory, folder, listener);
  }

  /** The same with another folder for past transactions. */
  public MonitorOptions folder(Path newFolder) {
    return new MonitorOptions(levels, lateness, window, memory, newFolder, listener);
  }

  /** The same; the listener receives each violation when it is found. */
  public MonitorOptions listener(Consumer<Violation> newListener) {
    return new MonitorOptions(levels, lateness, window, memory, folder, newListener);
  }
}
