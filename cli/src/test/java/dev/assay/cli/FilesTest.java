package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.process.OutputFile;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Files as users name them: odd names, links, devices, and time that runs out while reading. */
class FilesTest {
  private static final String HISTORY = "w(1,1,1,1)\nr(1,1,2,2)\n";

  @TempDir Path folder;

  private Path file(String name, String content) throws IOException {
    return Files.writeString(folder.resolve(name), content);
  }

  @Test
  void aDeviceIsWrittenToAndNotReplaced() throws IOException {
    Path in = file("a.txt", HISTORY);
    Ran ran = Ran.of("convert", "--to", "assay-jsonl", in.toString(), "/dev/null");
    assertThat(ran.code()).isZero();
    assertThat(Files.isRegularFile(Path.of("/dev/null"))).isFalse();
  }

  @Test
  @EnabledOnOs(OS.LINUX)
  void aFullDiskIsSaidWithTheNameOfTheFile() throws IOException {
    Path in = file("a.txt", HISTORY);
    Ran ran = Ran.of("convert", "--to", "assay-jsonl", in.toString(), "/dev/full");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).isEqualTo("assay: cannot write /dev/full: No space left on device\n");
  }

  @Test
  void aFileThatMayNotBeWrittenIsSaidInWords() {
    assertThat(OutputFile.reason(new AccessDeniedException("x"))).isEqualTo("permission denied");
  }

  @Test
  void aLinkIsFollowedAndPermissionsAreKept() throws IOException {
    Path in = file("a.txt", HISTORY);
    Path real = file("real.jsonl", "");
    Files.setPosixFilePermissions(real, PosixFilePermissions.fromString("rw-------"));
    Path link = Files.createSymbolicLink(folder.resolve("link.jsonl"), real);
    assertThat(Ran.of("convert", in.toString(), link.toString()).code()).isZero();
    assertThat(Files.isSymbolicLink(link)).isTrue();
    assertThat(Files.readString(real)).contains("\"ops\"");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(real)))
        .isEqualTo("rw-------");
  }

  @Test
  void anEmptyNameIsAMistakeAndNotTheCurrentFolder() {
    Ran ran = Ran.of("check", "");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("empty file name");
  }

  @Test
  void aNameMayBeginWithAnAtSign() throws IOException {
    Path in = file("@a.txt", HISTORY);
    assertThat(Ran.of("check", in.toString()).code()).isZero();
  }

  @Test
  void whatIsLostIsNotCountedAsWritten() throws IOException {
    Path in =
        file(
            "a.jsonl",
            """
            {"session":1,"ops":[["w",1,1]]}
            {"session":2,"outcome":"indeterminate","ops":[["w",2,5]]}
            {"session":2,"ops":[["r",2,null],["append","l",1]]}
            """);
    Path out = folder.resolve("b.txt");
    Ran ran = Ran.of("convert", "--lossy", in.toString(), out.toString());
    assertThat(ran.code()).isZero();
    assertThat(ran.err()).contains("2 transactions, 2 operations, 2 sessions");
    assertThat(Ran.of("check", out.toString(), "--level", "causal").code()).isZero();
  }

  @Test
  void aConversionThatLeavesNothingIsRefused() throws IOException {
    Path in = file("a.jsonl", "{\"session\":1,\"ops\":[[\"append\",\"l\",1]]}\n");
    Ran ran = Ran.of("convert", "--lossy", in.toString(), folder.resolve("b.txt").toString());
    assertThat(ran.code()).isEqualTo(254);
  }

  @Test
  void timeThatRunsOutWhileReadingIsUnknown() throws IOException {
    Path in = file("a.txt", HISTORY.repeat(1_000_000));
    Ran ran = Ran.of("check", in.toString(), "--timeout", "1ms", "--output", "json");
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).contains("\"reason\":\"timeout\"");
    assertThat(ran.out()).contains("\"history\":{\"unread\":true}");
    Ran limited = Ran.of("check", in.toString(), "--timeout", "1ms");
    assertThat(limited.out() + limited.err())
        .contains("not read to its end")
        .doesNotContain("0 transactions");
  }
}
