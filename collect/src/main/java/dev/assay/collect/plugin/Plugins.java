package dev.assay.collect.plugin;

import dev.assay.Assay;
import dev.assay.check.LevelChecker;
import dev.assay.collect.json.Json;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The checkers in a plug-in folder: every {@link LevelChecker} that a {@code .jar} offers as a
 * service, each jar in its own class loader, and every {@link ExternalChecker} that a {@code .json}
 * file describes.
 */
public final class Plugins {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{0,39}");

  private Plugins() {}

  /** Loads them all, in the order of their files. */
  public static List<LevelChecker> load(Path folder) throws PluginException {
    List<Path> files;
    try (Stream<Path> list = Files.list(folder)) {
      files = list.sorted().toList();
    } catch (IOException e) {
      throw new PluginException("the plug-in folder " + folder + " cannot be read", e);
    }
    List<LevelChecker> checkers = new ArrayList<>();
    for (Path file : files) {
      String name = file.getFileName().toString();
      if (name.endsWith(".jar")) {
        checkers.addAll(ofJar(file));
      } else if (name.endsWith(".json")) {
        checkers.add(ofDescription(file));
      }
    }
    checkNames(checkers);
    return checkers;
  }

  private static List<LevelChecker> ofJar(Path jar) throws PluginException {
    List<LevelChecker> checkers = new ArrayList<>();
    try {
      URL[] url = {jar.toUri().toURL()};
      // Stays open for as long as its checkers may load classes: until the process ends.
      ClassLoader loader = new URLClassLoader(url, LevelChecker.class.getClassLoader());
      ServiceLoader.load(LevelChecker.class, loader).stream()
          .filter(provider -> provider.type().getClassLoader() == loader)
          .forEach(provider -> checkers.add(new Foreign(provider.get())));
    } catch (IOException | ServiceConfigurationError | LinkageError e) {
      throw new PluginException(jar + ": " + e.getMessage(), e);
    }
    if (checkers.isEmpty()) {
      throw new PluginException(
          jar + " offers no " + LevelChecker.class.getName() + " in META-INF/services", null);
    }
    return checkers;
  }

  private static LevelChecker ofDescription(Path file) throws PluginException {
    try {
      return ExternalChecker.of(Json.readObject(Files.readString(file, StandardCharsets.UTF_8)));
    } catch (IOException | IllegalArgumentException e) {
      throw new PluginException(file + ": " + e.getMessage(), e);
    }
  }

  private static void checkNames(List<LevelChecker> checkers) throws PluginException {
    Set<String> taken = new HashSet<>(Set.of("assay"));
    Assay.checkers().forEach(checker -> taken.add(checker.name()));
    for (LevelChecker checker : checkers) {
      if (checker.name() == null || !NAME.matcher(checker.name()).matches()) {
        throw new PluginException(
            "a checker is named '"
                + checker.name()
                + "'; names have up to 40 lower-case letters, digits, dots and hyphens",
            null);
      }
      if (!taken.add(checker.name())) {
        throw new PluginException("two checkers are named " + checker.name(), null);
      }
    }
  }
}
