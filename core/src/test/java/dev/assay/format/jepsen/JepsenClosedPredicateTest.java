package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Elle's closed-predicate workload, and long fork. */
class JepsenClosedPredicateTest {
  private static final String INIT =
      "{:process 0, :type :invoke, :f :init, :value {:x 0, :y 1}}\n"
          + "{:process 0, :type :ok, :f :init, :value {:x 0, :y 1}}\n";

  private static String txn(int process, String invoked, String completed) {
    return """
        {:process %1$d, :type :invoke, :f :txn, :value %2$s}
        {:process %1$d, :type :ok, :f :txn, :value %3$s}
        """
        .formatted(process, invoked, completed);
  }

  private static History read(String text) throws ParseException {
    return Formats.read(Input.of("h.edn", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static String verdict(String text, Level level) throws ParseException {
    Report report = Assay.check(read(text), Set.of(level), Budget.of(Duration.ofSeconds(20)));
    return report.verdict(level).id();
  }

  @Test
  void predicateReadsSeeTheRowsThatMatch() throws ParseException {
    String reads =
        txn(1, "[[:rp :true nil]]", "[[:rp :true {:x 0, :y 1}]]")
            + txn(1, "[[:rp [:= 1] nil]]", "[[:rp [:= 1] {:y 1}]]")
            + txn(1, "[[:rp [:mod 2 0] nil]]", "[[:rp [:mod 2 0] {:x 0}]]");
    assertThat(verdict(INIT + reads, Level.STRICT_SERIALIZABLE)).isEqualTo("holds");
    String changed = txn(0, "[[:delete :x] [:insert :z -3]]", "[[:delete :x] [:insert :z -3]]");
    String after = txn(1, "[[:rp [:mod 2 1] nil]]", "[[:rp [:mod 2 1] {:y 1, :z -3}]]");
    assertThat(verdict(INIT + changed + after, Level.STRICT_SERIALIZABLE)).isEqualTo("holds");
    assertThat(verdict(INIT + changed + reads, Level.STRICT_SERIALIZABLE)).isEqualTo("violated");
  }

  /** Two transactions that each count the rows and then insert one. */
  @Test
  void aPhantomIsFound() throws ParseException {
    String phantom =
        INIT
            + "{:process 1, :type :invoke, :f :txn, :value [[:rp :true nil] [:insert :a 5]]}\n"
            + "{:process 2, :type :invoke, :f :txn, :value [[:rp :true nil] [:insert :b 6]]}\n"
            + "{:process 1, :type :ok, :f :txn, :value [[:rp :true {:x 0, :y 1}] [:insert :a 5]]}\n"
            + "{:process 2, :type :ok, :f :txn, :value [[:rp :true {:x 0, :y 1}] [:insert :b 6]]}\n"
            + txn(3, "[[:rp :true nil]]", "[[:rp :true {:x 0, :y 1, :a 5, :b 6}]]");
    assertThat(verdict(phantom, Level.SERIALIZABLE)).isEqualTo("violated");
    assertThat(verdict(phantom, Level.SNAPSHOT_ISOLATION)).isEqualTo("holds");
  }

  @Test
  void aResultThatWasNeverSeenSaysNothing() throws ParseException {
    String lost =
        INIT
            + "{:process 1, :type :invoke, :f :txn, :value [[:rp :true nil] [:w :x 4]]}\n"
            + "{:process 1, :type :info, :f :txn, :value [[:rp :true nil] [:w :x 4]]}\n"
            + txn(3, "[[:rp :true nil]]", "[[:rp :true {:x 4, :y 1}]]");
    assertThat(verdict(lost, Level.SERIALIZABLE)).isEqualTo("holds");
  }

  @Test
  void whatCannotBeEvaluatedIsRefused() {
    for (String wrong :
        new String[] {
          "[[:rp :false nil]]",
          "[[:rp [:< 3] nil]]",
          "[[:rp [:mod 0 1] nil]]",
          "[[:rp [:= :x] nil]]",
          "[[:rp]]",
          "[[:rp :true [1 2]]]",
          "[[:rp :true {:x {:y 1}}]]",
          "[[:insert :x]]"
        }) {
      assertThatThrownBy(() -> read(INIT + txn(1, wrong, wrong)))
          .as(wrong)
          .isInstanceOf(ParseException.class);
    }
  }

  @Test
  void longForksAreTransactions() throws ParseException {
    String fork =
        """
        {:process 0, :type :invoke, :f :write, :value [[:w 0 1]]}
        {:process 1, :type :invoke, :f :write, :value [[:w 1 1]]}
        {:process 2, :type :invoke, :f :read, :value [[:r 0 nil] [:r 1 nil]]}
        {:process 3, :type :invoke, :f :read, :value [[:r 1 nil] [:r 0 nil]]}
        {:process 2, :type :ok, :f :read, :value [[:r 0 1] [:r 1 nil]]}
        {:process 3, :type :ok, :f :read, :value [[:r 1 1] [:r 0 nil]]}
        {:process 0, :type :ok, :f :write, :value [[:w 0 1]]}
        {:process 1, :type :ok, :f :write, :value [[:w 1 1]]}
        """;
    assertThat(verdict(fork, Level.PARALLEL_SNAPSHOT_ISOLATION)).isEqualTo("holds");
    assertThat(verdict(fork, Level.SNAPSHOT_ISOLATION)).isEqualTo("violated");
    String agreeing =
        fork.replace(
            ":ok, :f :read, :value [[:r 1 1] [:r 0 nil]]",
            ":ok, :f :read, :value [[:r 1 1] [:r 0 1]]");
    assertThat(verdict(agreeing, Level.STRICT_SERIALIZABLE)).isEqualTo("holds");
  }
}
