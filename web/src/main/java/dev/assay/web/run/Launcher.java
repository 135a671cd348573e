package dev.assay.web.run;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Starts Assay again as a child process, with the classes of this one. */
public final class Launcher {
  private final String mainClass;

  /**
   * @param mainClass the class that takes a command line of Assay
   */
  public Launcher(String mainClass) {
    this.mainClass = mainClass;
  }

  /**
   * Starts a step.
   *
   * @param folder where the process runs, and what its relative names are relative to
   * @param log the file that its standard error is added to
   * @param password what it finds in its environment, or null; never an argument, which every user
   *     of the machine could read
   * @param shownName what a report calls the history, or null for the name of its file
   */
  Process start(
      RunPlan.Step step, Path folder, Path log, String memory, String password, String shownName)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx" + memory);
    command.add("-XX:+UseSerialGC");
    command.add("-Xlog:disable");
    command.add("-Xlog:all=error:stderr");
    command.add("-Dassay.samples=" + folder.resolve(step.samples()));
    command.add("-Dassay.live=" + folder);
    command.add("-Dassay.terminal.stdout=false");
    command.add("-Dassay.terminal.stderr=false");
    if (shownName != null) {
      command.add("-Dassay.shown-name=" + shownName);
    }
    String home = System.getProperty("assay.home");
    if (home != null) {
      Path kept = Path.of(home).toAbsolutePath();
      command.add("-Dassay.home=" + kept);
      // The classes that the start script keeps ready; without them the start is only slower.
      command.add("-XX:SharedArchiveFile=" + kept.resolve("assay.jsa"));
      command.add("-Xshare:auto");
    }
    command.add("-cp");
    command.add(classPath());
    command.add(mainClass);
    command.addAll(step.arguments());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectOutput(folder.resolve(step.output()).toFile())
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
    Map<String, String> environment = builder.environment();
    environment.remove(RunPlan.PASSWORD_VARIABLE);
    if (password != null) {
      environment.put(RunPlan.PASSWORD_VARIABLE, password);
    }
    Process process = builder.start();
    process.getOutputStream().close();
    return process;
  }

  /** The child runs in another folder, so what is relative here must not be so there. */
  private static String classPath() {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      if (!entry.isEmpty()) {
        entries.add(Path.of(entry).toAbsolutePath().toString());
      }
    }
    return String.join(File.pathSeparator, entries);
  }
}
