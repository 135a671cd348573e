package dev.assay.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.format.Written;
import dev.assay.format.jsonl.AssayJsonl;
import dev.assay.history.History;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import javax.tools.ToolProvider;

/** The verifier in the folder {@code tools}, compiled as it is, and what goes through it. */
public final class Verifier {
  private static final Path SOURCE = Path.of("..", "tools", "Verify.java");

  /** The page that has the reasons for which verdicts are not proven, in one line. */
  private static final String DOCUMENTED = documented();

  private static final Method VERIFY = compiled();

  /** The verifier looks at one in this many verdicts of other tests. */
  private static final int EVERY = Integer.getInteger("assay.verify.every", 25);

  private static final Verifier SAMPLES = new Verifier();

  /** Where the counts of the samples are when the tests of this process have ended. */
  private static final Path COUNTS =
      Path.of("target", "verified-" + System.getProperty("assay.fork") + ".txt");

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(Verifier::writeCounts));
  }

  /** How many verdicts are not proven, by the reason. */
  private final Map<String, Integer> unproven = new TreeMap<>();

  private int accepted;
  private int unknown;
  private long nanos;

  private static Method compiled() {
    try {
      Path folder = Files.createTempDirectory("verify");
      folder.toFile().deleteOnExit();
      int exit =
          ToolProvider.getSystemJavaCompiler()
              .run(null, null, null, "-d", folder.toString(), SOURCE.toString());
      assertThat(exit).isZero();
      URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null);
      Class<?> verify = loader.loadClass("Verify");
      return verify.getMethod("verify", String.class, String.class);
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Puts some of the reports of a test through the verifier; which ones depends on the histories.
   *
   * @return the report
   */
  public static Report sample(Report report, Given given) {
    String text = text(report.history());
    // The last bits of a hash of texts that end alike are alike.
    if (Math.floorMod(new Random(text.hashCode()).nextInt(), EVERY) == 0) {
      synchronized (SAMPLES) {
        SAMPLES.accepts(report, given, "a sample");
      }
    }
    return report;
  }

  /** What the samples of this process came to. */
  public static Verifier samples() {
    return SAMPLES;
  }

  /** What the verifier says: one line for each level. */
  @SuppressWarnings("unchecked")
  public static List<String> answers(String history, String proof) {
    try {
      return (List<String>) VERIFY.invoke(null, history, proof);
    } catch (InvocationTargetException e) {
      return List.of("all: refused: " + e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The history as the verifier reads it. */
  public static String text(History history) {
    try {
      return new String(Written.bytes(new AssayJsonl(), history), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Proves what a report says and puts it through the verifier, which must accept it. */
  public void accepts(Report report, Object name) {
    accepts(report, Given.NOTHING, name);
  }

  /** The same for verdicts that rest on a certificate or assumptions. */
  public void accepts(Report report, Given given, Object name) {
    accepts(report, given, Budget.unlimited(), name);
  }

  /** The same within the time of a budget; what that does not suffice for is not proven. */
  void accepts(Report report, Given given, Budget budget, Object name) {
    String proof = ProofWriter.text(Proofs.of(report, given, budget));
    String history = text(report.history());
    long start = System.nanoTime();
    List<String> answers = answers(history, proof);
    nanos += System.nanoTime() - start;
    assertThat(answers).hasSize(report.verdicts().size());
    for (String answer : answers) {
      String[] open = answer.split(": not proven: ");
      if (open.length > 1) {
        assertThat(DOCUMENTED).contains(open[1]);
        unproven.merge(open[1], 1, Integer::sum);
      } else if (answer.contains(": unknown: nothing is claimed: ")) {
        unknown++;
      } else {
        assertThat(answer).as("%s\n%s\n%s", name, history, proof).contains(": accepted");
        accepted++;
      }
    }
    long open =
        report.verdicts().values().stream().filter(Verdict.Unknown.class::isInstance).count();
    assertThat(answers.stream().filter(a -> a.contains(": unknown: ")).count()).isEqualTo(open);
  }

  private static void writeCounts() {
    try {
      Files.writeString(COUNTS, SAMPLES + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String documented() {
    try {
      return Files.readString(Path.of("..", "docs", "proofs.md")).replaceAll("\\s+", " ");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int accepted() {
    return accepted;
  }

  /** How many verdicts are not proven, by the reason. */
  public Map<String, Integer> unproven() {
    return unproven;
  }

  @Override
  public String toString() {
    return "%,d accepted, not proven %s, %,d unknown, %,d ms in the verifier"
        .formatted(accepted, unproven, unknown, nanos / 1_000_000);
  }
}
