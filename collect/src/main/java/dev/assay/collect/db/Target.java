package dev.assay.collect.db;

import java.util.List;
import java.util.Map;

/**
 * Which database to use, and where.
 *
 * @param database its kind
 * @param version the version to start, or null for the tested one
 * @param urls where it runs, one URL for each node; empty to start one
 * @param user the user to connect as, or null
 * @param password the password, or null; never shown and never recorded
 * @param options settings of the server Assay starts
 */
public record Target(
    Database database,
    String version,
    List<String> urls,
    String user,
    String password,
    Map<String, String> options) {
  public Target {
    urls = List.copyOf(urls);
    options = Map.copyOf(options);
  }

  /** A database that Assay starts. */
  public static Target embedded(Database database, String version) {
    return new Target(database, version, List.of(), null, null, Map.of());
  }

  public boolean isEmbedded() {
    return urls.isEmpty();
  }

  /** The record's own text would show the password. */
  @Override
  public String toString() {
    return database.id();
  }
}
