package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a release is made of, as far as that can be run from the classes under test. */
class ReleaseTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  @TempDir Path folder;

  @Test
  void theActionAnnotatesTheLineOfAViolationAndEndsWithItsCode() throws Exception {
    assumeTrue(hasJq(), "annotations need jq");
    Ran ran = action(ROOT.resolve("histories/strong-snapshot-isolation/write-skew.edn"));
    assertThat(ran.out())
        .contains("write-skew.edn,line=5,title=G2-item::write skew (at least 1): violates");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(Files.readString(folder.resolve("output"))).isEqualTo("code=1\n");
    assertThat(folder.resolve("report/results.jsonl")).content().contains("\"G2-item\"");
    assertThat(folder.resolve("report/report.html")).content().contains("<html");
  }

  @Test
  void theActionRunsAWorkload() throws Exception {
    Ran ran =
        run(
            Map.of(
                "ASSAY_JAR",
                jar().toString(),
                "ASSAY_RUN",
                "h2 --isolation serializable --duration 1s --sessions 4 --keys 2",
                "ASSAY_EXPECT",
                "read-committed",
                "ASSAY_REPORT",
                folder.resolve("report").toString()),
            "bash",
            ROOT.resolve("release/ci.sh").toString());
    assertThat(ran.code()).as(ran.out()).isZero();
    assertThat(folder.resolve("report")).isDirectoryContaining("glob:**/history.assay");
    assertThat(folder.resolve("report/report.html")).content().contains("<html");
  }

  /** As the page on releases has it, but from a folder. */
  @Test
  void threeLinesOfShellFetchAReleaseOnceAndCheckItsSum() throws Exception {
    Path release = Files.createDirectories(folder.resolve("releases/v9.9.9"));
    Files.copy(jar(), release.resolve("assay-9.9.9.jar"));
    Files.copy(ROOT.resolve("release/ci.sh"), release.resolve("ci.sh"));
    run(Map.of(), "bash", "-c", "cd '" + release + "' && sha256sum *.jar ci.sh > SHA256SUMS");
    String page = Files.readString(ROOT.resolve("docs/releasing.md"));
    int start = page.indexOf("export ASSAY_VERSION=");
    String base = folder.resolve("releases").toUri().toString().replaceAll("/$", "");
    String lines =
        page.substring(start, page.indexOf("```", start))
            .replaceFirst("ASSAY_VERSION=\\S+", "ASSAY_VERSION=9.9.9")
            .replace("https://assay.dev/releases", base)
            .replace("ASSAY_PATHS=store/", "ASSAY_PATHS=" + ROOT.resolve("histories/serializable"));
    assertThat(lines.lines()).hasSize(3);
    Map<String, String> environment =
        Map.of("HOME", folder.toString(), "XDG_CACHE_HOME", "", "ASSAY_RELEASES", base);
    String script = "cd '" + folder + "'\n" + lines;
    Ran first = run(environment, "bash", "-c", script);
    assertThat(first.code()).as(first.out()).isZero();
    Path kept = folder.resolve(".cache/assay/assay-9.9.9.jar");
    assertThat(kept).exists();

    Files.writeString(release.resolve("assay-9.9.9.jar"), "something else");
    assertThat(run(environment, "bash", "-c", script).code()).as("the one that is kept").isZero();
    Files.delete(kept);
    Ran changed = run(environment, "bash", "-c", script);
    assertThat(changed.out()).contains("the checksum of assay-9.9.9.jar is wrong");
    assertThat(changed.code()).isEqualTo(254);
  }

  @Test
  void theJarNamesTheLicencesOfAllThatIsInIt() throws IOException {
    String named =
        Files.readString(ROOT.resolve("cli/src/main/resources/META-INF/THIRD-PARTY.txt"));
    Pattern dependency = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    Pattern artifact = Pattern.compile("<artifactId>([^<]*)<");
    TreeSet<String> libraries = new TreeSet<>();
    for (String module : List.of("core", "collect", "web", "cli")) {
      dependency
          .matcher(Files.readString(ROOT.resolve(module).resolve("pom.xml")))
          .results()
          .map(match -> match.group(1))
          .filter(text -> !text.matches("(?s).*(<scope>(test|provided)|<groupId>dev.assay<).*"))
          .map(artifact::matcher)
          .filter(Matcher::find)
          .forEach(matcher -> libraries.add(matcher.group(1)));
    }
    assertThat(libraries).contains("h2", "picocli");
    assertThat(libraries).allSatisfy(library -> assertThat(named).contains(" " + library));
  }

  @Test
  void theActionEndsWithZeroWhereTheLevelHolds() throws Exception {
    Ran ran = action(ROOT.resolve("histories/strict-serializable"));
    assertThat(ran.out()).doesNotContain("::error");
    assertThat(ran.code()).isZero();
  }

  @Test
  void theActionAnnotatesWhatCannotBeRead() throws Exception {
    assumeTrue(hasJq(), "annotations need jq");
    Path broken = Files.writeString(folder.resolve("broken.txt"), "garbage(");
    Ran ran = action(broken);
    assertThat(ran.out()).contains("::error file=" + broken + ",line=1::");
    assertThat(ran.code()).isEqualTo(254);
  }

  @Test
  void theNameOfAHistoryIsNoCommandToGitHub() throws Exception {
    assumeTrue(hasJq(), "annotations need jq");
    Path store = Files.createDirectory(folder.resolve("my store"));
    Path evil = store.resolve("a,b%0A\n::set-env name=x::y.edn");
    Files.copy(ROOT.resolve("histories/strong-snapshot-isolation/write-skew.edn"), evil);
    Map<String, String> environment =
        Map.of(
            "ASSAY_JAR", jar().toString(),
            "ASSAY_PATHS", store + "\n",
            "ASSAY_REPORT", folder.resolve("report").toString(),
            "GITHUB_ACTIONS", "true",
            "GITHUB_STEP_SUMMARY", folder.resolve("summary").toString());
    Ran ran = run(environment, "bash", ROOT.resolve("release/ci.sh").toString());
    assertThat(ran.code()).as(ran.out()).isEqualTo(1);
    assertThat(ran.out())
        .contains("/my store/a%2Cb%250A%0A%3A%3Aset-env name=x%3A%3Ay.edn,line=5,");
    boolean deaf = false;
    for (String line : ran.out().lines().toList()) {
      if (line.startsWith("::stop-commands::")) {
        deaf = true;
      } else if (deaf && line.matches("::[0-9a-f]{32}::")) {
        deaf = false;
      } else if (!deaf) {
        assertThat(line).as("only annotations are heard").startsWith("::error file=");
      }
    }
    assertThat(deaf).isFalse();
    assertThat(folder.resolve("summary")).content().startsWith("````````\nviolated:");
  }

  @Test
  void theHeadOfAReleaseStartsTheJarBehindIt() throws Exception {
    Path history = ROOT.resolve("histories/strong-snapshot-isolation/write-skew.edn");
    Ran ran = run(Map.of(), release().toString(), "check", history.toString());
    assertThat(ran.out()).contains("write skew");
    assertThat(ran.code()).isEqualTo(1);

    // Where the PATH has bash and Java and nothing else.
    Path programs = Files.createDirectory(folder.resolve("programs"));
    Files.createSymbolicLink(
        programs.resolve("java"), Path.of(System.getProperty("java.home"), "bin/java"));
    Files.createSymbolicLink(programs.resolve("bash"), Path.of("/bin/bash"));
    Map<String, String> alone = Map.of("PATH", programs.toString(), "JAVA_HOME", "");
    assertThat(run(alone, release().toString(), "check", history.toString()).out())
        .startsWith("violated:")
        .doesNotContain("not found");
  }

  /** 40 MB are enough, unless the young generation takes them. */
  @Test
  void aSmallHeapIsNotRefusedWhatFits() throws Exception {
    String history = folder.resolve("h.assay").toString();
    dev.assay.cli.Ran.of("generate", "--transactions", "10000", "--out", history);
    Map<String, String> small = Map.of("ASSAY_JAVA_OPTS", "-Xmx64m");
    Ran ran = run(small, release().toString(), "check", "--color", "never", history);
    assertThat(ran.out()).contains("satisfies strict-serializable", "100,000 transactions");
    assertThat(ran.code()).isZero();
  }

  /** A shell script with a jar behind it: {@code release/build} makes the file of a release so. */
  private Path release() throws IOException {
    Path release = folder.resolve("assay");
    String build = Files.readString(ROOT.resolve("release/build"));
    List<String> parts =
        Pattern.compile("(?s)<< 'HEAD'\n(.*?)HEAD\n")
            .matcher(build)
            .results()
            .map(part -> part.group(1))
            .toList();
    assertThat(parts).hasSize(2);
    try (OutputStream out = Files.newOutputStream(release)) {
      out.write(parts.get(0).getBytes(StandardCharsets.UTF_8));
      Files.copy(ROOT.resolve("release/launch.sh"), out);
      out.write(parts.get(1).getBytes(StandardCharsets.UTF_8));
      Files.copy(jar(), out);
    }
    assertThat(release.toFile().setExecutable(true)).isTrue();
    return release;
  }

  @Test
  void allModulesHaveTheSameVersion() throws IOException {
    Pattern version =
        Pattern.compile("<artifactId>assay[a-z-]*</artifactId>\\s*<version>([^<$]*)<");
    TreeSet<String> versions = new TreeSet<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path pom :
          modules.map(module -> module.resolve("pom.xml")).filter(Files::exists).toList()) {
        version.matcher(Files.readString(pom)).results().forEach(v -> versions.add(v.group(1)));
      }
    }
    version
        .matcher(Files.readString(ROOT.resolve("pom.xml")))
        .results()
        .forEach(v -> versions.add(v.group(1)));
    assertThat(versions).hasSize(1);
  }

  private record Ran(int code, String out) {}

  private Ran action(Path history) throws Exception {
    return run(
        Map.of(
            "ASSAY_JAR", jar().toString(),
            "ASSAY_PATHS", history.toString(),
            "ASSAY_REPORT", folder.resolve("report").toString(),
            "GITHUB_OUTPUT", folder.resolve("output").toString()),
        "bash",
        ROOT.resolve("release/ci.sh").toString());
  }

  private Ran run(Map<String, String> environment, String... command) throws Exception {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ran(process.waitFor(), out);
  }

  private boolean hasJq() throws Exception {
    return run(Map.of(), "bash", "-c", "command -v jq").code == 0;
  }

  /** A jar that starts the classes under test. */
  private Path jar() throws IOException {
    Path jar = folder.resolve("assay.jar");
    StringBuilder entries = new StringBuilder();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
      entries.append(Path.of(entry).toUri()).append(' ');
    }
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, Main.class.getName());
    manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, entries.toString().strip());
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    return jar;
  }
}
