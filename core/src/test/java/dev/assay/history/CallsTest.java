package dev.assay.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The call sites in the metadata of a recorded application. */
class CallsTest {
  @TempDir Path folder;

  private History history(String metadata) throws Exception {
    String lines =
        """
        {"assay":1,"metadata":{%s"columns":"table,version"}}
        {"session":1,"id":"OnCall.leave#3","ops":[["r","doctors/1"],\
        ["select",{"where":["=","table",{"text":"rooms"}]},[]],["w","doctors/a/b",null]]}
        {"session":2,"id":7,"ops":[["r","doctors/1"]]}
        """
            .formatted(metadata);
    return Assay.read(Files.writeString(folder.resolve("h.jsonl"), lines));
  }

  @Test
  void operationsAreFoundByMethodTableAndKind() throws Exception {
    History history =
        history(
            """
            "call.OnCall.leave.r.doctors":"a.B.c(B.java:1), a.B.d(B.java:2)",\
            "call.OnCall.leave.r.rooms":"a.B.e(B.java:3)",\
            "call.OnCall.leave.w.doctors":"a.B.f(B.java:4)",""");
    Calls calls = Calls.of(history);
    assertThat(calls.of(0, List.of(0))).containsExactly("a.B.c(B.java:1)", "a.B.d(B.java:2)");
    assertThat(calls.of(0, List.of(1))).containsExactly("a.B.e(B.java:3)");
    assertThat(calls.of(0, List.of(2))).containsExactly("a.B.f(B.java:4)");
    assertThat(calls.ofAll(0)).hasSize(4);
    assertThat(calls.ofAll(1)).isEmpty();
  }

  @Test
  void withoutSuchMetadataThereAreNone() throws Exception {
    assertThat(Calls.of(history("")).ofAll(0)).isEmpty();
  }
}
