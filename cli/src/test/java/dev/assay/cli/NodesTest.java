package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Witnesses name the nodes of a cluster. */
class NodesTest {
  private static final String LATE_REPLICA =
      """
      {"assay":1,"metadata":{"node.1":"a","node.1.role":"primary","node.2":"b",\
      "node.2.role":"replica","node.ids":"2"}}
      {"session":0,"id":2,"ops":[["append","x",1]]}
      {"session":0,"id":3,"ops":[["rl","x",[]]]}
      {"session":1,"id":4,"ops":[["rl","x",[1]]]}
      """;

  @TempDir Path folder;

  @Test
  void aSessionThatChangesNodesIsOnNeither() throws Exception {
    String file = Files.writeString(folder.resolve("h.jsonl"), LATE_REPLICA).toString();
    Ran brief = Ran.of("check", file, "--expect", "strong-session-serializable");
    assertThat(brief.out())
        .contains("T3 came after T2 in session 0, yet did not see its change")
        .contains("T2 on primary  append x 1", "T3 on replica  read x = []");
    Ran all = Ran.of("check", file, "--expect", "strong-session-serializable", "--all");
    assertThat(all.out())
        .contains("session 0 on primary", "session 0 on replica")
        .contains("T2 came before T3 in session 0\n");
  }

  @Test
  void whatIsJudgedInWindowsNamesItsNodes() throws Exception {
    String file = Files.writeString(folder.resolve("h.jsonl"), LATE_REPLICA).toString();
    Ran ran = Ran.of("check", file, "--expect", "strong-session-serializable", "--memory", "64m");
    assertThat(ran.out()).contains("T2 on primary  append x 1", "T3 on replica  read x = []");
  }
}
