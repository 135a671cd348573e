package dev.assay.format.follow;

import static dev.assay.history.HistoryAssert.assertSame;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Transactions in the order of their ends, whatever the order in which they come. */
class OrderTest {
  @TempDir Path folder;

  /** Sessions take turns of some length; ids are numbers in the order of ends. */
  private static List<History> blocks(int transactions, int turn, long seed) {
    Random random = new Random(seed);
    List<History> blocks = new ArrayList<>();
    int sessions = 3;
    int[] done = new int[sessions];
    int left = transactions;
    while (left > 0) {
      HistoryBuilder builder = new HistoryBuilder();
      builder.initially("x", 7);
      int session = random.nextInt(sessions);
      for (int i = 0; i < turn && left > 0; i++) {
        long time = 10L * done[session]++ + session;
        Outcome outcome = Outcome.of(random.nextInt(3));
        int txn = builder.begin(builder.session("s" + session), outcome);
        builder.id(txn, builder.scalars().of("t" + time));
        builder.position(txn, time);
        builder.start(txn, time - random.nextInt(5));
        if (outcome != Outcome.INDETERMINATE) {
          builder.end(txn, time);
        } else {
          builder.error(txn, "lost");
        }
        builder.read("x", 7);
        builder.append("l" + random.nextInt(3), time);
        builder.readList("l0", List.of(1, time));
        left--;
      }
      blocks.add(builder.build());
    }
    return blocks;
  }

  private static void assertOrdered(List<History> before, List<History> after) {
    History whole = whole(before);
    assertSame(Pieces.joined(after, whole), whole);
    long last = Long.MIN_VALUE;
    for (History block : after) {
      for (int txn = 0; txn < block.transactionCount(); txn++) {
        assertThat(block.ownId(txn)).isEqualTo("t" + block.position(txn));
        if (block.end(txn) != History.ABSENT) {
          assertThat(block.end(txn)).isGreaterThanOrEqualTo(last);
          last = block.end(txn);
        }
      }
    }
  }

  private static History whole(List<History> blocks) {
    Regrouped all = new Regrouped();
    Arrival.Order order = new Arrival.Order();
    for (History block : blocks) {
      for (int txn = 0; txn < block.transactionCount(); txn++) {
        all.add(order.of(block, txn));
      }
    }
    return all.take();
  }

  private List<History> sorted(List<History> blocks, long memory, int fanIn) throws IOException {
    List<History> result = new ArrayList<>();
    try (ExternalSort sort = new ExternalSort(folder, memory, fanIn)) {
      for (History block : blocks) {
        sort.add(block);
      }
      sort.finish();
      for (History block = sort.next(); block != null; block = sort.next()) {
        result.add(block);
      }
    }
    return result;
  }

  @Test
  void runsOnDiskAreMergedToOneOrder() throws Exception {
    for (long seed = 0; seed < 10; seed++) {
      List<History> blocks = blocks(3000, 1 + (int) seed * 30, seed);
      assertOrdered(blocks, sorted(blocks, 50_000, 64));
      assertOrdered(blocks, sorted(blocks, 50_000, 3));
      assertOrdered(blocks, sorted(blocks, 1 << 30, 64));
      try (var left = Files.list(folder)) {
        assertThat(left).isEmpty();
      }
    }
  }

  @Test
  void theDisorderIsHowLateTransactionsAre() {
    Disorder near = disorder(blocks(3000, 1, 1));
    Disorder far = disorder(blocks(3000, 1000, 2));
    assertThat(near.transactions()).isEqualTo(3000);
    assertThat(near.lateness()).isPositive().isLessThan(3000);
    assertThat(near.held()).isPositive().isLessThan(far.held() / 2);
    HistoryBuilder untimed = new HistoryBuilder();
    untimed.begin(untimed.session(1), Outcome.COMMITTED);
    assertThat(disorder(List.of(untimed.build())).held()).isZero();
  }

  private static Disorder disorder(List<History> blocks) {
    Disorder disorder = new Disorder();
    blocks.forEach(disorder::add);
    return disorder;
  }

  @Test
  void aScratchFolderIsGoneWithAllThatIsInIt() throws Exception {
    Path path;
    try (ScratchFolder scratch = new ScratchFolder()) {
      path = scratch.path();
      Files.createDirectories(path.resolve("a/b"));
      Files.writeString(path.resolve("a/b/c"), "x");
    }
    assertThat(path).doesNotExist();
  }
}
