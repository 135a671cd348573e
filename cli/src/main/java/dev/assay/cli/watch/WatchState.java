package dev.assay.cli.watch;

import dev.assay.collect.config.UsageException;
import dev.assay.collect.json.Json;
import dev.assay.format.follow.GrowingFile;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LiveFacts;
import dev.assay.window.Monitor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is known of a history that is watched, kept in a folder: the state of the monitor, with the
 * place up to which the history was read, and what was reported, so that it is not reported again.
 */
final class WatchState {
  private static final String REPORTED = "watch.json";
  private static final String MONITOR = "monitor";

  private final Path folder;
  private final String file;

  /** What was found before the restart. */
  private final Set<Level> levelsBefore = EnumSet.noneOf(Level.class);

  private final Set<AnomalyType> typesBefore = EnumSet.noneOf(AnomalyType.class);

  private final Set<Level> levels = EnumSet.noneOf(Level.class);
  private final Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);

  private WatchState(Path folder, String file) {
    this.folder = folder;
    this.file = file;
  }

  /** The state that a folder holds; a new one if it is empty or not there. */
  static WatchState of(Path folder, String file) throws IOException {
    WatchState state = new WatchState(folder, file);
    Path reported = folder.resolve(REPORTED);
    if (Files.exists(reported)) {
      try {
        state.read(Json.readObject(Files.readString(reported)));
      } catch (UsageException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new UsageException(
            "cannot read " + reported + ": it is not a file that assay watch --state wrote");
      }
    } else if (Files.exists(folder) && !isEmpty(folder)) {
      throw new UsageException(
          folder + " is not a folder that assay watch --state wrote, and not empty");
    }
    Files.createDirectories(folder);
    state.save(0);
    return state;
  }

  private static boolean isEmpty(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /** The folder for the state of the monitor. */
  Path monitor() {
    return folder.resolve(MONITOR);
  }

  /**
   * A place in the history.
   *
   * @param consumed the number of bytes before it, in all parts
   */
  record Place(long consumed, List<GrowingFile.Part> parts) {
    byte[] written() {
      List<Map<String, Object>> written = new ArrayList<>();
      for (GrowingFile.Part part : parts) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("key", part.key());
        fields.put("head", part.head());
        fields.put("length", part.length());
        written.add(fields);
      }
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("consumed", consumed);
      fields.put("parts", written);
      return Json.write(fields).getBytes(StandardCharsets.UTF_8);
    }

    private static Place of(Map<String, Object> read) {
      List<GrowingFile.Part> parts = new ArrayList<>();
      for (Object part : Json.list(read.get("parts"))) {
        Map<?, ?> fields = (Map<?, ?>) part;
        parts.add(
            new GrowingFile.Part(
                Json.text(fields.get("key")),
                number(fields.get("head")),
                number(fields.get("length"))));
      }
      return new Place(number(read.get("consumed")), parts);
    }

    private static long number(Object number) {
      return ((Number) number).longValue();
    }
  }

  /** The place up to which the state of the monitor goes; null if there is none. */
  Place place() throws IOException {
    try {
      byte[] note = Monitor.note(monitor());
      return note == null
          ? null
          : Place.of(Json.readObject(new String(note, StandardCharsets.UTF_8)));
    } catch (UncheckedIOException e) {
      throw new UsageException(e.getCause().getMessage());
    }
  }

  private void read(Map<String, Object> saved) {
    if (!file.equals(Json.text(saved.get("file")))) {
      throw new UsageException(
          folder + " is about " + Json.text(saved.get("file")) + ", not about " + file);
    }
    for (Object id : Json.list(saved.get("violated"))) {
      levelsBefore.add(Level.find(Json.text(id)).orElseThrow());
    }
    for (Object id : Json.list(saved.get("anomalies"))) {
      typesBefore.add(AnomalyType.find(Json.text(id)).orElseThrow());
    }
  }

  /** Whether all of this was reported before the restart. */
  boolean knows(LiveFacts.Moment moment) {
    return levelsBefore.containsAll(moment.levels()) && typesBefore.containsAll(moment.anomalies());
  }

  void add(LiveFacts.Moment moment) {
    levels.addAll(moment.levels());
    types.addAll(moment.anomalies());
  }

  /** Judged levels that were violated before the restart, and are not in what is there now. */
  List<Level> lost(CheckResult result) {
    List<Level> lost = new ArrayList<>();
    for (Level level : result.judged()) {
      if (levelsBefore.contains(level) && !result.report().violated(level)) {
        lost.add(level);
      }
    }
    return lost;
  }

  /** Writes the file, so that it is whole at any moment. */
  void save(long transactions) throws IOException {
    Set<Level> allLevels = EnumSet.copyOf(levelsBefore);
    allLevels.addAll(levels);
    Set<AnomalyType> allTypes = EnumSet.copyOf(typesBefore);
    allTypes.addAll(types);
    Map<String, Object> saved = new LinkedHashMap<>();
    saved.put("file", file);
    saved.put("transactions", transactions);
    saved.put("violated", allLevels.stream().map(Level::id).toList());
    saved.put("anomalies", allTypes.stream().map(AnomalyType::id).toList());
    Path next = folder.resolve("." + REPORTED + ".tmp");
    Files.writeString(next, Json.write(saved) + "\n");
    Files.move(next, folder.resolve(REPORTED), StandardCopyOption.REPLACE_EXISTING);
  }
}
