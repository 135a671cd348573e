package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the command line says about a history that the history does not say itself. */
class DeclaredOptionsTest {
  private static final String LOADED =
      """
      {"session":"load","start":1,"end":2,"ops":[["w","x",100],["w","y",100]]}
      {"session":"a","start":3,"end":4,"ops":[["w","x",5]]}
      {"session":"a","start":5,"end":6,"ops":[["r","x",100]]}
      """;

  @TempDir Path folder;

  private String file(String name, String content) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, content);
    return file.toString();
  }

  @Test
  void theLoaderPrecedesAllOthers() throws IOException {
    String file = file("h.jsonl", LOADED);
    String levels = "read-your-writes,causal";
    assertThat(Ran.of("check", "--level", levels, file).code()).isZero();
    String page = folder.resolve("r.html").toString();
    Ran ran = Ran.of("check", "--level", levels, "--loader", "load", "--report", page, file);
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.out()).contains("a/#2 read x = 100, the initial version");
    assertThat(Files.readString(Path.of(page))).contains("--loader load");
    assertThat(Ran.of("check", "--level", levels, page).code()).isEqualTo(1);
  }

  @Test
  void whatIsShrunkOrConvertedDeclaresWhatWasLoaded() throws IOException {
    String file = file("h.jsonl", LOADED);
    Ran shrunk = Ran.of("shrink", "--level", "causal", "--loader", "load", file);
    assertThat(shrunk.code()).isEqualTo(1);
    assertThat(shrunk.out()).startsWith("{\"assay\":1,\"initial\":[[\"x\",100]]");
    assertThat(Ran.of("shrink", "--level", "causal", "--loader", "load", "--sql", file).out())
        .contains("('x', 100)");
    String binary = folder.resolve("h.assay").toString();
    assertThat(Ran.of("convert", "--loader", "load", file, binary).code()).isZero();
    assertThat(Ran.of("check", "--level", "causal", binary).code()).isEqualTo(1);
    Ran lossy = Ran.of("convert", binary, folder.resolve("h.edn").toString());
    assertThat(lossy.code()).isEqualTo(254);
    assertThat(lossy.err()).contains("the declared initial values of 1 key");
    assertThat(Ran.of("stats", "--loader", "load", file).out()).contains("2 committed");
  }

  @Test
  void aLoaderThatCannotBeIsAnError() throws IOException {
    String file = file("h.jsonl", LOADED);
    for (String command : new String[] {"check", "stats", "shrink"}) {
      Ran ran = Ran.of(command, "--loader", "nobody", file);
      assertThat(ran.code()).isEqualTo(254);
      assertThat(ran.err()).contains("has no session nobody").contains("load, a");
    }
    assertThat(Ran.of("check", "--loader", "", file).code()).isEqualTo(254);
  }

  @Test
  void missingClientsAreSaidToBe() throws IOException {
    String file =
        file(
            "h.jsonl",
            """
            {"session":1,"ops":[["r","x",9]]}
            {"session":2,"ops":[["w","x",1]]}
            """);
    assertThat(Ran.of("check", file).code()).isEqualTo(1);
    Ran ran = Ran.of("check", "--incomplete", file);
    assertThat(ran.code()).isZero();
    assertThat(ran.out().replaceAll("\\s+", " "))
        .contains("treated as incomplete: no recorded transaction wrote 1 value that was read; it");
    Ran json = Ran.of("check", "--incomplete", "--output", "json", file);
    assertThat(json.out()).contains("treated as incomplete: no recorded transaction wrote 1 value");
  }

  @Test
  void transactionsThatWereNotRecordedHaveNoPlace() throws IOException {
    String lost =
        file(
            "lost.jsonl",
            """
            {"session":1,"ops":[["r",1,9],["w",1,1]]}
            {"session":2,"ops":[["r",1,9],["w",1,2]]}
            """);
    for (String format : List.of("plume-text", "dbcop", "jepsen-edn", "assay", "assay-jsonl")) {
      String copy = folder.resolve("lost." + format).toString();
      assertThat(Ran.of("convert", "--lossy", "--to", format, lost, copy).code()).isZero();
      Ran ran = Ran.of("check", "--all", "--incomplete", "--level", "cursor-stability", copy);
      assertThat(ran.code()).as(format + ran.err()).isEqualTo(1);
      assertThat(ran.out()).contains("unrecorded-1").doesNotContain(copy + ":0", copy + "@0");
      Ran json = Ran.of("check", "--incomplete", "--output", "json", copy);
      assertThat(json.out())
          .doesNotContain("\"line\":0", "\"line\":-", "\"offset\":0", "\"offset\":-");
    }
  }
}
