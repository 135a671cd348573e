package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.process.ExitCode;
import dev.assay.collect.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code assay watch}. */
class WatchCommandTest {
  private static final Path HISTORIES = Path.of("..", "histories");
  private static final String FINE =
      """
      {"session":1,"start":1,"end":2,"ops":[["w","x",1]]}
      {"session":2,"start":3,"end":4,"ops":[["r","x",1]]}
      """;
  private static final String THIN_AIR =
      "{\"session\":2,\"start\":5,\"end\":6,\"ops\":[[\"r\",\"x\",7]]}\n";

  @TempDir Path folder;

  @Test
  void verdictsAndCodesAreThoseOfCheck() throws Exception {
    int compared = 0;
    try (Stream<Path> files = Files.walk(HISTORIES)) {
      for (Path file :
          files.filter(f -> f.toString().matches(".*\\.(edn|jsonl|txt|awdit)")).toList()) {
        Ran check = Ran.of("check", "--output", "json", file.toString());
        Ran watch = Ran.of("watch", "--output", "json", "--until-idle", "1ms", file.toString());
        assertThat(watch.code()).as(file + ": " + watch.err()).isEqualTo(check.code());
        Map<String, Object> end = last(events(watch));
        assertThat(end).containsEntry("event", "end");
        assertThat(verdicts(end)).as(file.toString()).isEqualTo(verdicts(events(check).get(0)));
        assertThat(end.get("strongest")).isEqualTo(events(check).get(0).get("strongest"));
        compared++;
      }
    }
    assertThat(compared).isGreaterThan(40);
  }

  private static Map<String, Object> verdicts(Map<String, Object> report) {
    Map<String, Object> verdicts = new java.util.TreeMap<>();
    Json.object(report.get("levels"))
        .forEach((level, verdict) -> verdicts.put(level, Json.object(verdict).get("verdict")));
    return verdicts;
  }

  private static List<Map<String, Object>> events(Ran ran) throws IOException {
    List<Map<String, Object>> events = new ArrayList<>();
    for (String line : ran.out().lines().toList()) {
      events.add(Json.readObject(line));
    }
    return events;
  }

  private static Map<String, Object> last(List<Map<String, Object>> events) {
    return events.get(events.size() - 1);
  }

  @Test
  void standardInputIsReadUntilItEnds() {
    Ran ran = Ran.withInput(FINE, "watch", "-");
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(ran.out()).contains("read as assay-jsonl", "ok: standard input");
    assertThat(Ran.withInput(FINE + THIN_AIR, "watch", "-").code()).isEqualTo(ExitCode.VIOLATED);
  }

  @Test
  void aViolationIsAnEventWithItsWitness() throws Exception {
    Ran ran = Ran.withInput(FINE + THIN_AIR, "watch", "--output", "json", "-");
    List<Map<String, Object>> events = events(ran);
    assertThat(events).extracting(e -> e.get("event")).contains("begin", "violation", "end");
    Map<String, Object> violation =
        events.stream().filter(e -> e.get("event").equals("violation")).findFirst().orElseThrow();
    assertThat(Json.list(violation.get("violated")).contains("serializable")).isTrue();
    assertThat(Json.list(violation.get("anomalies"))).isNotEmpty();
    assertThat(Ran.withInput(FINE + THIN_AIR, "watch", "-").out())
        .contains("violated: ", "✗ thin-air read", "x = 7");
  }

  @Test
  void onlyWhatIsForbiddenOrJudgedDecidesTheCode() {
    Ran other = Ran.withInput(FINE + THIN_AIR, "watch", "--forbid", "write-skew", "-");
    assertThat(other.code()).as(other.out()).isZero();
    Ran weak = Ran.withInput(FINE + THIN_AIR, "watch", "--expect", "read-uncommitted", "-");
    assertThat(weak.code())
        .as(weak.out())
        .isEqualTo(
            Ran.withInput(FINE + THIN_AIR, "check", "--expect", "read-uncommitted", "-").code());
  }

  @Test
  void aFileThatOthersWriteIsFollowed() throws Exception {
    Path file = folder.resolve("h.jsonl");
    Thread writer =
        new Thread(
            () -> {
              try {
                for (char c : (FINE + THIN_AIR).toCharArray()) {
                  Files.writeString(
                      file, "" + c, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                  Thread.sleep(1);
                }
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    writer.start();
    Ran ran = Ran.of("watch", "--until-idle", "1s", file.toString());
    writer.join();
    assertThat(ran.code()).as(ran.err()).isEqualTo(ExitCode.VIOLATED);
    assertThat(ran.out()).contains("3 transactions");
  }

  @Test
  void whatWasReportedBeforeARestartIsNotReportedAgain() throws Exception {
    Path file = folder.resolve("h.jsonl");
    String state = folder.resolve("state").toString();
    Files.writeString(file, FINE + THIN_AIR);
    String[] command = {"watch", "--until-idle", "1ms", "--state", state, file.toString()};
    assertThat(Ran.of(command).out()).contains("✗ thin-air read");
    Ran again = Ran.of(command);
    assertThat(again.code()).isEqualTo(ExitCode.VIOLATED);
    assertThat(again.out()).doesNotContain("✗ thin-air read").contains("violated: ");
    Files.writeString(file, FINE);
    Ran anew = Ran.of(command);
    assertThat(anew.code()).as(anew.out()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(anew.err()).contains("what was read before is not there any more");
    Ran other = Ran.of("watch", "--state", state, folder.resolve("i.jsonl").toString());
    assertThat(other.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(other.err()).contains("is about");
  }

  /** A lost update whose transactions are far apart, a few more, and an open record at the end. */
  private static final List<String> LINES =
      List.of(
          "{\"assay\":1}\n",
          "{\"session\":1,\"ops\":[[\"w\",1,1]]}\n",
          "{\"session\":1,\"ops\":[[\"r\",1,1],[\"w\",1,2]]}\n",
          "{\"session\":2,\"ops\":[[\"r\",2,null]]}\n{\"session\":3,\"op",
          "s\":[[\"r\",2,null]]}\n",
          "{\"session\":2,\"ops\":[[\"r\",1,1],[\"w\",1,3]]}\n",
          "{\"session\":3,\"ops\":[[\"r\",2,null]]}\n");

  @Test
  void aWatchThatIsStartedAgainGoesOn() throws Exception {
    Path file = folder.resolve("h.jsonl");
    String state = folder.resolve("state").toString();
    String[] command = {"watch", "--until-idle", "1ms", "--state", state, file.toString()};
    Files.writeString(file, String.join("", LINES));
    String whole = Ran.of("watch", "-q", "--until-idle", "1ms", file.toString()).out();
    Files.delete(file);
    int announced = 0;
    Ran last = null;
    for (String line : LINES) {
      Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      if (line.equals(LINES.get(0))) {
        continue;
      }
      last = Ran.of(command);
      assertThat(last.err()).as(line).doesNotContain("cannot");
      announced += last.out().contains("✗ lost update") ? 1 : 0;
      // Rotation between two starts: what was read before has another name now.
      if (line.equals(LINES.get(2))) {
        Files.move(file, folder.resolve("h.jsonl.1"));
      }
    }
    assertThat(announced).isEqualTo(1);
    assertThat(last.code()).isEqualTo(ExitCode.VIOLATED);
    assertThat(last.out()).contains("6 transactions");
    assertThat(whole).contains("6 transactions");
    Files.delete(folder.resolve("h.jsonl.1"));
    Ran gone = Ran.of(command);
    assertThat(gone.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(gone.err()).contains("cannot go on with " + file);
  }

  @Test
  void aFolderThatIsNoStateIsRefused() throws Exception {
    Path file = Files.writeString(folder.resolve("h.jsonl"), FINE);
    Path mine = Files.createDirectory(folder.resolve("mine"));
    Files.writeString(mine.resolve("thesis.txt"), "words");
    for (Path wrong : List.of(mine, file)) {
      Ran ran = Ran.of("watch", "--state", wrong.toString(), file.toString());
      assertThat(ran.code()).isEqualTo(ExitCode.BAD_INPUT);
      assertThat(ran.err()).contains("is not a folder that assay watch --state wrote");
    }
    assertThat(mine.resolve("thesis.txt")).hasContent("words");
    String state = folder.resolve("state").toString();
    String[] command = {"watch", "--until-idle", "1ms", "--state", state, file.toString()};
    assertThat(Ran.of(command).code()).isZero();
    String[] other = {"watch", "--state", state, "--level", "causal", file.toString()};
    assertThat(Ran.of(other).err()).contains("it is about other levels than those asked for");
    Files.writeString(folder.resolve("state/monitor/state"), "damaged");
    Ran damaged = Ran.of(command);
    assertThat(damaged.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(damaged.err()).contains("is not the state of a monitor").doesNotContain("\tat ");
  }

  @Test
  void whatCannotBeWatchedIsAnErrorThatSaysWhy() throws Exception {
    Path file = folder.resolve("h");
    Ran missing = Ran.of("watch", "--until-idle", "1ms", file.toString());
    assertThat(missing.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(missing.err()).contains("no transactions so far");
    Files.writeString(file, FINE + "{\"session\":2,\"ops\":[[\"q\",1,2]]}\n");
    Ran malformed = Ran.of("watch", "--until-idle", "1ms", file.toString());
    assertThat(malformed.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(malformed.err()).contains(":3:");
    assertThat(Ran.of("watch", "--output", "junit", "-").code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(Ran.of("watch", "--state", "s", "-").code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(Ran.withInput("", "watch", "-").err()).contains("is empty");
  }
}
