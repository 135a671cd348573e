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
 * @param keep the maximum number of bytes on disk for that; of what is older nothing is known, and
 *     what depends on it is unknown
 * @param state a folder in which {@link Monitor#save} saves the state, and from which a monitor
 *     goes on that is opened later; it is used instead of {@code folder}. Null for none
 * @param listener receives each violation when it is found, on the thread that judges
 */
public record MonitorOptions(
    Set<Level> levels,
    Duration lateness,
    int window,
    long memory,
    Path folder,
    long keep,
    Path state,
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
    return new MonitorOptions(
        Set.copyOf(levels), LATENESS, WINDOW, memory, null, Long.MAX_VALUE, null, violation -> {});
  }

  /** The same for transactions that may be later, or less late. */
  public MonitorOptions lateness(Duration newLateness) {
    return new MonitorOptions(levels, newLateness, window, memory, folder, keep, state, listener);
  }

  /** The same with another maximum number of transactions that are judged together. */
  public MonitorOptions window(int newWindow) {
    return new MonitorOptions(levels, lateness, newWindow, memory, folder, keep, state, listener);
  }

  /** The same with more or less memory for past transactions. */
  public MonitorOptions memory(long newMemory) {
    return new MonitorOptions(levels, lateness, window, newMemory, folder, keep, state, listener);
  }

  /** The same with another folder for past transactions. */
  public MonitorOptions folder(Path newFolder) {
    return new MonitorOptions(levels, lateness, window, memory, newFolder, keep, state, listener);
  }

  /** The same with less or more room on disk. */
  public MonitorOptions keep(long newKeep) {
    return new MonitorOptions(levels, lateness, window, memory, folder, newKeep, state, listener);
  }

  /** The same with a folder for the state. */
  public MonitorOptions state(Path newState) {
    return new MonitorOptions(levels, lateness, window, memory, folder, keep, newState, listener);
  }

  /** The same; the listener receives each violation when it is found. */
  public MonitorOptions listener(Consumer<Violation> newListener) {
    return new MonitorOptions(levels, lateness, window, memory, folder, keep, state, newListener);
  }
}
