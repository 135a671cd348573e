package dev.assay.collect.server;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs of this machine. */
public final class Programs {
  private Programs() {}

  /** Where a program is; also looks where only root has its programs on the path. */
  public static Optional<Path> find(String name) {
    String path = System.getenv().getOrDefault("PATH", "");
    return Stream.concat(Stream.of(path.split(File.pathSeparator)), Stream.of("/usr/sbin", "/sbin"))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Where a program is.
   *
   * @param packages the packages of Debian that have to be installed for it
   */
  public static Path require(String name, String packages) throws ServerException {
    return find(name)
        .orElseThrow(
            () ->
                new ServerException(
                    "there is no program %s; on Debian: apt-get install -y %s"
                        .formatted(name, packages)));
  }
}
