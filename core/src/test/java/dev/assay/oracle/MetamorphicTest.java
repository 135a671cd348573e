package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.oracle.MixedHistories.Made;
import dev.assay.oracle.MixedHistories.Op;
import dev.assay.oracle.MixedHistories.Store;
import dev.assay.oracle.MixedHistories.Txn;
import dev.assay.oracle.MixedHistories.Type;
import dev.assay.proof.Verifier;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * Histories of all types together: a store is never said to give less than it does by construction,
 * and changes of a history that can only help change no verdict for the worse. {@code
 * -Dassay.metamorphic=20000} looks at more of them.
 */
class MetamorphicTest {
  private static final int HISTORIES = Integer.getInteger("assay.metamorphic", 250);

  private static final List<List<Type>> TYPES =
      List.of(
          List.of(Type.REGISTER),
          List.of(Type.LIST),
          List.of(Type.REGISTER, Type.LIST),
          List.of(Type.REGISTER, Type.SET),
          List.of(Type.SET),
          List.of(Type.COUNTER, Type.LIST),
          List.of(Type.REGISTER, Type.LIST, Type.SET, Type.COUNTER));

  private interface Look {
    void at(Made made, Store store, boolean repeats, Random random) throws Exception;
  }

  private static void forEach(long seed, Look look) {
    Random random = new Random(seed);
    for (int i = 0; i < HISTORIES; i++) {
      Store store = Store.values()[i % Store.values().length];
      List<Type> types = TYPES.get(random.nextInt(TYPES.size()));
      boolean repeats = random.nextInt(4) == 0;
      Made made = new MixedHistories(store, types, repeats, random.nextLong()).make(4 + i % 17);
      try {
        look.at(made, store, repeats, random);
      } catch (Exception e) {
        throw new AssertionError(text(made.txns()), e);
      }
    }
  }

  private static String text(List<Txn> txns) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      Formats.byId("assay-jsonl").orElseThrow().write(MixedHistories.history(txns), out);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return out.toString(java.nio.charset.StandardCharsets.UTF_8);
  }

  private static Map<Level, Verdict> verdicts(List<Txn> txns) {
    return verdicts(MixedHistories.history(txns), Given.NOTHING);
  }

  private static Map<Level, Verdict> verdicts(History history, Given given) {
    return Verifier.sample(Assay.check(history, Level.surveyed(), given, Budget.unlimited()), given)
        .verdicts();
  }

  /** What a store gives by construction. */
  private static Set<Level> given(Store store) {
    return switch (store) {
      case SERIAL -> Level.STRICT_SERIALIZABLE.andWeaker();
      case SNAPSHOT -> Level.STRONG_SNAPSHOT_ISOLATION.andWeaker();
      case READ_COMMITTED -> {
        Set<Level> levels = Level.READ_COMMITTED.andWeaker();
        levels.addAll(Level.STRONG_ADYA_READ_COMMITTED.andWeaker());
        yield levels;
      }
      case NONE -> Set.of();
    };
  }

  private static void assertNotViolated(
      Set<Level> levels, Map<Level, Verdict> verdicts, List<Txn> txns) {
    for (Level level : levels) {
      assertThat(verdicts.get(level))
          .as("%s of%n%s", level, text(txns))
          .isNotInstanceOf(Verdict.Violated.class);
    }
  }

  /** What holds before a change is not violated after it. */
  private static void changesNothingForTheWorse(
      long seed, BiFunction<List<Txn>, Random, List<Txn>> change) {
    forEach(
        seed,
        (made, store, repeats, random) -> {
          List<Txn> changed = change.apply(made.txns(), random);
          Map<Level, Verdict> after = verdicts(changed);
          verdicts(made.txns())
              .forEach(
                  (level, verdict) -> {
                    if (verdict instanceof Verdict.Holds) {
                      assertThat(after.get(level))
                          .as("%s of%n%sbecomes%n%s", level, text(made.txns()), text(changed))
                          .isNotInstanceOf(Verdict.Violated.class);
                    }
                  });
        });
  }

  /** What is decided before a change is not decided otherwise after it. */
  private static void changesNothing(long seed, BiFunction<List<Txn>, Random, List<Txn>> change) {
    forEach(
        seed,
        (made, store, repeats, random) -> {
          List<Txn> changed = change.apply(made.txns(), random);
          assertAgree(verdicts(made.txns()), verdicts(changed), made.txns(), text(changed));
        });
  }

  private static void assertAgree(
      Map<Level, Verdict> before, Map<Level, Verdict> after, List<Txn> txns, String changed) {
    before.forEach(
        (level, verdict) -> {
          boolean decided =
              !(verdict instanceof Verdict.Unknown)
                  && !(after.get(level) instanceof Verdict.Unknown);
          if (decided) {
            assertThat(after.get(level).id())
                .as("%s of%n%sbecomes%n%s", level, text(txns), changed)
                .isEqualTo(verdict.id());
          }
        });
  }

  private static List<Txn> moved(List<Txn> txns, long keys, long sessions, long time) {
    List<Txn> moved = new ArrayList<>();
    for (Txn txn : txns) {
      List<Op> ops =
          txn.ops().stream()
              .map(op -> new Op(op.write(), op.type(), op.key() + keys, op.value()))
              .toList();
      moved.add(
          new Txn(
              txn.session() + sessions, txn.outcome(), ops, txn.start() + time, txn.end() + time));
    }
    return moved;
  }

  @Test
  void noStoreIsSaidToGiveLessThanItDoes() {
    forEach(
        1,
        (made, store, repeats, random) ->
            assertNotViolated(given(store), verdicts(made.txns()), made.txns()));
  }

  @Test
  void onlyCountersAndRepeatedValuesLeaveLevelsOpen() {
    forEach(
        11,
        (made, store, repeats, random) -> {
          History history = MixedHistories.history(made.txns());
          if (!repeats && !history.uses(OpKind.Type.COUNTER)) {
            assertThat(verdicts(history, Given.NOTHING).values())
                .as(text(made.txns()))
                .doesNotHaveAnyElementsOfTypes(Verdict.Unknown.class);
          }
        });
  }

  @Test
  void theOrderOfSessionsInTheFileDoesNotMatter() {
    changesNothing(
        2,
        (txns, random) -> {
          Map<Long, Deque<Txn>> bySession = new LinkedHashMap<>();
          txns.forEach(
              txn -> bySession.computeIfAbsent(txn.session(), s -> new ArrayDeque<>()).add(txn));
          List<Deque<Txn>> open = new ArrayList<>(bySession.values());
          List<Txn> shuffled = new ArrayList<>();
          while (!open.isEmpty()) {
            int which = random.nextInt(open.size());
            shuffled.add(open.get(which).poll());
            open.removeIf(Deque::isEmpty);
          }
          return shuffled;
        });
  }

  @Test
  void theOrderOfLinesDoesNotMatterWhereEachIsASession() {
    forEach(
        12,
        (made, store, repeats, random) -> {
          List<Txn> alone = new ArrayList<>();
          for (Txn txn : made.txns()) {
            alone.add(new Txn(alone.size(), txn.outcome(), txn.ops(), txn.start(), txn.end()));
          }
          List<Txn> shuffled = new ArrayList<>(alone);
          Collections.shuffle(shuffled, random);
          assertAgree(verdicts(alone), verdicts(shuffled), alone, text(shuffled));
        });
  }

  @Test
  void theSameOnceMoreOnOtherKeysAndLaterDoesNotMatter() {
    changesNothing(
        3,
        (txns, random) -> {
          List<Txn> twice = new ArrayList<>(txns);
          twice.addAll(moved(txns, 100, 1_000, 10_000));
          return twice;
        });
  }

  @Test
  void withoutAReaderNothingGetsWorse() {
    changesNothingForTheWorse(
        4,
        (txns, random) -> {
          List<Txn> fewer = new ArrayList<>(txns);
          fewer.removeIf(txn -> txn.reads() && random.nextInt(3) == 0);
          return fewer.isEmpty() ? txns : fewer;
        });
  }

  @Test
  void withoutAReadNothingGetsWorse() {
    changesNothingForTheWorse(
        5,
        (txns, random) ->
            txns.stream()
                .map(
                    txn ->
                        txn.with(
                            txn.ops().stream()
                                .filter(op -> op.write() || random.nextInt(4) > 0)
                                .toList()))
                .toList());
  }

  @Test
  void withoutSessionsNothingGetsWorse() {
    changesNothingForTheWorse(
        6,
        (txns, random) -> {
          List<Txn> alone = new ArrayList<>();
          for (Txn txn : txns) {
            alone.add(new Txn(alone.size(), txn.outcome(), txn.ops(), txn.start(), txn.end()));
          }
          return alone;
        });
  }

  @Test
  void withoutTimesLevelsThatAskForNoneStay() {
    changesNothing(
        7,
        (txns, random) ->
            txns.stream()
                .map(
                    txn ->
                        new Txn(
                            txn.session(),
                            txn.outcome(),
                            txn.ops(),
                            History.ABSENT,
                            History.ABSENT))
                .toList());
  }

  @Test
  void noFormatThatCanExpressAHistoryChangesAVerdict() {
    forEach(
        8,
        (made, store, repeats, random) -> {
          History history = MixedHistories.history(made.txns());
          for (HistoryFormat format : Formats.all()) {
            boolean told = history.operationCount() > 0 && format.isWritable();
            if (told && format.losses(history).isEmpty()) {
              Map<Level, Verdict> after = verdicts(copied(history, format), Given.NOTHING);
              assertAgree(verdicts(made.txns()), after, made.txns(), "in " + format.id());
            }
          }
        });
  }

  private static History copied(History history, HistoryFormat format)
      throws IOException, ParseException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    format.write(history, out);
    return Formats.read(Input.of("h" + format.extensions().get(0), out.toByteArray()));
  }

  @Test
  void theOrderInWhichAStoreCommittedIsNoContradiction() {
    forEach(
        9,
        (made, store, repeats, random) -> {
          if (!repeats) {
            History history = MixedHistories.history(made.txns());
            for (int share = 0; share < 3; share++) {
              VersionCertificate certificate =
                  new VersionCertificate(chains(history, made, share, random), new int[0]);
              Given given = new Given(Assumption.DEFAULT, certificate);
              assertNotViolated(given(store), verdicts(history, given), made.txns());
            }
            if (store == Store.SERIAL) {
              int[] order = made.commits().stream().mapToInt(Integer::intValue).toArray();
              Given given = new Given(Assumption.DEFAULT, new VersionCertificate(List.of(), order));
              assertNotViolated(given(store), verdicts(history, given), made.txns());
            }
          }
        });
  }

  /** One transaction after another: every key is linearizable. */
  @Test
  void whatIsTrueOfAStoreMayBeAssumedOfIt() {
    forEach(
        10,
        (made, store, repeats, random) -> {
          if (store == Store.SERIAL) {
            Set<Assumption> assumed = EnumSet.allOf(Assumption.class);
            assumed.removeIf(assumption -> random.nextBoolean());
            Given given = new Given(assumed, VersionCertificate.NONE);
            History history = MixedHistories.historyWithOrder(made);
            assertNotViolated(given(store), verdicts(history, given), made.txns());
          }
        });
  }

  /** The versions that the store made: all of all keys, all of some, or some pairs. */
  private static List<VersionCertificate.Chain> chains(
      History history, Made made, int share, Random random) {
    Map<Integer, List<Integer>> versions = new LinkedHashMap<>();
    for (int txn : made.commits()) {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        boolean last = history.lastWrite(txn, history.key(op)) == op;
        if (history.kind(op) == OpKind.APPEND || (history.kind(op) == OpKind.WRITE && last)) {
          versions.computeIfAbsent(history.key(op), key -> new ArrayList<>()).add(op);
        }
      }
    }
    List<VersionCertificate.Chain> chains = new ArrayList<>();
    versions.forEach(
        (key, ops) -> {
          if (share == 0 || (share == 1 && random.nextBoolean())) {
            chains.add(new VersionCertificate.Chain(key, ops, true));
          }
          for (int i = 0; share == 2 && i + 1 < ops.size(); i++) {
            int later = i + 1 + random.nextInt(ops.size() - i - 1);
            List<Integer> pair = List.of(ops.get(i), ops.get(later));
            chains.add(new VersionCertificate.Chain(key, pair, false));
          }
        });
    return chains;
  }
}
