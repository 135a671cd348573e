package dev.assay.collect.config;

import java.util.Locale;
import java.util.Set;

/** Where the history of a run comes from. */
public enum Source {
  /** A database that Assay starts. */
  DATABASE("A database that Assay starts"),
  /** A database by its URL. */
  JDBC("A database by URL"),
  /** A simulated store. */
  SYNTHETIC("A simulated store"),
  /** A history that was uploaded. */
  UPLOAD("A recorded history");

  static final Set<Source> LIVE = Set.of(DATABASE, JDBC);

  private final String title;

  Source(String title) {
    this.title = title;
  }

  /** The name in files and forms. */
  public String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  public String title() {
    return title;
  }

  /** Whether a database is used. */
  public boolean isLive() {
    return LIVE.contains(this);
  }
}
