package dev.assay.cli;

import dev.assay.collect.config.UsageException;
import dev.assay.collect.json.Json;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.LiveFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What was found in a history that is watched, kept in a file. After a restart the history is read
 * from its start, and what was found before is not reported again.
 */
final class WatchState {
  private final Path place;
  private final String file;

  /** What was found before the restart. */
  private final Set<Level> levelsBefore = EnumSet.noneOf(Level.class);

  private final Set<AnomalyType> typesBefore = EnumSet.noneOf(AnomalyType.class);

  private final Set<Level> levels = EnumSet.noneOf(Level.class);
  private final Set<AnomalyType> types = EnumSet.noneOf(AnomalyType.class);

  private WatchState(Path place, String file) {
    this.place = place;
    this.file = file;
  }

  /** The state that a file holds; a new one if there is no such file. */
  static WatchState of(Path place, String file) throws IOException {
    WatchState state = new WatchState(place, file);
    if (Files.exists(place)) {
      try {
        state.read(Json.readObject(Files.readString(place)));
      } catch (UsageException e) {
        throw e;
      } catch (IOException | RuntimeException e) {
        throw new UsageException(
            "cannot read " + place + ": it is not a file that assay watch --state wrote");
      }
    }
    return state;
  }

  private void read(Map<String, Object> saved) {
    if (!file.equals(Json.text(saved.get("file")))) {
      throw new UsageException(
          place + " is about " + Json.text(saved.get("file")) + ", not about " + file);
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
    Path next = place.resolveSibling("." + place.getFileName() + ".tmp");
    Files.writeString(next, Json.write(saved) + "\n");
    Files.move(next, place, StandardCopyOption.REPLACE_EXISTING);
  }
}
