package dev.assay.infer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ConcurrentConflictsTest {
  private static final String HEAD = "{\"assay\":1}\n";

  @Test
  void onlyConcurrentTransactionsThatMeetWhereOneWritesCount() throws Exception {
    ConcurrentConflicts concurrentConflicts =
        ConcurrentConflicts.of(
            history(
                line("a", 0, 10, "[\"w\",\"x\",1]"),
                // Meets a at x, and reads what nobody else has.
                line("b", 5, 15, "[\"r\",\"x\",1],[\"r\",\"y\",null]"),
                // Meets nobody's write: only b is still there.
                line("c", 12, 20, "[\"r\",\"x\",1]"),
                // After all of them.
                line("a", 30, 40, "[\"w\",\"x\",2]"),
                // Meets the second of a twice, which is one pair.
                line("b", 31, 39, "[\"r\",\"x\",1],[\"w\",\"x\",3]")));
    assertThat(concurrentConflicts).isEqualTo(new ConcurrentConflicts(5, 2, false));
    assertThat(concurrentConflicts.areFew()).isTrue();
  }

  @Test
  void countingEndsWhereThereIsEnough() throws Exception {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      lines.append(line("s" + i, i, 1_000, "[\"w\",\"x\"," + i + "]"));
    }
    ConcurrentConflicts concurrentConflicts = ConcurrentConflicts.of(history(lines.toString()));
    assertThat(concurrentConflicts.isLowerBound()).isTrue();
    assertThat(concurrentConflicts.areFew()).isFalse();
  }

  private static String line(String session, long start, long end, String ops) {
    return "{\"session\":\"%s\",\"start\":%d,\"end\":%d,\"ops\":[%s]}%n"
        .formatted(session, start, end, ops);
  }

  private static History history(String... lines) throws ParseException {
    byte[] text = (HEAD + String.join("", lines)).getBytes(StandardCharsets.UTF_8);
    return Formats.read(Input.of("h.jsonl", text));
  }
}
