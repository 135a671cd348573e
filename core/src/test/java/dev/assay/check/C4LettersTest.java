package dev.assay.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Lines are {@code r(key,value,session,txn)} or {@code w(…)}; 0 is the initial value. */
class C4LettersTest {
  private static final String OVERWRITTEN =
      """
      w(1,1,1,1)
      r(1,1,2,2)
      w(1,2,2,2)
      w(2,2,2,2)
      """;

  /** Both 4 and 3 write key 1; that 4 read by 6 is older follows from what 5 read. */
  private static final String OVERWRITTEN_BY_COMMIT_ORDER =
      """
      w(1,1,1,1)
      w(1,2,2,2)
      w(2,2,2,2)
      w(3,9,1,3)
      r(3,9,5,5)
      r(1,2,5,5)
      """;

  private static List<String> letters(String text, AnomalyType type) throws ParseException {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return letters(Formats.read(Input.of("h", bytes)), type);
  }

  private static List<String> letters(History history, AnomalyType type) {
    List<String> letters = new ArrayList<>();
    for (Anomaly anomaly : Assay.check(history, Level.surveyed(), Budget.unlimited()).anomalies()) {
      if (anomaly.type() == type) {
        anomaly.witnesses().forEach(witness -> letters.add(witness.c4(type)));
      }
    }
    return letters;
  }

  @Test
  void aNonMonotonicReadIsTheSameLetter() throws ParseException {
    String text = OVERWRITTEN + "r(2,2,3,3)\nr(1,1,3,3)\n";
    assertThat(letters(text, AnomalyType.NON_MONOTONIC_READ_CO)).containsExactly("h");
  }

  @Test
  void aFracturedReadThroughAReadOfAnotherKeyIsH() throws ParseException {
    String text = OVERWRITTEN + "r(1,1,3,3)\nr(2,2,3,3)\n";
    assertThat(letters(text, AnomalyType.FRACTURED_READ_CO)).containsExactly("h");
  }

  @Test
  void aFracturedReadThroughSessionOrderAloneIsK() throws ParseException {
    String text = OVERWRITTEN + "r(1,1,2,3)\n";
    assertThat(letters(text, AnomalyType.FRACTURED_READ_CO)).containsExactly("k");
  }

  @Test
  void aFracturedReadThroughBothIsH() throws ParseException {
    String text = OVERWRITTEN + "r(1,1,2,3)\nr(2,2,2,3)\n";
    assertThat(letters(text, AnomalyType.FRACTURED_READ_CO)).containsExactly("h");
  }

  @Test
  void aFracturedReadByCommitOrderIsIOrL() throws ParseException {
    String read = OVERWRITTEN_BY_COMMIT_ORDER + "r(1,1,3,6)\nr(2,2,3,6)\n";
    // Only the commit order of causal consistency says so here: read atomic holds.
    assertThat(letters(read, AnomalyType.CM_CONFLICT)).contains("i").doesNotContain("h");
    String session = OVERWRITTEN_BY_COMMIT_ORDER + "r(1,1,2,6)\n";
    assertThat(letters(session, AnomalyType.CM_CONFLICT)).contains("l").doesNotContain("k");
  }

  @Test
  void aCausalityViolationIsKAndByCommitOrderL() throws ParseException {
    String between = "r(2,2,3,3)\nw(3,3,3,3)\nr(3,3,4,4)\nr(1,1,4,4)\n";
    assertThat(letters(OVERWRITTEN + between, AnomalyType.CO_CONFLICT)).containsExactly("k");
    String byCommit = "r(2,2,3,6)\nw(4,3,3,6)\nr(4,3,4,7)\nr(1,1,4,7)\n";
    assertThat(letters(OVERWRITTEN_BY_COMMIT_ORDER + byCommit, AnomalyType.CM_CONFLICT))
        .contains("l")
        .doesNotContain("k");
  }

  @Test
  void aStaleReadOfAnInitialVersionIsAlsoJ() throws ParseException {
    String monotonic = "w(1,1,1,1)\nw(2,1,1,1)\nr(2,1,2,2)\nr(1,0,2,2)\n";
    assertThat(letters(monotonic, AnomalyType.NON_MONOTONIC_READ_CO)).containsExactly("h, j");
    assertThat(letters(monotonic, AnomalyType.INITIAL_READ)).containsExactly("h, j");
    String session = "w(1,1,1,1)\nr(1,0,1,2)\n";
    assertThat(letters(session, AnomalyType.FRACTURED_READ_CO)).containsExactly("k, j");
    String causal = "w(1,1,1,1)\nw(2,1,1,2)\nr(2,1,2,3)\nr(1,0,2,3)\n";
    assertThat(letters(causal, AnomalyType.CO_CONFLICT)).containsExactly("k, j");
  }

  @Test
  void missingAnOwnWriteIsAlsoFWhereTheOwnWriteHadBeenRead() throws ParseException {
    String missed = "w(1,1,1,1)\nw(1,2,2,2)\nr(1,1,2,2)\n";
    assertThat(letters(missed, AnomalyType.NOT_MY_OWN_WRITE)).containsExactly("d");
    String seen = "w(1,1,1,1)\nw(1,2,2,2)\nr(1,2,2,2)\nr(1,1,2,2)\n";
    assertThat(letters(seen, AnomalyType.NOT_MY_OWN_WRITE)).containsExactly("d, f");
  }

  @Test
  void anOwnAppendThatWasReadAndThenMissedIsAlsoF() {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session(1), Outcome.COMMITTED);
    b.append("x", 1);
    b.begin(b.session(2), Outcome.COMMITTED);
    b.append("x", 2);
    b.readList("x", List.of(1, 2));
    b.readList("x", List.of(1));
    assertThat(letters(b.build(), AnomalyType.NOT_MY_OWN_WRITE)).containsExactly("d, f");
  }

  @Test
  void otherAnomaliesHaveTheLetterOfTheirKind() throws ParseException {
    String thinAir = "r(1,5,1,1)\n";
    assertThat(letters(thinAir, AnomalyType.THIN_AIR_READ)).containsExactly("a");
    String lastWrite = "w(1,1,1,1)\nw(1,2,1,1)\nr(1,1,1,1)\n";
    assertThat(letters(lastWrite, AnomalyType.NOT_MY_LAST_WRITE)).containsExactly((String) null);
  }
}
