package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the commands leave in the folder they are run in, which for that is another process. */
class KeptRunTest {
  @TempDir Path folder;

  @Test
  void aRunIsAFolderWithAllThatIsKnownOfIt() throws Exception {
    int code =
        assay("run", "--isolation", "read-committed", "--sessions", "2", "--transactions", "9");
    RunFolder run = only();
    assertThat(run.id()).endsWith("-h2-read-committed");
    assertThat(run.status()).isEqualTo(code == 0 ? RunStatus.HEALTHY : RunStatus.UNKNOWN);
    assertThat(run.config())
        .containsEntry("source", "database")
        .containsEntry("database", "h2")
        .containsEntry("sessions", "2")
        .containsEntry("transactions", "9");
    assertThat(run.file("verdict.json")).content().startsWith("{\"schema\":1");
    assertThat(run.file("report.html")).content().startsWith("<!DOCTYPE html>");
    Ran again = Ran.of("check", "--quiet", folder.resolve("assay-runs").toString());
    assertThat(again.code()).isEqualTo(code);
    assertThat(again.err()).isEmpty();
  }

  @Test
  void aRecordingThatNobodyCheckedSaysSo() throws Exception {
    assertThat(assay("record", "--sessions", "2", "--transactions", "9")).isZero();
    assertThat(only().status()).isEqualTo(RunStatus.UNKNOWN);
    assertThat(only().state()).containsEntry("message", "recorded and not checked");
  }

  private RunFolder only() throws Exception {
    List<RunFolder> runs = RunStore.open(folder.resolve("assay-runs")).all();
    assertThat(runs).hasSize(1);
    return runs.get(0);
  }

  private int assay(String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    String classPath =
        String.join(
            File.pathSeparator,
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).toAbsolutePath().toString())
                .toList());
    command.addAll(List.of("-cp", classPath, Main.class.getName()));
    command.addAll(List.of(arguments));
    return new ProcessBuilder(command)
        .directory(folder.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
