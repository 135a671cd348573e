package dev.assay.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.jsonl.AssayJsonl;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LossesTest {
  private static List<String> all(History history) {
    return new Losses(history)
        .registersOnly()
        .integersOnly()
        .knownReadsOnly()
        .zeroIsInitial()
        .withoutAborted()
        .withoutIndeterminate()
        .withoutTimes()
        .withoutDatabaseFacts()
        .withoutMetadata()
        .phrases();
  }

  private static HistoryBuilder builder() {
    HistoryBuilder b = new HistoryBuilder();
    b.begin(b.session("alice"), Outcome.COMMITTED);
    return b;
  }

  @Test
  void integerRegistersOfCommittedTransactionsLoseNothing() {
    HistoryBuilder b = builder();
    b.id(0, 17);
    b.position(0, 3);
    b.write(1, Long.MIN_VALUE);
    b.read(Long.MAX_VALUE, null);
    b.metadata("note.something", "is a remark of the reader");
    b.metadata("info", "a name");
    assertThat(all(b.build())).isEmpty();
  }

  @Test
  void aNameThatJsonHasNoFieldForIsLostAndTheRestCanBeRead() throws Exception {
    HistoryBuilder b = builder();
    b.write(1, 1);
    b.metadata("half \ud800 a pair", "lost");
    b.metadata("a \ud83d\ude00 pair", "half \ud800 a pair");
    History history = b.build();
    AssayJsonl format = new AssayJsonl();
    assertThat(format.losses(history))
        .containsExactly("metadata whose names have half a surrogate pair (1)");
    History again = format.read(Input.of("x", Written.bytes(format, history)));
    assertThat(again.metadata())
        .containsOnly(Map.entry("a \ud83d\ude00 pair", "half \ud800 a pair"));
  }

  @Test
  void operationsOfOtherTypesAreCounted() {
    HistoryBuilder b = builder();
    b.append(1, 1);
    b.readList(1, List.of(1, "two"));
    b.add(2, 1);
    b.increment(3, 1);
    b.readCounter(3, 1);
    b.predicate(OpKind.SELECT, "{}");
    assertThat(all(b.build()))
        .containsExactly(
            "2 list operations",
            "1 set operation",
            "2 counter operations",
            "1 predicate operation");
  }

  @Test
  void keysAndValuesThatAreNoIntegersAreCounted() {
    HistoryBuilder b = builder();
    b.write("x", 1);
    b.write(new BigInteger("9223372036854775808"), 2);
    b.write(1, 2.5);
    assertThat(all(b.build()))
        .containsExactly(
            "2 operations on keys that are not 64-bit integers",
            "1 operation with a value that is not a 64-bit integer");
  }

  @Test
  void unknownReadsAreCountedInAbortedTransactionsToo() {
    HistoryBuilder b = builder();
    b.op(OpKind.READ, 1, RawScalars.UNKNOWN);
    b.begin(b.session("alice"), Outcome.ABORTED);
    b.op(OpKind.READ, 1, RawScalars.UNKNOWN);
    assertThat(all(b.build()))
        .containsExactly("2 reads whose results are unknown", "1 aborted transaction");
  }

  @Test
  void aZeroIsALossOnlyWhereItIsNotTheInitialValue() {
    for (boolean initial : List.of(true, false)) {
      HistoryBuilder b = builder();
      b.zeroIsInitial(initial);
      b.write(1, 0);
      b.read(2, 0);
      List<String> expected =
          initial
              ? List.of()
              : List.of(
                  "the value 0 in 2 operations, which this format takes for the initial value");
      assertThat(all(b.build())).isEqualTo(expected);
    }
  }

  @Test
  void nilBesideAWrittenZeroIsALoss() {
    HistoryBuilder b = builder();
    b.zeroIsInitial(true);
    b.read(1, null);
    b.write(1, 0);
    assertThat(all(b.build())).containsExactly("the difference between nil and 0, in 2 operations");
  }

  @Test
  void whatTransactionsCarryIsCounted() {
    HistoryBuilder b = builder();
    b.start(0, 5);
    b.shownEnd(0, 7);
    b.commitTs(0, 9);
    b.serialPosition(0, 1);
    int other = b.begin(b.session("bob"), Outcome.INDETERMINATE);
    b.start(other, 6);
    b.end(other, 8);
    b.error(other, "connection lost");
    b.metadata("database", "one");
    assertThat(all(b.build()))
        .containsExactly(
            "1 indeterminate transaction",
            "real times of 2 transactions",
            "shown times of 1 transaction",
            "timestamps of 1 transaction",
            "serialization positions of 1 transaction",
            "1 error message",
            "metadata \"database\"");
  }
}
