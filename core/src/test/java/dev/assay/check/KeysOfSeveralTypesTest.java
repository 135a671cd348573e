package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Report;
import dev.assay.format.ParseException;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import dev.assay.window.Monitor;
import dev.assay.window.MonitorOptions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A key that is written as two types is refused. Reads may be of any type: a database may answer
 * anything, and every level gets an answer.
 */
class KeysOfSeveralTypesTest {
  private static final int KEYS = 2;
  private static final String[] OUTCOMES = {
    "committed", "committed", "committed", "committed", "committed", "indeterminate", "aborted"
  };

  private static final String[] WRITES = {"w", "append", "add", "inc"};

  private final Random random = new Random(1);

  /** How each key is written. */
  private final String[] kinds = new String[KEYS];

  /** For each key the values written so far, to be read as any type. */
  private final List<List<Integer>> written = new ArrayList<>();

  @Test
  void aKeyWrittenAsTwoTypesIsRefused() {
    for (String first : WRITES) {
      for (String second : WRITES) {
        String lines =
            """
            {"session":1,"ops":[["%s","x",1]]}
            {"session":2,"ops":[["%s","x",2]]}
            """
                .formatted(first, second);
        if (first.equals(second)) {
          assertThatCode(() -> Lines.check(lines)).doesNotThrowAnyException();
        } else {
          assertThatThrownBy(() -> Lines.check(lines))
              .isInstanceOf(ParseException.class)
              .hasMessageContaining("key x is written as a ")
              .hasMessageContaining(" and as a ");
        }
      }
    }
  }

  @Test
  void aKeyWrittenAsTwoTypesFarApartIsNotJudged() {
    try (Monitor monitor = Monitor.open(MonitorOptions.of(Level.surveyed()))) {
      Monitor.Client client = monitor.client("a");
      client.begin(1);
      client.write("x", 1);
      client.end(Outcome.COMMITTED, 2);
      client.begin(3);
      client.append("x", 2);
      client.end(Outcome.COMMITTED, 4);
      assertThat(monitor.finish().verdict(Level.SERIALIZABLE))
          .isEqualTo(
              new Verdict.Unknown(
                  Verdict.Reason.UNSUPPORTED, "key x is not only written as a register"));
    }
  }

  @Test
  void everyLevelGetsAnAnswer() throws ParseException {
    int decided = 0;
    for (int i = 0; i < 300; i++) {
      Report report = Lines.check(history());
      for (Level level : Level.surveyed()) {
        decided += report.verdict(level) instanceof Verdict.Unknown ? 0 : 1;
      }
    }
    assertThat(decided).isGreaterThan(1000);
  }

  private String history() {
    StringBuilder lines = new StringBuilder();
    written.clear();
    for (int key = 0; key < KEYS; key++) {
      written.add(new ArrayList<>());
      kinds[key] = WRITES[random.nextInt(WRITES.length)];
    }
    int transactions = 3 + random.nextInt(3);
    List<List<String>> ops = new ArrayList<>();
    for (int txn = 0; txn < transactions; txn++) {
      ops.add(operations());
    }
    for (List<String> ofOne : ops) {
      String outcome = OUTCOMES[random.nextInt(OUTCOMES.length)];
      lines.append(
          "{\"session\":%d,\"outcome\":\"%s\",\"ops\":[%s]}\n"
              .formatted(random.nextInt(3), outcome, filled(String.join(",", ofOne))));
    }
    return lines.toString();
  }

  /** Some operations; reads stand for what will be known when all writes are. */
  private List<String> operations() {
    List<String> ops = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      int key = random.nextInt(KEYS);
      int value = 1 + random.nextInt(12);
      switch (random.nextInt(6)) {
        case 0, 1, 2 -> ops.add(write(kinds[key], key, value));
        case 3 -> ops.add("READ" + key);
        case 4 -> ops.add("LIST" + key);
        default -> ops.add("ELEMENTS" + key);
      }
    }
    return ops;
  }

  private String write(String kind, int key, int value) {
    written.get(key).add(value);
    return "[\"%s\",%d,%d]".formatted(kind, key, value);
  }

  private String filled(String ops) {
    String filled = ops;
    for (int key = 0; key < KEYS; key++) {
      while (filled.contains("READ" + key)) {
        List<Integer> some = some(key);
        filled = replaced(filled, "READ", "r", key, some.isEmpty() ? "null" : some.get(0));
      }
      while (filled.contains("LIST" + key)) {
        filled = replaced(filled, "LIST", "r", key, some(key));
      }
      while (filled.contains("ELEMENTS" + key)) {
        filled = replaced(filled, "ELEMENTS", "rs", key, some(key));
      }
    }
    return filled;
  }

  private static String replaced(String ops, String what, String kind, int key, Object value) {
    return ops.replaceFirst(what + key, "[\"%s\",%d,%s]".formatted(kind, key, value));
  }

  private List<Integer> some(int key) {
    List<Integer> all = new ArrayList<>(written.get(key));
    if (random.nextBoolean()) {
      Collections.shuffle(all, random);
    }
    return all.subList(0, random.nextInt(all.size() + 1));
  }
}
