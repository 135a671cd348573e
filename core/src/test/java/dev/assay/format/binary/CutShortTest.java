package dev.assay.format.binary;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.level.Level;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Recordings of which only a part reached the disk accuse no transaction of what is missing. */
class CutShortTest {
  private static final int CLIENTS = 4;

  @Test
  void aReadOfWhatAMissingTransactionWroteIsNoThinAirRead() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of());
    AssayBinaryJournal reader = writer.journal();
    reader.begin(writer.session("reader"));
    reader.op(OpKind.READ, 1, 7);
    reader.readList(2, new long[] {8, 9}, 0, 2);
    reader.op(OpKind.COUNTER_READ, 3, 10);
    reader.end(Outcome.COMMITTED);
    writer.flush();
    // The writer's journal never gets to the file.

    History history = AssayBinaryTest.read(out.toByteArray());
    assertThat(history.operation(0).known()).isFalse();
    assertThat(history.metadata().get("note.missing")).contains("3 operations");
    Report report = Assay.check(history, EnumSet.allOf(Level.class), Budget.unlimited());
    assertThat(report.anomalies()).isEmpty();

    writer.finish();
    History whole = AssayBinaryTest.read(out.toByteArray());
    assertThat(whole.operation(0).known()).as("nothing is missing here").isTrue();
  }

  @Test
  void noPartOfACorrectRunViolatesAnything() throws Exception {
    int parts = 0;
    for (int seed = 0; seed < 60; seed++) {
      byte[] bytes = run(new Random(seed));
      Random cuts = new Random(seed);
      for (int i = 0; i < 8; i++) {
        History part;
        try {
          part = AssayBinaryTest.read(Arrays.copyOf(bytes, cuts.nextInt(bytes.length)));
        } catch (ParseException e) {
          continue;
        }
        parts += part.transactionCount() > 0 ? 1 : 0;
        Report report = Assay.check(part, EnumSet.allOf(Level.class), Budget.unlimited());
        assertThat(report.anomalies()).as("seed %d", seed).isEmpty();
        for (Level level : Level.values()) {
          assertThat(report.violated(level)).as("%s, seed %d", level, seed).isFalse();
        }
      }
    }
    assertThat(parts).isGreaterThan(200);
  }

  /** Transactions one after another on a store that does what it should, by clients in turns. */
  private static byte[] run(Random random) throws Exception {
    Map<Long, Long> registers = new HashMap<>();
    Map<Long, List<Long>> lists = new HashMap<>();
    Map<Long, List<Long>> sets = new HashMap<>();
    long counter = 0;
    long next = 1;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      AssayBinaryJournal[] journals = new AssayBinaryJournal[CLIENTS];
      for (int c = 0; c < CLIENTS; c++) {
        journals[c] = writer.journal();
      }
      for (int i = 0; i < 80; i++) {
        int client = random.nextInt(CLIENTS);
        AssayBinaryJournal journal = journals[client];
        journal.begin(writer.session((long) client));
        journal.times(10L * i, 10L * i + 5);
        for (int op = random.nextInt(4); op >= 0; op--) {
          long key = random.nextInt(3);
          switch (random.nextInt(8)) {
            case 0 -> journal.op(OpKind.READ, key, registers.getOrDefault(key, Long.MIN_VALUE));
            case 1 -> {
              registers.put(key, next);
              journal.op(OpKind.WRITE, key, next++);
            }
            case 2 -> read(journal, OpKind.LIST_READ, 10 + key, lists);
            case 3 -> {
              lists.computeIfAbsent(10 + key, k -> new ArrayList<>()).add(next);
              journal.op(OpKind.APPEND, 10 + key, next++);
            }
            case 4 -> read(journal, OpKind.SET_READ, 20 + key, sets);
            case 5 -> {
              sets.computeIfAbsent(20 + key, k -> new ArrayList<>()).add(next);
              journal.op(OpKind.ADD, 20 + key, next++);
            }
            case 6 -> journal.op(OpKind.COUNTER_READ, 30, counter);
            default -> {
              counter++;
              journal.op(OpKind.INCREMENT, 30, 1);
            }
          }
        }
        journal.end(Outcome.COMMITTED);
        if (random.nextInt(20) == 0) {
          writer.flush();
        }
      }
    }
    return out.toByteArray();
  }

  private static void read(
      AssayBinaryJournal journal, OpKind kind, long key, Map<Long, List<Long>> all) {
    long[] elements =
        all.getOrDefault(key, List.of()).stream().mapToLong(Long::longValue).toArray();
    if (kind == OpKind.LIST_READ) {
      journal.readList(key, elements, 0, elements.length);
    } else {
      journal.readSet(key, elements, 0, elements.length);
    }
  }
}
