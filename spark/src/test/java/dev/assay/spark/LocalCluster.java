package dev.assay.spark;

import dev.assay.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/** Runs command lines on Spark. */
final class LocalCluster {
  /** Two executors, each a process of its own. */
  static final String MASTER = "local-cluster[2,1,1024]";

  private LocalCluster() {}

  /** What a command line printed, and its exit code. */
  record Ran(int code, String out, String err) {}

  static Ran run(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            args,
            InputStream.nullInputStream(),
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /**
   * Makes the folder that SPARK_HOME names, from which executors are started: one jar that points
   * to the class path of this test.
   */
  static void prepare() throws IOException {
    Path jars = Files.createDirectories(Path.of(System.getenv("SPARK_HOME"), "jars"));
    StringBuilder places = new StringBuilder();
    for (String place : System.getProperty("java.class.path").split(File.pathSeparator)) {
      places.append(Path.of(place).toAbsolutePath().toUri()).append(' ');
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, places.toString().trim());
    try (OutputStream file = Files.newOutputStream(jars.resolve("class-path.jar"));
        JarOutputStream jar = new JarOutputStream(file, manifest)) {
      jar.finish();
    }
  }
}
