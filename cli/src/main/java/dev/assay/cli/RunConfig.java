package dev.assay.cli;

import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Repeats a run on a database by the configuration in its folder. */
final class RunConfig {
  /** The field that says that a URL had more than its address, which is not kept. */
  static final String URL_PARAMETERS = "url-parameters";

  static final String NOT_STORED = "not stored";

  /** Fields that are no options: the target, what is not kept, and what the database said. */
  private static final List<String> BESIDES =
      List.of(
          "source",
          "database",
          "version",
          "url",
          URL_PARAMETERS,
          "password",
          "server-options",
          "product");

  private final RunOptions options;
  private final Predicate<String> given;
  private final Consumer<String> remark;
  private final Map<String, Consumer<String>> setters = new LinkedHashMap<>();

  /**
   * @param options what is filled in
   * @param given whether the command line has an option
   * @param remark told what the configuration does not hold
   */
  RunConfig(RunOptions options, Predicate<String> given, Consumer<String> remark) {
    this.options = options;
    this.given = given;
    this.remark = remark;
    setters.put("isolation", text -> options.isolation = text);
    setters.put("sessions", text -> options.sessions = text);
    setters.put("duration", text -> options.duration = text);
    setters.put("transactions", text -> options.transactions = Integer.valueOf(text));
    setters.put("operations", text -> options.operations = text);
    setters.put("keys", text -> options.keys = text);
    setters.put("writes-per-key", text -> options.writesPerKey = Integer.valueOf(text));
    setters.put("reads", text -> options.reads = text);
    setters.put("distribution", text -> options.distribution = text);
    setters.put("workload", text -> options.workload = text);
    setters.put("shares", text -> options.shares = text);
    setters.put("writes", text -> options.writes = text);
    setters.put("for-update", text -> options.forUpdate = isYes(text));
    setters.put("aborts", text -> options.aborts = Double.parseDouble(text));
    setters.put("retries", text -> options.retries = Integer.parseInt(text));
    setters.put("faults", text -> options.faults = text);
    setters.put("faults-every", text -> options.faultsEvery = text);
    setters.put("white-box", text -> options.whiteBox = isYes(text));
    setters.put("user", text -> options.user = text);
    setters.put("password-env", text -> options.passwordVariable = text);
    setters.put("seed", text -> options.seed = Long.parseLong(text));
  }

  /** Reads a file of this kind, or the one in a folder. */
  void load(String name) {
    Path path = Inputs.path(name);
    Path file = Files.isDirectory(path) ? path.resolve(RunFolder.CONFIG) : path;
    if (!Files.exists(file)) {
      throw new UsageException("--config: there is no file " + file);
    }
    Map<String, Object> config;
    try {
      config = Json.readObject(Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new UsageException("--config: " + file + " is not a text in UTF-8");
    } catch (IOException | RuntimeException e) {
      throw new UsageException(
          "--config: " + file + " is not the configuration of a run: " + e.getMessage());
    }
    List<String> unused = new ArrayList<>(config.keySet());
    unused.removeAll(setters.keySet());
    unused.removeAll(BESIDES);
    if (!unused.isEmpty()) {
      remark.accept("not used of " + file + ": " + String.join(", ", unused));
    }
    for (Map.Entry<String, Consumer<String>> setter : setters.entrySet()) {
      Object value = config.get(setter.getKey());
      if (value != null && !given.test("--" + setter.getKey())) {
        set(file, setter.getKey(), Json.text(value), setter.getValue());
      }
    }
    if (config.containsKey("server-options") && !given.test("--server-option")) {
      Json.object(config.get("server-options"))
          .forEach((key, value) -> options.serverOptions.put(key, Json.text(value)));
    }
    if (options.target.isEmpty()) {
      options.target = target(file, config);
    }
  }

  private static void set(Path file, String name, String text, Consumer<String> setter) {
    try {
      setter.accept(text);
    } catch (NumberFormatException e) {
      throw new UsageException("--config: " + file + ": " + name + " is not a number: " + text);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--config: " + file + ": " + name + " is not " + e.getMessage());
    }
  }

  private static boolean isYes(String text) {
    return switch (text) {
      case "yes", "true" -> true;
      case "no", "false" -> false;
      default -> throw new IllegalArgumentException("yes or no: " + text);
    };
  }

  private List<String> target(Path file, Map<String, Object> config) {
    String source = Json.text(config.get("source"));
    String database = Json.text(config.get("database"));
    if (!List.of("database", "jdbc").contains(source) || database.isEmpty()) {
      throw new UsageException(
          "--config: " + file + " is not the configuration of a run on a database");
    }
    List<String> target = new ArrayList<>();
    String version = Json.text(config.get("version"));
    target.add(version.isEmpty() ? database : database + "@" + version);
    if (source.equals("jdbc")) {
      String urls = Json.text(config.get("url"));
      if (urls.isEmpty() || urls.contains("*")) {
        throw new UsageException(
            "--config: " + file + " does not hold the URL; name the database and its URL besides");
      }
      target.addAll(List.of(urls.split(" +")));
      if (config.containsKey(URL_PARAMETERS)) {
        remark.accept("the URL is without the user and parameters that it had; they are not kept");
      }
      if (NOT_STORED.equals(config.get("password")) && !given.test("--password-env")) {
        remark.accept("there was a password, which is not kept; give it with --password-env");
      }
    }
    return target;
  }
}
