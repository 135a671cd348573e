package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.assay.collect.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an outside review found, file by file, as users would meet it. */
class ReviewTest {
  private static final Path FILES = Path.of("src", "test", "resources", "review");

  /** Files too large to be copied, where the corpus lies beside the project. */
  private static final Path LARGE = Path.of("..", "..", "shared", "corpus", "review");

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "violated, serializable, ind.jsonl, --version-order ind.snap.cert",
    "violated, serializable, ind.jsonl, --version-order ind.order.cert",
    "violated, serializable, ind-sel.jsonl, --version-order ind.snap.cert",
    "error, serializable, ab.jsonl, --version-order ab.order.cert",
    "error, serializable, ab.jsonl, --version-order ab.commits.cert",
    "holds, strong-session-serializable, cobra-universal,",
    "holds, serializable, viper-init,",
    "violated, strong-session-serializable, viper-isinitial,",
    "violated, causal, awdit-hb-cycle.txt,",
    "holds, causal, initial-load-100.jsonl,",
    "violated, causal, initial-load-100.jsonl, --loader load",
    "violated, read-your-writes, initial-load-100.jsonl, --loader load",
    "holds, strict-serializable, ts-ok.jsonl, --infer timestamps",
    "violated, strict-serializable, ts-bad.jsonl, --infer timestamps",
  })
  void theVerdictIs(String expected, String level, String file, String options) throws Exception {
    Ran ran = check(FILES.resolve(file), options, "--level", level);
    if (expected.equals("error")) {
      assertThat(ran.code()).isEqualTo(254);
      assertThat(ran.err() + ran.out()).contains("transaction 1 aborted");
    } else {
      assertThat(ran.out()).contains("\"%s\":{\"verdict\":\"%s\"".formatted(level, expected));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "two.jsonl, --version-order two.cert, G2-item G2",
    "two.jsonl,, G2-item G2",
    "r-C+B.jsonl,, G-single-item G-single-item-realtime",
    "tap-h-inside-causality-cycle.txt,, cyclic-causality non-monotonic-read-co",
    "c4-tap-j.txt,, initial-read",
  })
  void noAnomalyHidesAnother(String file, String options, String anomalies) throws Exception {
    assertThat(types(check(FILES.resolve(file), options))).contains(anomalies.split(" "));
  }

  @ParameterizedTest
  @CsvSource({
    "name-G0-realtime.jsonl, G0-realtime",
    "name-G1c-process.jsonl, G1c-process",
    "name-G1c.jsonl, G1c",
  })
  void noAnomalyHasANameThatWhatHoldsForbids(String file, String wrong) throws Exception {
    assertThat(types(check(FILES.resolve(file), null))).isNotEmpty().doesNotContain(wrong);
  }

  /** A name with co rests on causal order: one step of its cycle is forced by a read, not two. */
  @Test
  void aConflictWithCausalOrderHasOneForcedStep() throws Exception {
    Ran ran = check(FILES.resolve("name-co-conflict-two-cm.jsonl"), null);
    Map<String, Long> forced = new TreeMap<>();
    for (Object anomaly : (List<?>) Json.readObject(ran.out()).get("anomalies")) {
      Map<?, ?> witness = (Map<?, ?>) ((List<?>) ((Map<?, ?>) anomaly).get("witnesses")).get(0);
      List<?> edges = (List<?>) witness.get("edges");
      long steps = edges.stream().filter(e -> "cm".equals(((Map<?, ?>) e).get("kind"))).count();
      forced.put((String) ((Map<?, ?>) anomaly).get("type"), steps);
    }
    assertThat(forced).containsEntry("co-conflict", 1L).containsEntry("cm-conflict", 2L);
  }

  /** A phantom beside a write skew is still there to be shrunk to. */
  @Test
  void aPhantomBesideAWriteSkewIsFoundByItsName() {
    String out = folder.resolve("s.jsonl").toString();
    Ran ran = Ran.of("shrink", "--anomaly", "G2", "-o", out, FILES.resolve("two.jsonl").toString());
    assertThat(ran.code()).as(ran.err()).isEqualTo(1);
    assertThat(ran.err()).contains("(G2)");
  }

  @ParameterizedTest
  @CsvSource({
    "holds, strong-session-serializable, cobra-rubis-1k.jsonl",
    "holds, strict-serializable, t-clean-4700.edn.gz",
    "violated, strict-serializable, t-lost-4700.edn.gz",
    "holds, serializable, shuffled-10k-500keys.jsonl.gz",
    "violated, strong-session-serializable, hd-10k-one-read-changed.jsonl.gz",
  })
  void theVerdictOnALargeFileIs(String expected, String level, String file) throws Exception {
    assumeTrue(Files.exists(LARGE), "the corpus is not beside the project");
    Ran ran = check(LARGE.resolve(file), null, "--level", level);
    assertThat(ran.out()).contains("\"%s\":{\"verdict\":\"%s\"".formatted(level, expected));
  }

  /** Runs check; names of certificates are those of files beside the history. */
  private static Ran check(Path file, String options, String... more) {
    List<String> args = new ArrayList<>(List.of("check", "--output", "json"));
    args.addAll(List.of(more));
    for (String option : options == null ? new String[0] : options.split(" ")) {
      args.add(option.endsWith(".cert") ? file.resolveSibling(option).toString() : option);
    }
    args.add(file.toString());
    return Ran.of(args.toArray(new String[0]));
  }

  private static List<String> types(Ran ran) throws IOException {
    List<String> types = new ArrayList<>();
    for (Object anomaly : (List<?>) Json.readObject(ran.out()).get("anomalies")) {
      types.add((String) ((Map<?, ?>) anomaly).get("type"));
    }
    return types;
  }
}
