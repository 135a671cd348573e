package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.cli.process.ExitCode;
import dev.assay.collect.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code --memory} of {@code check} and {@code shrink}: histories that are not in memory as a
 * whole.
 */
class LargeCheckTest {
  private static final Path HISTORIES = Path.of("..", "histories");

  @TempDir Path folder;

  private static Map<String, Object> report(Ran ran) throws IOException {
    return Json.readObject(ran.out().lines().findFirst().orElse("{}"));
  }

  /** For each level its verdict, and the size of the history. */
  private static Map<String, Object> found(Ran ran) throws IOException {
    Map<String, Object> report = report(ran);
    Map<String, Object> found = new TreeMap<>();
    found.put("history", report.get("history"));
    Json.object(report.get("levels"))
        .forEach((level, verdict) -> found.put(level, Json.object(verdict).get("verdict")));
    return found;
  }

  private static void assertSameAsWhole(String... arguments) throws IOException {
    Ran whole = Ran.of(command(arguments, "check", "--output", "json"));
    Ran large = Ran.of(command(arguments, "check", "--output", "json", "--memory", "64k"));
    assertThat(large.code()).as(large.err()).isEqualTo(whole.code());
    assertThat(found(large)).isEqualTo(found(whole));
  }

  private static String[] command(String[] arguments, String... first) {
    return Stream.concat(Stream.of(first), Stream.of(arguments)).toArray(String[]::new);
  }

  @Test
  void verdictsAreThoseOfTheWhole() throws Exception {
    try (Stream<Path> files = Files.walk(HISTORIES)) {
      for (Path file : files.filter(f -> f.toString().matches(".*\\.(edn|jsonl)")).toList()) {
        assertSameAsWhole(file.toString());
      }
    }
  }

  /** What {@code shrink} says of a history: its exit code, and what the part violates. */
  private static String shrunk(Ran ran) {
    return ran.code() + ran.err().replaceFirst("(?s).* violates ([^:]*):.*", " $1");
  }

  @Test
  void whatIsShrunkViolatesWhatTheWholeDoes() throws Exception {
    int violated = 0;
    try (Stream<Path> files = Files.walk(HISTORIES)) {
      for (Path file : files.filter(f -> f.toString().matches(".*\\.(edn|jsonl)")).toList()) {
        for (String level : List.of("serializable", "strong-session-serializable", "causal")) {
          Ran whole = Ran.of("shrink", "--level", level, file.toString());
          Ran large = Ran.of("shrink", "--level", level, "--memory", "64k", file.toString());
          assertThat(shrunk(large)).as(file + large.err()).isEqualTo(shrunk(whole));
          violated += whole.code() == ExitCode.VIOLATED ? 1 : 0;
        }
        Ran any = Ran.of("shrink", "--memory", "64k", file.toString());
        assertThat(shrunk(any)).as(file + any.err()).isEqualTo(shrunk(Ran.of("shrink", "" + file)));
      }
    }
    assertThat(violated).isGreaterThan(10);
  }

  @Test
  void theSizeOfTheWholeIsToldBesideThePart() throws Exception {
    String file = folder.resolve("h.jsonl").toString();
    assertThat(
            Ran.of("generate", "-q", "--plant", "G1c", "--transactions", "300", "--out", file)
                .code())
        .isZero();
    String whole = Ran.of("shrink", "--level", "read-committed", file).err();
    Ran ran = Ran.of("shrink", "--memory", "64k", "--level", "read-committed", file);
    assertThat(ran.err()).isEqualTo(whole).contains("3 transactions of 3,");
    assertThat(ran.code()).isEqualTo(ExitCode.VIOLATED);
    Path part = folder.resolve("part.jsonl");
    Files.writeString(part, ran.out());
    assertThat(Ran.of("check", "--level", "read-committed", part.toString()).code())
        .isEqualTo(ExitCode.VIOLATED);
  }

  @Test
  void theOrderOfTheFileDoesNotMatter() throws Exception {
    for (String workload : List.of("register", "list-append")) {
      Path file = folder.resolve(workload + ".jsonl");
      String[] generate = {
        "generate",
        "-q",
        "--workload",
        workload,
        "--plant",
        "G1c",
        "--transactions",
        "300",
        "--out",
        file.toString()
      };
      assertThat(Ran.of(generate).code()).isZero();
      assertSameAsWhole("--level", "serializable,causal", file.toString());
      Files.write(file, shuffled(Files.readAllLines(file)));
      assertSameAsWhole("--level", "serializable,causal", file.toString());
    }
  }

  /** The sessions one after another, in another order. */
  private static List<String> shuffled(List<String> lines) {
    Map<String, List<String>> sessions = new TreeMap<>();
    List<String> all = new ArrayList<>();
    for (String line : lines) {
      if (line.startsWith("{\"assay\"")) {
        all.add(line);
      } else {
        String session = line.replaceFirst(".*\"session\":([^,]*),.*", "$1");
        sessions.computeIfAbsent(session, s -> new ArrayList<>()).add(line);
      }
    }
    List<String> names = new ArrayList<>(sessions.keySet());
    Collections.shuffle(names, new Random(1));
    names.forEach(name -> all.addAll(sessions.get(name)));
    return all;
  }

  @Test
  void whatNeedsTheWholeHistorySaysSo() throws Exception {
    String file = HISTORIES.resolve("read-committed/transfer.jsonl").toString();
    Ran infer = Ran.of("check", "--memory", "1m", "--infer", "linearizable-keys", file);
    assertThat(infer.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(infer.err()).contains("--infer needs the whole history");
    Ran shrink = Ran.of("shrink", "--memory", "1m", "--infer", "linearizable-keys", file);
    assertThat(shrink.err()).contains("--infer needs the whole history");
    Ran size = Ran.of("check", "--memory", "much", file);
    assertThat(size.err()).contains("not a size");
    String dbcop = folder.resolve("h.bincode").toString();
    assertThat(Ran.of("generate", "-q", "--to", "dbcop", "--lossy", "--out", dbcop).code())
        .isZero();
    Ran format = Ran.of("check", "--memory", "1m", dbcop);
    assertThat(format.code()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(format.err()).contains("can only be read as a whole");
  }
}
