package dev.assay.web.page;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What measurements were made on. */
final class Machine {
  private static final long GIGABYTE = 1L << 30;

  private Machine() {}

  /** The machine, the Java and the version of Assay, on one line. */
  static String described() {
    String version = Machine.class.getPackage().getImplementationVersion();
    return String.join(
        " · ",
        List.of(
            Runtime.getRuntime().availableProcessors() + " × " + processor(),
            memory(),
            System.getProperty("os.name") + " " + System.getProperty("os.version"),
            "Java " + System.getProperty("java.vm.version"),
            "Assay " + (version == null ? "development" : version)));
  }

  private static String processor() {
    try {
      for (String line :
          Files.readString(Path.of("/proc/cpuinfo"), StandardCharsets.UTF_8).lines().toList()) {
        if (line.startsWith("model name")) {
          return line.substring(line.indexOf(':') + 1).strip();
        }
      }
    } catch (java.io.IOException e) {
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
