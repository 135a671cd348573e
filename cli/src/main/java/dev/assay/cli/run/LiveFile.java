package dev.assay.cli.run;

import dev.assay.cli.process.Samples;
import dev.assay.collect.json.Json;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.runs.LiveState;
import dev.assay.collect.runs.RunFolder;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.LiveFacts;
import dev.assay.window.Standing;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Tells the web interface what is known of a run while it goes on, and takes its wish to stop at
 * the next violation: by files in the folder of the run, which is that of the run store or, for
 * runs that the web interface starts, named in the property {@code assay.live}.
 */
final class LiveFile implements AutoCloseable {
  private static final long INTERVAL_MILLIS = 500;

  private final Path folder;
  private final LiveJudging judging;
  private final LiveRun run;
  private final String database;
  private final Long attempt;
  private final Thread thread = new Thread(this::writeOften, "live");
  private String written = "";

  private LiveFile(Path folder, LiveJudging judging, LiveRun run, String database, Long attempt) {
    this.database = database;
    this.attempt = attempt;
    this.folder = folder;
    this.judging = judging;
    this.run = run;
    thread.setDaemon(true);
    thread.start();
  }

  /**
   * Begins to write; null if there is no folder for it.
   *
   * @param database the database as it names itself
   * @param attempt the number of the run where it is repeated, or null
   */
  static LiveFile of(
      RunFolder run, LiveJudging judging, LiveRun live, String database, Long attempt)
      throws IOException {
    String named = System.getProperty("assay.live");
    Path folder = named != null ? Path.of(named) : run == null ? null : run.path();
    if (folder == null) {
      return null;
    }
    // A run that was cut off begins again.
    Files.deleteIfExists(folder.resolve(RunFolder.STOP_AT_VIOLATION));
    return new LiveFile(folder, judging, live, database, attempt);
  }

  private void writeOften() {
    try {
      while (true) {
        Thread.sleep(INTERVAL_MILLIS);
        write();
        if (Files.exists(folder.resolve(RunFolder.STOP_AT_VIOLATION))) {
          judging.stopAtNext();
        }
      }
    } catch (InterruptedException e) {
      // The run is over; closing writes the last state.
    }
  }

  private synchronized void write() {
    String text = Json.write(state());
    if (text.equals(written)) {
      return;
    }
    Path temporary = folder.resolve("." + RunFolder.LIVE + ".tmp");
    try {
      Files.writeString(temporary, text, StandardCharsets.UTF_8);
      Files.move(temporary, folder.resolve(RunFolder.LIVE), StandardCopyOption.REPLACE_EXISTING);
      written = text;
    } catch (IOException e) {
      // Nothing depends on it; the next attempt may succeed.
    }
  }

  private LiveState state() {
    Standing standing = judging.standing();
    Map<String, Long> anomalies = new LinkedHashMap<>();
    standing.anomalies().forEach((type, count) -> anomalies.put(type.id(), count));
    List<LiveState.Moment> moments = new ArrayList<>();
    judging.facts().moments().forEach(moment -> moments.add(moment(moment)));
    boolean any = standing.judged() > 0;
    return new LiveState(
        standing.accepted(),
        standing.judged(),
        any ? standing.strongest().stream().map(Level::id).toList() : List.of(),
        anomalies,
        moments,
        database,
        attempt);
  }

  private LiveState.Moment moment(LiveFacts.Moment moment) {
    boolean known = moment.nanos() >= 0;
    long millis = known ? Samples.millis(run.nanoTime(moment.nanos())) : -1;
    return new LiveState.Moment(
        millis < 0 ? null : millis,
        known ? String.format(Locale.ROOT, "%.1f", moment.nanos() / 1e9) : null,
        Level.minimal(moment.levels()).stream().map(Level::id).toList(),
        moment.anomalies().stream().map(AnomalyType::id).toList());
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    write();
  }
}
