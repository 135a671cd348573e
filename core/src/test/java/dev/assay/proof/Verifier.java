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
import javax.tools.ToolProvider;

/** The verifier in the folder {@code tools}, compiled as it is, and what goes through it. */
public final class Verifier {
  private static final Path SOURCE = Path.of("..", "tools", "Verify.java");
  private static final Method VERIFY = compiled();

  private int accepted;
  private int unproven;
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
    String proof = ProofWriter.text(Proofs.of(report, Given.NOTHING, Budget.unlimited()));
    String history = text(report.history());
    long start = System.nanoTime();
    List<String> answers = answers(history, proof);
    nanos += System.nanoTime() - start;
    assertThat(answers).hasSize(report.verdicts().size());
    for (String answer : answers) {
      boolean notProven = answer.contains(": not proven: ");
      boolean nothing = answer.contains(": unknown: nothing is claimed: ");
      unproven += notProven ? 1 : 0;
      unknown += nothing ? 1 : 0;
      if (!notProven && !nothing) {
        assertThat(answer).as("%s\n%s\n%s", name, history, proof).endsWith(": accepted");
        accepted++;
      }
    }
    long open =
        report.verdicts().values().stream().filter(Verdict.Unknown.class::isInstance).count();
    assertThat(answers.stream().filter(a -> a.contains(": unknown: ")).count()).isEqualTo(open);
  }

  public int accepted() {
    return accepted;
  }

  public int unproven() {
    return unproven;
  }

  @Override
  public String toString() {
    return "%,d accepted, %,d not proven, %,d unknown, %,d ms in the verifier"
        .formatted(accepted, unproven, unknown, nanos / 1_000_000);
  }
}
