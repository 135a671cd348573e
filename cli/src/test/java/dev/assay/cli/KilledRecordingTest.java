package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What assay-driver had recorded when its application was killed can be checked. */
class KilledRecordingTest {
  /** Two doctors leave at once; fields are separated by ~ here, rows by |. */
  private static final String PART =
      """
      #assay-driver 1
      #METADATA~"database"~"H2 2.5"
      #ISOLATION~"serializable"
      #TABLE~"doctors"~"ID"
      1~"Roster.set#0"~committed~0~0~~|w~doctors~"doctors/1"~"1"~1|w~doctors~"doctors/2"~"1"~2
      1~"Roster.leave#1"~committed~1~5~~|r~doctors~"doctors/2"~"1"~2|w~doctors~"doctors/1"~"2"~1
      2~"Roster.leave#2"~committed~2~6~~|r~doctors~"doctors/1"~"1"~1|w~doctors~"doctors/2"~"2"~2
      3~"Roster.lea\
      """;

  @TempDir Path folder;

  private Path part(long process) throws IOException {
    String text = PART.replace('~', '\u0001').replace('|', '\u0002');
    return Files.writeString(folder.resolve("h.jsonl." + process + ".part"), text);
  }

  @Test
  void theRecordingOfAKilledApplicationIsChecked() throws IOException {
    // No process has such a number.
    Path part = part(999_999_999_999L);
    Ran ran = Ran.of("check", part.toString());
    assertThat(ran.err()).isEmpty();
    assertThat(ran.code()).isEqualTo(ExitCode.VIOLATED);
    assertThat(ran.out())
        .contains("h.jsonl.999999999999.jsonl")
        .contains("write skew")
        .contains("Roster.leave#1", "Roster.leave#2")
        .contains("its last transactions may be missing");
    assertThat(Ran.of("stats", part.toString()).code()).isZero();
  }

  @Test
  void aRecordingThatGoesOnIsRefused() throws IOException {
    Path part = part(ProcessHandle.current().pid());
    Ran ran = Ran.of("check", part.toString());
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ran.err()).contains("is still recording");
    Ran watch = Ran.of("watch", part.toString());
    assertThat(watch.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(watch.err()).contains("cannot be watched");
  }

  @Test
  void aDamagedRecordingIsAnError() throws IOException {
    Path part = folder.resolve("h.jsonl.999999999999.part");
    Files.writeString(part, "#assay-driver 1\nsomething else\n#ODD\u0001x\n");
    Ran ran = Ran.of("check", part.toString());
    assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(ran.err()).contains("cannot be made a history");
  }
}
