package dev.assay.format.follow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.TransactionRecord;
import dev.assay.format.Written;
import dev.assay.format.binary.AssayBinaryWriter;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.RandomHistories;
import dev.assay.history.RawScalars;
import dev.assay.level.Level;
import dev.assay.window.Monitor;
import dev.assay.window.MonitorOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A history that is judged piece by piece gets the verdicts of the whole. */
class PiecesJudgedTest {
  private static final HistoryFormat JSONL = Formats.byId("assay-jsonl").orElseThrow();
  private static final HistoryFormat BINARY = Formats.byId("assay").orElseThrow();

  private static void assertSameVerdicts(HistoryFormat format, byte[] bytes) throws Exception {
    History whole = Formats.read(Input.of("file", bytes), format);
    assertThat(judged(format, bytes)).isEqualTo(verdicts(whole));
  }

  private static Map<Level, String> judged(HistoryFormat format, byte[] bytes) throws Exception {
    try (Monitor monitor = Monitor.open(MonitorOptions.of(Level.surveyed()))) {
      for (History block : Pieces.read(format, bytes, 1, 50)) {
        block.metadata().forEach(monitor::metadata);
        if (block.transactionCount() > 0) {
          monitor.accept(block);
        }
      }
      return verdicts(monitor.finish());
    }
  }

  /**
   * What the whole shows the pieces show; what they show beyond that is in what was cut off, too.
   */
  private static void assertSound(byte[] cut, Map<Level, String> expected, Map<Level, String> uncut)
      throws Exception {
    judged(BINARY, cut)
        .forEach(
            (level, verdict) -> {
              if (!verdict.equals(expected.get(level))) {
                assertThat(List.of(verdict, expected.get(level), uncut.get(level)))
                    .as(level.toString())
                    .containsExactly("violated", "holds", "violated");
              }
            });
  }

  private static Map<Level, String> verdicts(History whole) {
    return verdicts(Assay.check(whole, Level.surveyed(), Budget.unlimited()));
  }

  private static Map<Level, String> verdicts(Report report) {
    Map<Level, String> verdicts = new TreeMap<>();
    report.verdicts().forEach((level, verdict) -> verdicts.put(level, verdict.id()));
    return verdicts;
  }

  /** A recording that is flushed again and again, as those of runs are. */
  private static byte[] recorded(History history, Random random) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (AssayBinaryWriter writer = new AssayBinaryWriter(out, false, Map.of())) {
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        TransactionRecord record = new TransactionRecord();
        record.begin(writer.session(history.sessionName(history.session(txn))));
        record.outcome(history.outcome(txn));
        record.times(history.start(txn), history.end(txn));
        for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
          Object value = history.operation(op).value();
          long key = writer.scalar(history.keys().get(history.key(op)));
          if (history.kind(op) == OpKind.LIST_READ && history.operation(op).known()) {
            long[] elements =
                ((List<?>) value).stream().mapToLong(element -> writer.scalar(element)).toArray();
            record.readList(key, elements, 0, elements.length);
          } else {
            boolean known = history.operation(op).known();
            record.op(history.kind(op), key, known ? writer.scalar(value) : RawScalars.UNKNOWN);
          }
        }
        writer.append(record);
        if (random.nextInt(3) == 0) {
          writer.flush();
        }
      }
    }
    return out.toByteArray();
  }

  @Test
  void recordingsThatAreCutAnywhereGetTheVerdictsOfTheWhole() throws Exception {
    int cutShort = 0;
    for (int seed = 0; seed < 60; seed++) {
      OpKind.Type type = seed % 2 == 0 ? OpKind.Type.REGISTER : OpKind.Type.LIST;
      History history = new RandomHistories(seed).types(type).next();
      if (history.zeroIsInitial() || history.declaresInitial()) {
        continue;
      }
      Random random = new Random(seed);
      byte[] bytes = recorded(history, random);
      byte[] cut = Arrays.copyOf(bytes, 1 + random.nextInt(bytes.length - 1));
      History whole;
      try {
        whole = Formats.read(Input.of("file", cut), BINARY);
      } catch (ParseException e) {
        continue;
      }
      if (whole.transactionCount() > 0) {
        cutShort++;
        assertSound(cut, verdicts(whole), verdicts(Formats.read(Input.of("file", bytes))));
      }
    }
    assertThat(cutShort).isGreaterThan(15);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void initialValuesOfKeysThatComeLaterCount() throws Exception {
    for (int seen : new int[] {5, 6}) {
      assertSameVerdicts(
          JSONL,
          utf8(
              """
              {"assay":1,"initial":[["x",5],["y",7]]}
              {"session":1,"start":1,"end":2,"ops":[["w","z",1]]}
              {"session":1,"start":3,"end":4,"ops":[["r","y",7]]}
              {"session":2,"start":5,"end":6,"ops":[["r","x",%d]]}
              """
                  .formatted(seen)));
    }
  }

  @Test
  void whatALoaderWroteIsInitial() throws Exception {
    for (int seen : new int[] {5, 6}) {
      assertSameVerdicts(
          JSONL,
          utf8(
              """
              {"assay":1,"loader":0}
              {"session":0,"ops":[["w","x",5],["w","y",7]]}
              {"session":1,"start":1,"end":2,"ops":[["w","z",1]]}
              {"session":2,"start":5,"end":6,"ops":[["r","x",%d]]}
              """
                  .formatted(seen)));
    }
  }

  @Test
  void whatMayBeMissingFromARecordingThatWasCutShortIsNotHeldAgainstIt() throws Exception {
    History history =
        Formats.read(
            Input.of(
                "file",
                utf8(
                    """
                    {"session":1,"start":1,"end":2,"ops":[["w","x",1]]}
                    {"session":2,"start":3,"end":4,"ops":[["r","x",2]]}
                    """)),
            JSONL);
    byte[] bytes = Written.bytes(BINARY, history);
    assertSameVerdicts(BINARY, bytes);
    byte[] cut = Arrays.copyOf(bytes, bytes.length - 1);
    assertSameVerdicts(BINARY, cut);
    History whole = Formats.read(Input.of("file", cut), BINARY);
    Report report = Assay.check(whole, Level.surveyed(), Budget.unlimited());
    assertThat(report.verdict(Level.SERIALIZABLE)).isInstanceOf(Verdict.Holds.class);
  }
}
