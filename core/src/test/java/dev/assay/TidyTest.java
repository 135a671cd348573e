package dev.assay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The house rules that a machine can check. A rule serves readers; where it does not, argue in
 * {@link #EXCEPTIONS}.
 */
class TidyTest {
  private static final int MAX_LINE = 100;
  private static final int MAX_FILE_LINES = 500;
  private static final int MAX_METHOD_LINES = 70;

  /** File name and rule, with the reason why the rule does not apply. */
  private static final Map<String, String> EXCEPTIONS =
      Map.of(
          "JepsenEdnTest.java white space", "Jepsen's own logs separate fields by tabs",
          "JepsenHostileTest.java white space", "Jepsen's own logs separate fields by tabs");

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  /** Put together here so that this file does not contain them. */
  private static final List<String> REMINDERS = List.of("TO" + "DO", "FIX" + "ME");

  private static final List<String> PRINTING =
      List.of("System." + "out", "System." + "err", ".printStack" + "Trace(");

  private interface Rule {
    void check(Path file, String text, List<String> problems);
  }

  @Test
  void theProjectIsFound() throws IOException {
    assertThat(PROJECT.resolve("pom.xml")).exists();
    assertThat(sources()).hasSizeGreaterThan(50);
  }

  @Test
  void linesFitInOneHundredColumns() throws IOException {
    assertThat(
            problems(
                "line length",
                (file, text, problems) -> {
                  List<String> lines = text.lines().toList();
                  for (int i = 0; i < lines.size(); i++) {
                    String line = lines.get(i);
                    boolean unbreakable = line.startsWith("import ") || line.contains("http");
                    if (line.codePointCount(0, line.length()) > MAX_LINE && !unbreakable) {
                      problems.add(file + ":" + (i + 1) + " is wider than " + MAX_LINE);
                    }
                  }
                }))
        .isEmpty();
  }

  @Test
  void filesAreShort() throws IOException {
    assertThat(
            problems(
                "file length",
                (file, text, problems) -> {
                  long lines = text.lines().count();
                  if (lines > MAX_FILE_LINES) {
                    problems.add(file + " has " + lines + " lines");
                  }
                }))
        .isEmpty();
  }

  @Test
  void methodsAreShort() throws IOException {
    assertThat(problems("method length", TidyTest::checkMethods)).isEmpty();
  }

  @Test
  void thereAreNoTabsAndLinesEndInNewline() throws IOException {
    assertThat(
            problems(
                "white space",
                (file, text, problems) -> {
                  if (text.indexOf('\t') >= 0 || text.indexOf('\r') >= 0) {
                    problems.add(file + " has tabs or carriage returns");
                  }
                  if (!text.endsWith("\n")) {
                    problems.add(file + " does not end in a newline");
                  }
                }))
        .isEmpty();
  }

  @Test
  void onlyTheCommandLinePrints() throws IOException {
    assertThat(
            problems(
                "printing",
                (file, text, problems) -> {
                  String path = file.toString();
                  boolean mayPrint =
                      path.startsWith("cli/") || path.startsWith("bench/") || isTest(file);
                  for (String printing : PRINTING) {
                    if (!mayPrint && text.contains(printing)) {
                      problems.add(file + " uses " + printing);
                    }
                  }
                }))
        .isEmpty();
  }

  @Test
  void nothingIsLeftForLater() throws IOException {
    assertThat(
            problems(
                "reminders",
                (file, text, problems) -> {
                  for (String reminder : REMINDERS) {
                    if (text.contains(reminder)) {
                      problems.add(file + " contains a " + reminder);
                    }
                  }
                }))
        .isEmpty();
  }

  @Test
  void everyPackageSaysWhatItIsFor() throws IOException {
    List<Path> missing =
        sources().stream()
            .filter(file -> !isTest(file))
            .map(file -> file.resolveSibling("package-info.java"))
            .distinct()
            .filter(info -> !Files.exists(info))
            .map(PROJECT::relativize)
            .toList();
    assertThat(missing).isEmpty();
  }

  @Test
  void theMethodCounterCounts() {
    assertThat(problemsOfAMethodWith(MAX_METHOD_LINES)).isEmpty();
    assertThat(problemsOfAMethodWith(MAX_METHOD_LINES + 1)).hasSize(1);
  }

  private static List<String> problemsOfAMethodWith(int lines) {
    List<String> problems = new ArrayList<>();
    String body = "    if (c()) {\n    }\n" + "    c();\n".repeat(lines - 4);
    checkMethods(Path.of("A.java"), "class A {\n  void b() {\n" + body + "  }\n}\n", problems);
    return problems;
  }

  /**
   * The formatter puts the brace that opens a method at the end of a line and the one that closes
   * it on a line of its own at the indentation the method began with.
   */
  private static void checkMethods(Path file, String text, List<String> problems) {
    List<String> lines = text.lines().toList();
    boolean inTextBlock = false;
    int declaration = -1;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      int quotes = line.split("\"\"\"", -1).length - 1;
      if (quotes % 2 == 1) {
        inTextBlock = !inTextBlock;
      }
      if (inTextBlock || quotes > 0) {
        continue;
      }
      String code = line.strip();
      if (declaration < 0 && isMethodStart(line, code)) {
        declaration = i;
      }
      if (declaration >= 0 && code.endsWith(";") && !hasBody(lines, declaration, i)) {
        declaration = -1;
      }
      boolean closes = code.equals("}") || code.equals("};");
      if (declaration >= 0 && closes && indent(line) == indent(lines.get(declaration))) {
        int length = i - declaration + 1;
        if (length > MAX_METHOD_LINES) {
          problems.add(file + ":" + (declaration + 1) + " has " + length + " lines");
        }
        declaration = -1;
      }
    }
  }

  private static boolean isMethodStart(String line, String code) {
    boolean member = indent(line) == 2 || indent(line) == 4;
    return member
        && code.contains("(")
        && !code.startsWith("@")
        && !code.startsWith("*")
        && !code.startsWith("/")
        && !code.startsWith(".")
        && !code.endsWith("{}")
        && !code.matches("[A-Z][A-Z0-9_]*\\(.*")
        && !code.matches("([a-z]+ )*(record|class|enum|interface) .*")
        && code.matches("(?!(?:if|for|while|switch|return|throw|try|else|do|new|case)\\b)[\\w<].*");
  }

  private static boolean hasBody(List<String> lines, int from, int to) {
    for (int i = from; i <= to; i++) {
      if (lines.get(i).stripTrailing().endsWith("{")) {
        return true;
      }
    }
    return false;
  }

  private static int indent(String line) {
    return line.length() - line.stripLeading().length();
  }

  private static List<String> problems(String rule, Rule check) throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path source : sources()) {
      Path file = PROJECT.relativize(source);
      if (!EXCEPTIONS.containsKey(file.getFileName() + " " + rule)) {
        check.check(file, Files.readString(source, StandardCharsets.UTF_8), problems);
      }
    }
    return problems;
  }

  private static boolean isTest(Path file) {
    return file.toString().contains("/src/test/");
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(PROJECT)) {
      for (Path module : modules.sorted().toList()) {
        Path source = module.resolve("src");
        if (Files.isDirectory(source)) {
          try (Stream<Path> files = Files.walk(source)) {
            files.filter(f -> f.toString().endsWith(".java")).sorted().forEach(sources::add);
          }
        }
      }
    }
    return sources;
  }
}
