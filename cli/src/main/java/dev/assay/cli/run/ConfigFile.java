package dev.assay.cli.run;

import dev.assay.cli.process.Inputs;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameter.Group;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.config.Use;
import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** The configuration of a run that is to be repeated. */
final class ConfigFile {
  private final Path file;
  private final List<Parameter<?>> wanted;
  private final RunConfig stored;

  private ConfigFile(Path file, List<Parameter<?>> wanted, RunConfig stored) {
    this.file = file;
    this.wanted = wanted;
    this.stored = stored;
  }

  /**
   * Reads a {@code config.json}, or the one in a folder.
   *
   * @param wanted the parameters to take from it
   */
  static ConfigFile read(String name, List<Parameter<?>> wanted) {
    Path path = Inputs.path(name);
    Path file = Files.isDirectory(path) ? path.resolve(RunFolder.CONFIG) : path;
    if (!Files.exists(file)) {
      throw new UsageException("--config: there is no file " + file);
    }
    try {
      RunConfig stored = RunConfig.read(Json.readObject(Files.readString(file)));
      return new ConfigFile(file, wanted, stored);
    } catch (CharacterCodingException e) {
      throw new UsageException("--config: " + file + " is not a text in UTF-8");
    } catch (IOException | RuntimeException e) {
      throw new UsageException(
          "--config: " + file + " is not the configuration of a run: " + e.getMessage());
    }
  }

  /** Whether the run had a password, which is not kept. */
  boolean hadPassword() {
    return stored.has(Parameters.PASSWORD);
  }

  /**
   * What the file asks for.
   *
   * @param target whether the database is that of the file, too
   * @param remark takes remarks on what the file lacks
   */
  RunConfig config(boolean target, Consumer<String> remark) {
    List<String> unused = new ArrayList<>(stored.unknown());
    RunConfig config = RunConfig.empty(Use.RUN);
    for (Parameter<?> parameter : Parameters.all()) {
      boolean given = stored.has(parameter);
      if (given && wanted.contains(parameter)) {
        check(parameter);
        config = config.with(parameter, stored.given(parameter));
      } else if (given && parameter.group() == Group.CHECK) {
        unused.add(parameter.id());
      }
    }
    if (!unused.isEmpty()) {
      remark.accept("not used of " + file + ": " + String.join(", ", unused));
    }
    config = config.with(Parameters.SERVER_OPTIONS, stored.get(Parameters.SERVER_OPTIONS));
    config = config.with(Parameters.FAULT_COMMAND, stored.get(Parameters.FAULT_COMMAND));
    return target ? targeted(config, remark) : config;
  }

  private void check(Parameter<?> parameter) {
    List<String> values =
        parameter.group() == Group.WORKLOAD
            ? Names.items(stored.given(parameter))
            : List.of(stored.given(parameter));
    String problem = parameter.problemOfList(values, Use.RUN);
    if (problem != null) {
      throw new UsageException("--config: " + file + ": " + parameter + ": " + problem);
    }
  }

  private RunConfig targeted(RunConfig config, Consumer<String> remark) {
    Source source = stored.source();
    if (source == null || !source.isLive() || !stored.has(Parameters.DATABASE)) {
      throw new UsageException(
          "--config: " + file + " is not the configuration of a run on a database");
    }
    // Older files have the version behind the name.
    String[] name = stored.given(Parameters.DATABASE).split("@", 2);
    RunConfig targeted =
        config
            .with(Parameters.SOURCE, source.id())
            .with(Parameters.DATABASE, name[0])
            .with(
                Parameters.VERSION, name.length == 2 ? name[1] : stored.given(Parameters.VERSION));
    if (source == Source.DATABASE) {
      return targeted;
    }
    String urls = stored.given(Parameters.URL);
    if (urls.isEmpty() || urls.contains("*")) {
      throw new UsageException(
          "--config: " + file + " does not hold the URL; also name the database and its URL");
    }
    if (stored.has(Parameters.URL_PARAMETERS)) {
      remark.accept("the user and parameters of the URL were not stored");
    }
    return targeted.with(Parameters.URL, urls);
  }
}
