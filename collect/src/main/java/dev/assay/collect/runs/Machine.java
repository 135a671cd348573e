package dev.assay.collect.runs;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/** What measurements are made on and with. */
public final class Machine {
  private static final long GIGABYTE = 1L << 30;

  /** Reading the manifest takes a while, and nothing of it changes. */
  private static final class Known {
    static final String TEXT = text();
  }

  private Machine() {}

  /** The processor, memory, system, Java, and version and commit of Assay, on one line. */
  public static String described() {
    return Known.TEXT;
  }

  private static String text() {
    List<String> parts = new ArrayList<>();
    parts.add(Runtime.getRuntime().availableProcessors() + " × " + processor());
    parts.add(memory());
    parts.add(System.getProperty("os.name") + " " + System.getProperty("os.version"));
    parts.add(System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
    parts.add("Assay " + assay());
    parts.removeIf(String::isEmpty);
    return String.join(" · ", parts);
  }

  /** The version and the commit that the jar was built from. */
  private static String assay() {
    String version = Machine.class.getPackage().getImplementationVersion();
    if (version == null) {
      return "development";
    }
    String commit = commit();
    return commit == null ? version : version + " (" + commit + ")";
  }

  private static String commit() {
    try {
      File from =
          new File(Machine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      try (JarFile jar = new JarFile(from)) {
        Manifest manifest = jar.getManifest();
        Attributes about = manifest == null ? new Attributes() : manifest.getMainAttributes();
        String commit = about.getValue("Assay-Commit");
        return commit == null || commit.isEmpty() ? null : commit;
      }
    } catch (IOException | URISyntaxException | IllegalArgumentException e) {
      // Not from a jar: nothing is known of the commit.
      return null;
    }
  }

  private static String processor() {
    try {
      for (String line :
          Files.readString(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    } catch (IOException e) {
      // Other systems say it elsewhere.
    }
    return System.getProperty("os.arch");
  }

  private static String memory() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? Math.round((double) system.getTotalMemorySize() / GIGABYTE) + " GB"
        : "";
  }
}
