package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.LevelChecker;
import dev.assay.check.Verdict;
import dev.assay.collect.judge.Checkers;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckersTest {
  private static final String SKEW = "../histories/strong-snapshot-isolation/write-skew.edn";

  @TempDir Path folder;

  @Test
  void aMethodByItselfNeverContradictsAllOfThem() throws Exception {
    int compared = 0;
    for (Path file : histories()) {
      History history;
      try {
        history = Assay.read(file);
      } catch (ParseException e) {
        continue;
      }
      Report all = Assay.check(history, Level.surveyed(), Budget.unlimited());
      for (String method : Checkers.METHODS) {
        Report one =
            Assay.check(
                history, Checkers.of(method, null).apply(CheckOptions.of(Level.surveyed())));
        for (Level level : Level.surveyed()) {
          Verdict verdict = one.verdict(level);
          if (!(verdict instanceof Verdict.Unknown)) {
            assertThat(verdict.id())
                .as(file + " at " + level + " by " + method)
                .isEqualTo(all.verdict(level).id());
            compared++;
          }
        }
      }
    }
    assertThat(compared).isGreaterThan(500);
  }

  private static List<Path> histories() throws IOException {
    try (Stream<Path> files = Files.walk(Path.of("../histories"))) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  @Test
  void aMethodLeavesOpenWhatIsNotItsOwn() {
    Ran ran = Ran.of("check", "--checker", "weak-levels", "--level", "serializable", SKEW);
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).contains("none of the requested checkers decides this level");
  }

  @Test
  void anUnknownCheckerIsAnsweredWithTheClosest() {
    Ran ran = Ran.of("check", "--checker", "strong-level", SKEW);
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("did you mean strong-levels?");
  }

  @Test
  void aCommandDecidesByItsExitCode() throws IOException {
    for (int code = 0; code <= 2; code++) {
      Files.writeString(
          folder.resolve("c" + code + ".json"),
          """
          {"name": "c%d",
           "command": ["sh", "-c", "grep -q append \\"$0\\" && exit %d", "{history}"],
           "format": "jepsen-edn", "levels": {"serializable": "ser"}, "lossy": true}
          """
              .formatted(code, code));
      Ran ran =
          Ran.of(
              "check",
              "--checker",
              "c" + code,
              "--plugins",
              folder.toString(),
              "--level",
              "serializable",
              SKEW);
      assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(code);
    }
  }

  @ParameterizedTest
  @CsvSource({"REJECT, 1", "ACCEPT, 0", "neither, 2", "ACCEPT and REJECT, 1"})
  void aCommandDecidesByWhatItPrints(String printed, int code) throws IOException {
    Files.writeString(
        folder.resolve("says.json"),
        """
        {"name": "says",
         "command": ["sh", "-c", "test -f $0/a/h.edn && echo '%s'; exit 3", "{folder}"],
         "format": "jepsen-edn", "file": "a/h.edn", "levels": ["serializable"], "lossy": true,
         "holds": "^ACCEPT", "violated": "REJECT$"}
        """
            .formatted(printed));
    Ran ran = checkedBy("says", folder.toString(), "serializable");
    assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(code);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"holds\": \"a\" | must be given together",
        "\"holds\": \"(\", \"violated\": \"b\" | is not a regular expression",
        "\"file\": \"../x\" | must be a name such as",
      })
  void aWrongDescriptionIsOneError(String fields, String message) throws IOException {
    Files.writeString(
        folder.resolve("wrong.json"),
        "{\"name\": \"wrong\", \"command\": [\"x\", \"{history}\"],"
            + " \"levels\": [\"serializable\"], %s}".formatted(fields));
    Ran ran = checkedBy("wrong", folder.toString(), "serializable");
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains(message);
  }

  private static Ran checkedBy(String checker, String plugins, String level) {
    return Ran.of("check", "--checker", checker, "--plugins", plugins, "--level", level, SKEW);
  }

  /** On most machines none of them is installed, and then the answer says so. */
  @ParameterizedTest
  @CsvSource({
    "awdit, causal",
    "chronos, strong-snapshot-isolation",
    "dbcop, causal",
    "elle, serializable",
    "plume, causal",
    "polysi, strong-session-snapshot-isolation",
    "veristrong, strong-session-serializable",
  })
  void readyDescriptionsOfOtherCheckersCanBeUsed(String checker, String level) {
    Ran ran = checkedBy(checker, "../docs/checkers", level);
    assertThat(ran.code()).as(ran.out() + ran.err()).isBetween(0, 2);
    if (ran.out().contains("PATH")) {
      assertThat(ran.code()).isEqualTo(2);
    } else {
      assertThat(ran.out()).contains(checker);
    }
  }

  @Test
  void anAblationLeavesOutOneMethod() {
    CheckOptions all = CheckOptions.of(Set.of(Level.CAUSAL));
    List<LevelChecker> others = new ArrayList<>(all.checkers());
    others.removeIf(checker -> checker.name().equals("weak-levels"));
    CheckOptions without = Checkers.of("without-weak-levels", null).apply(all);
    assertThat(without.checkers()).isEqualTo(others).hasSize(all.checkers().size() - 1);
    assertThat(without.settlesOpen()).isTrue();
    Ran ran = Ran.of("check", "--checker", "without-weak-levels", "--level", "serializable", SKEW);
    assertThat(ran.code()).as(ran.err()).isEqualTo(1);
  }

  @Test
  void aCommandThatHangsIsUnknownWhenTheTimeIsOver() throws IOException {
    Files.writeString(
        folder.resolve("slow.json"),
        "{\"name\": \"slow\", \"command\": [\"sh\", \"-c\", \"sleep 600\", \"{history}\"],"
            + " \"levels\": [\"serializable\"], \"lossy\": true}");
    Ran ran =
        Ran.of(
            "check",
            "--checker",
            "slow",
            "--plugins",
            folder.toString(),
            "--level",
            "serializable",
            "--timeout",
            "500ms",
            SKEW);
    assertThat(ran.code()).as(ran.out() + ran.err()).isEqualTo(2);
  }

  @Test
  void aJarDecidesThroughItsLevelChecker() throws Exception {
    jar(
        """
        import dev.assay.check.*;
        import dev.assay.level.Level;
        import java.util.*;
        public class Optimist implements LevelChecker {
          public String name() { return "optimist"; }
          public Findings check(Subject subject) {
            return new Findings(
                Map.of(Level.SERIALIZABLE, new Verdict.Holds("why not")), List.of(), List.of());
          }
        }
        """);
    Ran ran =
        Ran.of(
            "check",
            "--checker",
            "optimist",
            "--plugins",
            folder.toString(),
            "--level",
            "serializable",
            SKEW);
    assertThat(ran.code()).as(ran.out() + ran.err()).isZero();
  }

  @Test
  void theExampleOnThePageWorks() throws Exception {
    String page = Files.readString(Path.of("../docs/web.md"));
    String source = page.substring(page.indexOf("```java\n") + "```java\n".length());
    jar("SingleOperations", source.substring(0, source.indexOf("```")));
    Path history = Files.writeString(folder.resolve("run.txt"), "w(1,1,1,1)\nr(1,1,2,2)\n");
    String[] check = {
      "check", "--checker", "single-operations", "--plugins", folder.toString(), "--level", "ci", ""
    };
    check[check.length - 1] = history.toString();
    assertThat(Ran.of(check).code()).isZero();
    check[check.length - 1] = SKEW;
    Ran several = Ran.of(check);
    assertThat(several.code()).isEqualTo(2);
    assertThat(several.out()).contains("has several operations");
  }

  @Test
  void aJarThatFailsDoesNotKnow() throws Exception {
    jar(
        """
        import dev.assay.check.*;
        public class Optimist implements LevelChecker {
          public String name() { return "optimist"; }
          public Findings check(Subject subject) { throw new IllegalStateException("broken"); }
        }
        """);
    Ran ran = Ran.of("check", "--checker", "optimist", "--plugins", folder.toString(), SKEW);
    assertThat(ran.code()).isEqualTo(2);
    assertThat(ran.out()).contains("optimist failed").contains("broken");
  }

  @Test
  void brokenPluginsAreNamed() throws IOException {
    Files.writeString(folder.resolve("x.json"), "{\"name\": \"x\", \"command\": [\"true\"]}");
    Ran ran = Ran.of("check", "--checker", "x", "--plugins", folder.toString(), SKEW);
    assertThat(ran.code()).isEqualTo(254);
    assertThat(ran.err()).contains("x.json").contains("{history}");
    Files.writeString(folder.resolve("x.json"), "{");
    assertThat(Ran.of("check", "--checker", "x", "--plugins", folder.toString(), SKEW).err())
        .contains("x.json");
    Files.delete(folder.resolve("x.json"));
    Files.writeString(folder.resolve("x.jar"), "not a jar");
    assertThat(Ran.of("check", "--checker", "x", "--plugins", folder.toString(), SKEW).err())
        .contains("x.jar");
  }

  private void jar(String source) throws IOException {
    jar("Optimist", source);
  }

  private void jar(String name, String source) throws IOException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    Path file = Files.writeString(classes.resolve(name + ".java"), source);
    String path = System.getProperty("java.class.path");
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", path, "-d", classes.toString(), file.toString());
    assertThat(code).isZero();
    try (OutputStream out = Files.newOutputStream(folder.resolve("checker.jar"));
        JarOutputStream jar = new JarOutputStream(out)) {
      jar.putNextEntry(new JarEntry(name + ".class"));
      Files.copy(classes.resolve(name + ".class"), jar);
      jar.putNextEntry(new JarEntry("META-INF/services/dev.assay.check.LevelChecker"));
      jar.write((name + "\n").getBytes());
    }
  }
}
