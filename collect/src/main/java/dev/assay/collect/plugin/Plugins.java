package dev.assay.collect.plugin;

import dev.assay.Assay;
import dev.assay.check.LevelChecker;
import dev.assay.collect.client.Client;
import dev.assay.collect.json.Json;
import dev.assay.collect.process.ProcessClient;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What is in a plug-in folder: every {@link LevelChecker} and every {@link Client} that a {@code
 * .jar} offers as a service, each jar in its own class loader, and every {@link ExternalChecker}
 * and {@link ProcessClient} that a {@code .json} file describes.
 */
public final class Plugins {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9.-]{0,39}");

  private static final String CLIENT = "client";
  private static final List<Class<?>> SERVICES = List.of(LevelChecker.class, Client.class);

  private Plugins() {}

  /** The checkers, in the order of their files. */
  public static List<LevelChecker> load(Path folder) throws PluginException {
    List<LevelChecker> checkers = new ArrayList<>();
    for (Path file : files(folder)) {
      String name = file.getFileName().toString();
      if (name.endsWith(".jar")) {
        services(file, LevelChecker.class).forEach(one -> checkers.add(new Foreign(one)));
      } else if (name.endsWith(".json") && !isClient(file)) {
        checkers.add(ofDescription(file));
      }
    }
    checkNames(checkers);
    return checkers;
  }

  /** The clients, in the order of their files; those that are programs are asked what they are. */
  public static List<Client> clients(Path folder) throws PluginException {
    List<Client> clients = new ArrayList<>();
    for (Path file : files(folder)) {
      String name = file.getFileName().toString();
      if (name.endsWith(".jar")) {
        clients.addAll(services(file, Client.class));
      } else if (name.endsWith(".json") && isClient(file)) {
        clients.add(program(file));
      }
    }
    for (Client client : clients) {
      requireName("client", client.id());
    }
    return clients;
  }

  private static List<Path> files(Path folder) throws PluginException {
    try (Stream<Path> list = Files.list(folder)) {
      return list.sorted().toList();
    } catch (IOException e) {
      throw new PluginException("the plug-in folder " + folder + " cannot be read", e);
    }
  }

  private static <T> List<T> services(Path jar, Class<T> type) throws PluginException {
    List<T> found = new ArrayList<>();
    boolean any = false;
    try {
      URL[] url = {jar.toUri().toURL()};
      // Stays open for as long as what it offers may load classes: until the process ends.
      ClassLoader loader = new URLClassLoader(url, Plugins.class.getClassLoader());
      ServiceLoader.load(type, loader).stream()
          .filter(provider -> provider.type().getClassLoader() == loader)
          .forEach(provider -> found.add(provider.get()));
      for (Class<?> one : SERVICES) {
        any |= ((URLClassLoader) loader).findResource("META-INF/services/" + one.getName()) != null;
      }
    } catch (IOException | ServiceConfigurationError | LinkageError e) {
      throw new PluginException(jar + ": " + e.getMessage(), e);
    }
    if (!any) {
      throw new PluginException(
          jar
              + " offers no "
              + LevelChecker.class.getName()
              + " and no "
              + Client.class.getName()
              + " in META-INF/services",
          null);
    }
    return found;
  }

  /** Whether a description is one of a client, rather than one of a checker. */
  private static boolean isClient(Path file) throws PluginException {
    return described(file).containsKey(CLIENT);
  }

  private static Map<String, Object> described(Path file) throws PluginException {
    try {
      return Json.readObject(Files.readString(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new PluginException(file + ": " + e.getMessage(), e);
    }
  }

  private static Client program(Path file) throws PluginException {
    List<String> command = new ArrayList<>();
    String folder = String.valueOf(file.toAbsolutePath().getParent());
    for (Object word : Json.list(described(file).get(CLIENT))) {
      command.add(Json.text(word).replace("{folder}", folder));
    }
    if (command.isEmpty()) {
      throw new PluginException(file + ": \"client\" must be a list of words", null);
    }
    try {
      return ProcessClient.of(command);
    } catch (IOException e) {
      throw new PluginException(file + ": " + e.getMessage(), e);
    }
  }

  private static LevelChecker ofDescription(Path file) throws PluginException {
    try {
      return ExternalChecker.of(described(file));
    } catch (IllegalArgumentException e) {
      throw new PluginException(file + ": " + e.getMessage(), e);
    }
  }

  private static void checkNames(List<LevelChecker> checkers) throws PluginException {
    Set<String> taken = new HashSet<>(Set.of("assay"));
    Assay.checkers().forEach(checker -> taken.add(checker.name()));
    for (LevelChecker checker : checkers) {
      requireName("checker", checker.name());
      if (!taken.add(checker.name())) {
        throw new PluginException("two checkers are named " + checker.name(), null);
      }
    }
  }

  private static void requireName(String what, String name) throws PluginException {
    if (name == null || !NAME.matcher(name).matches()) {
      throw new PluginException(
          "a %s is named '%s'; names have up to 40 lower-case letters, digits, dots and hyphens"
              .formatted(what, name),
          null);
    }
  }
}
