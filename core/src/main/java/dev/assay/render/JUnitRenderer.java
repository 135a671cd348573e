package dev.assay.render;

import dev.assay.Report;
import dev.assay.check.Anomaly;
import dev.assay.check.Verdict;
import dev.assay.format.ParseException;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * JUnit XML for CI systems: a test suite for each input, a test case for each level. A violated
 * judged level is a failure and an unknown one an error; other levels that do not hold are skipped,
 * so that a CI job fails exactly when {@code assay check} does.
 */
public final class JUnitRenderer {
  private final StringBuilder suites = new StringBuilder();
  private int tests;
  private int failures;
  private int errors;
  private int skipped;

  /** Adds the suite of an input that could not be read: one error. */
  public void add(ParseException e) {
    Suite suite = new Suite(e.file());
    String message = e.place() + ": " + e.getMessage();
    String hint = e.hint() == null ? "" : "\nhelp: " + e.hint();
    String expected = e.expected() == null ? "" : "\nexpected: " + e.expected();
    suite.open("read", 0).outcome("error", message, message + expected + hint);
    suite.end(0);
  }

  /** Adds the suite of an input that was checked. */
  public void add(CheckResult result) throws IOException {
    Report report = result.report();
    Suite suite = new Suite(result.file());
    long millis = result.parseMillis();
    for (long stage : report.stageMillis().values()) {
      millis += stage;
    }
    for (Map.Entry<Level, Verdict> entry : report.verdicts().entrySet()) {
      Verdict verdict = entry.getValue();
      boolean judged = result.judged().contains(entry.getKey());
      suite.open(entry.getKey().id(), 0);
      if (verdict instanceof Verdict.Holds && judged && result.incomplete() != null) {
        suite.outcome("error", "unknown: " + result.incomplete(), null);
      } else if (verdict instanceof Verdict.Holds) {
        suite.passed();
      } else if (!judged) {
        suite.outcome("skipped", verdict.id() + ", not judged: " + verdict.why(), null);
      } else if (verdict instanceof Verdict.Violated) {
        suite.outcome("failure", verdict.why(), argument(result, violating(entry.getKey())));
      } else {
        suite.outcome("error", "unknown: " + verdict.why(), null);
      }
    }
    for (AnomalyType type : new TreeSet<>(result.forbidden())) {
      suite.open("no " + type.id(), 0);
      if (result.forbiddenFound().contains(type)) {
        suite.outcome("failure", type.definition(), argument(result, a -> a.type() == type));
      } else if (result.forbiddenUnknown().contains(type)) {
        suite.outcome("error", "unknown: time or memory ran out", null);
      } else {
        suite.passed();
      }
    }
    suite.end(millis);
  }

  private static String argument(CheckResult result, Predicate<Anomaly> against)
      throws IOException {
    StringBuilder text = new StringBuilder("\n");
    for (Anomaly anomaly : result.report().anomalies()) {
      if (against.test(anomaly)) {
        text.append(TextRenderer.plainWitness(result, anomaly, 0));
      }
    }
    return text.toString();
  }

  private static Predicate<Anomaly> violating(Level level) {
    return anomaly -> anomaly.violates().stream().anyMatch(level::implies);
  }

  /** Writes the document. */
  public void finish(Appendable out) throws IOException {
    out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.append("<testsuites name=\"assay\"").append(counts(tests, failures, errors, skipped));
    out.append(">\n").append(suites).append("</testsuites>\n");
  }

  private static String counts(int tests, int failures, int errors, int skipped) {
    return " tests=\""
        + tests
        + "\" failures=\""
        + failures
        + "\" errors=\""
        + errors
        + "\" skipped=\""
        + skipped
        + "\"";
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.3f", millis / 1000.0);
  }

  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(isXml(c) ? c : '?');
              }
            });
    return safe.toString();
  }

  /** The characters XML 1.0 allows. */
  private static boolean isXml(int c) {
    return c == '\t'
        || c == '\n'
        || c == '\r'
        || (c >= 0x20 && c <= 0xd7ff)
        || (c >= 0xe000 && c <= 0xfffd)
        || c >= 0x10000;
  }

  private final class Suite {
    private final String name;
    private final StringBuilder cases = new StringBuilder();
    private final int[] before = {tests, failures, errors, skipped};

    Suite(String name) {
      this.name = name;
    }

    Suite open(String test, long millis) {
      tests++;
      cases.append("    <testcase classname=\"").append(escaped(name)).append("\" name=\"");
      cases.append(escaped(test)).append("\" time=\"").append(seconds(millis)).append('"');
      return this;
    }

    void passed() {
      cases.append("/>\n");
    }

    void outcome(String kind, String message, String text) {
      switch (kind) {
        case "failure" -> failures++;
        case "error" -> errors++;
        default -> skipped++;
      }
      cases.append(">\n      <").append(kind).append(" message=\"").append(escaped(message));
      if (text == null) {
        cases.append("\"/>\n");
      } else {
        cases.append("\">").append(escaped(text)).append("</").append(kind).append(">\n");
      }
      cases.append("    </testcase>\n");
    }

    void end(long millis) {
      suites.append("  <testsuite name=\"").append(escaped(name)).append('"');
      suites.append(
          counts(tests - before[0], failures - before[1], errors - before[2], skipped - before[3]));
      suites.append(" time=\"").append(seconds(millis)).append("\">\n");
      suites.append(cases).append("  </testsuite>\n");
    }
  }
}
