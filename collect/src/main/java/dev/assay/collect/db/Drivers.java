package dev.assay.collect.db;

import dev.assay.collect.client.Opening;
import dev.assay.collect.client.Target;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Where drivers and servers come from: the class path if they are on it, else a folder that Maven
 * fills on first use. Fetched ones get their own class loader, so that another version of a
 * database can run than the one that Assay brings.
 */
public final class Drivers {
  private final Path kept;
  private final Consumer<String> progress;
  private final List<Path> jars;

  /**
   * @param kept the folder for what was fetched
   * @param progress takes remarks on what takes a while
   */
  public Drivers(Path kept, Consumer<String> progress) {
    this(kept, progress, List.of());
  }

  /**
   * @param jars drivers to use instead of those that would be fetched
   */
  public Drivers(Path kept, Consumer<String> progress, List<Path> jars) {
    this.kept = kept;
    this.progress = progress;
    this.jars = List.copyOf(jars);
  }

  /** The folder of this checkout or, without one, of this user. */
  public static Path standardFolder() {
    String home = System.getProperty("assay.home");
    if (home != null && Files.isWritable(Path.of(home))) {
      return Path.of(home, "fetched");
    }
    String cache = System.getenv("XDG_CACHE_HOME");
    Path base =
        cache == null || cache.isEmpty()
            ? Path.of(System.getProperty("user.home"), ".cache")
            : Path.of(cache);
    return base.resolve("assay");
  }

  /** What a store is opened with. */
  public Opening opening(Target target, int connections) {
    return new Opening(target, connections, kept, this::loader, progress);
  }

  /** See {@link Opening.Fetcher}; without markers everything is fetched. */
  private ClassLoader loader(String title, List<String> artifacts, List<String> markers)
      throws IOException {
    ClassLoader own = Drivers.class.getClassLoader();
    boolean there =
        !markers.isEmpty() && markers.stream().allMatch(one -> own.getResource(one) != null);
    if (jars.isEmpty() && (artifacts.isEmpty() || there)) {
      return own;
    }
    List<URL> urls = new ArrayList<>();
    for (Path jar : jars) {
      urls.add(url(jar));
    }
    for (String artifact : jars.isEmpty() ? artifacts : List.<String>of()) {
      urls.addAll(fetched(title, artifact));
    }
    return new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
  }

  private List<URL> fetched(String title, String artifact) throws IOException {
    Path folder = kept.resolve(artifact.replace(':', '_'));
    if (!Files.isDirectory(folder)) {
      progress.accept("fetching " + artifact + " with Maven (once)");
      fetch(title, artifact, folder);
    }
    List<URL> jars = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path jar : files.filter(f -> f.toString().endsWith(".jar")).toList()) {
        jars.add(url(jar));
      }
    }
    return jars;
  }

  private static URL url(Path jar) throws MalformedURLException {
    return jar.toUri().toURL();
  }

  private Path folderToKeepIn() throws IOException {
    try {
      return Files.createTempDirectory(Files.createDirectories(kept), "fetching");
    } catch (FileSystemException e) {
      throw new ServerException(
          "what is fetched cannot be kept in "
              + kept
              + ", where nothing can be written; name another folder with XDG_CACHE_HOME",
          e);
    }
  }

  private void fetch(String title, String artifact, Path folder) throws IOException {
    Path parts = folderToKeepIn();
    Path pom = parts.resolve("pom.xml");
    String[] names = artifact.split(":");
    Files.writeString(
        pom,
        """
        <project xmlns="http://maven.apache.org/POM/4.0.0">
          <modelVersion>4.0.0</modelVersion>
          <groupId>dev.assay.fetched</groupId>
          <artifactId>fetched</artifactId>
          <version>1</version>
          <dependencies>
            <dependency>
              <groupId>%s</groupId>
              <artifactId>%s</artifactId>
              <version>%s</version>
            </dependency>
          </dependencies>
        </project>
        """
            .formatted(names[0], names[1], names[2]),
        StandardCharsets.UTF_8);
    List<String> command =
        List.of(
            "mvn",
            "-B",
            "--no-transfer-progress",
            "-f",
            pom.toString(),
            "dependency:copy-dependencies",
            "-DincludeScope=runtime",
            "-DoutputDirectory=" + parts);
    try {
      ServerProcess.execute("mvn", command, null);
    } catch (IOException e) {
      TemporaryFolder.delete(parts);
      throw new ServerException(explained(title, artifact, e), e);
    }
    TemporaryFolder.moveInto(parts, folder);
  }

  private static String explained(String title, String artifact, IOException e) {
    String message = String.valueOf(e.getMessage());
    String lower = message.toLowerCase(Locale.ROOT);
    String what = "cannot fetch " + artifact + ", which " + title + " needs: ";
    if (lower.contains("cannot run program")) {
      return what + "Maven (mvn) is not installed";
    }
    if (lower.contains("was not found in") || lower.contains("could not find artifact")) {
      return what + "Maven's repositories have no such version";
    }
    if (lower.contains("could not transfer") || lower.contains("unknown host")) {
      return what
          + "the network cannot be reached; connect it (or point Maven at a mirror in"
          + " ~/.m2/settings.xml) and run this again";
    }
    return what + message;
  }
}
