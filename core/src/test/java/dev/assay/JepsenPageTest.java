package dev.assay;

import static org.assertj.core.api.Assertions.assertThat;

import clojure.java.api.Clojure;
import clojure.lang.IFn;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The checker that the jar has for Jepsen works when required, on operations as Jepsen has them.
 */
class JepsenPageTest {
  private static final String STUB =
      """
      (ns jepsen.checker)
      (defprotocol Checker (check [checker test history opts]))
      (create-ns 'jepsen.history)
      (in-ns 'jepsen.history)
      (clojure.core/refer-clojure)
      (defrecord Op [index time type process f value])
      (dosync (commute @#'clojure.core/*loaded-libs* conj 'jepsen.checker))
      """;

  @BeforeAll
  static void requireTheNamespace() {
    Clojure.var("clojure.core", "load-string").invoke(STUB);
    Clojure.var("clojure.core", "require").invoke(Clojure.read("assay.jepsen"));
  }

  private static Map<?, ?> check(String options, String... ops) {
    StringBuilder history = new StringBuilder("[");
    for (int i = 0; i < ops.length; i++) {
      history.append("(jepsen.history/->Op %d %d %s)".formatted(i, 10 * i, ops[i]));
    }
    IFn eval = Clojure.var("clojure.core", "eval");
    String call =
        "(jepsen.checker/check (assay.jepsen/checker %s) {} %s] {})".formatted(options, history);
    return (Map<?, ?>) eval.invoke(Clojure.read(call));
  }

  private static Object key(String name) {
    return Clojure.read(":" + name);
  }

  @Test
  void aSerialHistoryIsValidWithNemesisAndCrashes() {
    Map<?, ?> result =
        check(
            "{}",
            ":invoke 0 :txn [[:append :x 1]]",
            ":ok 0 :txn [[:append :x 1]]",
            ":info :nemesis :start nil",
            ":invoke 1 :txn [[:append :x 2]]",
            ":info 1 :txn [[:append :x 2]]",
            ":invoke 0 :txn [[:r :x nil]]",
            ":ok 0 :txn [[:r :x [1 2]]]");
    assertThat(result.get(key("valid?"))).isEqualTo(true);
    assertThat(result.get(key("strongest"))).isEqualTo(List.of(key("strict-serializable")));
    assertThat((Map<?, ?>) result.get(key("anomalies"))).isEmpty();
  }

  @Test
  void anAnomalyComesAsData() {
    Map<?, ?> result =
        check(
            "{:levels [:PL-2], :survey? false}",
            ":invoke 0 :txn [[:append :x 1]]",
            ":fail 0 :txn [[:append :x 1]]",
            ":invoke 1 :txn [[:r :x nil]]",
            ":ok 1 :txn [[:r :x [1]]]");
    assertThat(result.get(key("valid?"))).isEqualTo(false);
    assertThat(((Map<?, ?>) result.get(key("levels"))).get(key("adya-read-committed")))
        .isEqualTo(key("violated"));
    Map<?, ?> anomalies = (Map<?, ?>) result.get(key("anomalies"));
    Map<?, ?> aborted = (Map<?, ?>) anomalies.get(key("aborted-read"));
    assertThat(aborted.get(key("count"))).isEqualTo(1L);
    assertThat(aborted.get(key("witnesses")).toString()).contains("read");
  }
}
