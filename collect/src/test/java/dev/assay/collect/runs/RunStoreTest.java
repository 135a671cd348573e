package dev.assay.collect.runs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunStoreTest {
  private static final RunConfig CONFIG =
      RunConfig.empty(Use.RUN)
          .with(Parameters.DATABASE, "h2")
          .with(Parameters.VARIED, List.of("sessions"));

  @TempDir Path folder;

  @Test
  void aRunIsAFolderNamedAfterItsTimeAndItsDatabase() throws IOException {
    RunFolder run = RunStore.open(folder).create("h2-serializable", CONFIG);
    assertThat(run.id()).matches("\\d{8}T\\d{6}\\.\\d{3}-h2-serializable");
    assertThat(run.path()).isDirectory();
    assertThat(run.file(RunFolder.CONFIG)).content().contains("\"database\" : \"h2\"");
  }

  @Test
  void runsOfTheSameMomentGetFoldersOfTheirOwn() throws IOException {
    RunStore store = RunStore.open(folder);
    for (int i = 0; i < 20; i++) {
      store.create("x", CONFIG);
    }
    assertThat(store.all()).hasSize(20);
    assertThat(RunStore.open(folder).all()).hasSize(20);
  }

  @Test
  void whatBecameOfARunIsThereAfterARestart() throws IOException {
    RunFolder run = RunStore.open(folder).create("x", CONFIG);
    run.become(RunStatus.BUGGY, "why");
    run.note("G2-item", new RunFolder.BugNote("Fixed", "in 2.0"));
    RunFolder again = RunStore.open(folder).find(run.id()).orElseThrow();
    assertThat(again.status()).isEqualTo(RunStatus.BUGGY);
    assertThat(again.state()).isEqualTo(run.state());
    assertThat(again.state().message()).isEqualTo("why");
    assertThat(again.state().ended()).isAfterOrEqualTo(again.state().created());
    assertThat(again.config()).isEqualTo(CONFIG);
    assertThat(again.bugs()).isEqualTo(Map.of("G2-item", new RunFolder.BugNote("Fixed", "in 2.0")));
  }

  @Test
  void namesThatAreNoRunsAreNotFound() throws IOException {
    RunStore store = RunStore.open(folder.resolve("store"));
    Files.createDirectory(folder.resolve("other"));
    for (String name : List.of("../other", "..", ".", "", "/etc", "a/b", "a\0b")) {
      assertThat(store.find(name)).isEmpty();
    }
  }

  @Test
  void aBrokenStateIsAFailedRunAndNotTheEndOfTheStore() throws IOException {
    RunStore store = RunStore.open(folder);
    RunFolder broken = store.create("x", CONFIG);
    store.create("y", CONFIG);
    Files.writeString(broken.file(RunFolder.STATE), "{\"status\":");
    RunStore again = RunStore.open(folder);
    assertThat(again.all()).hasSize(2);
    assertThat(again.find(broken.id()).orElseThrow().status()).isEqualTo(RunStatus.FAILED);
  }

  @Test
  void deletingFollowsNoLinks() throws IOException {
    Path outside = Files.writeString(folder.resolve("outside.txt"), "stays");
    RunStore store = RunStore.open(folder.resolve("store"));
    RunFolder run = store.create("x", CONFIG);
    Files.createSymbolicLink(run.file("link"), outside);
    Files.createSymbolicLink(run.file("folder"), folder);
    store.delete(run);
    assertThat(run.path()).doesNotExist();
    assertThat(outside).hasContent("stays");
    assertThat(store.all()).isEmpty();
  }
}
