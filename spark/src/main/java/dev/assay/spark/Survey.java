package dev.assay.spark;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/** What a first look at a split shows: how much there is, where it is in time, what is odd. */
final class Survey implements Serializable {
  private static final long serialVersionUID = 1;

  /** Beyond this many sessions in a split they are not counted one by one. */
  private static final int MOST_SESSIONS = 100_000;

  final int index;

  /** One in this many transactions is a sample of the positions. */
  private final int sample;

  private long count;
  final long[] outcomes = new long[Outcome.values().length];
  final LinkedHashMap<String, String> metadata = new LinkedHashMap<>();
  long operations;
  long lines;
  boolean timed;

  /** Whether there is something that only a reader of the whole file understands. */
  boolean isOdd;

  boolean isSupported = true;
  long[] times = new long[16];
  long[] numbers = new long[16];
  int samples;

  /** The number of transactions of each session; null where there are too many. */
  HashMap<Bytes, Integer> sessions = new HashMap<>();

  byte[] initialOfAll;
  String format = "";

  /** What is wrong with it; null for nothing. */
  ParseException error;

  private Survey(int index, int sample) {
    this.index = index;
    this.sample = sample;
  }

  static Survey of(Split split, Reading reading, int sample) throws IOException {
    Survey survey = new Survey(split.index, sample);
    try (BlockReader reader = reading.open(split)) {
      for (Block block = reader.next(); block != null; block = reader.next()) {
        survey.add(block);
        survey.format = split.format == null ? block.history.origin().format() : split.format;
      }
      survey.lines = reader.lines();
      survey.isOdd = reader.isOdd();
    } catch (ParseException e) {
      // Blocks that refer to earlier ones make no sense without them.
      survey.isOdd |= split.range != null;
      survey.error = e;
    }
    return survey;
  }

  long transactions() {
    return Arrays.stream(outcomes).sum();
  }

  private void add(Block block) {
    History history = block.history;
    metadata.putAll(history.metadata());
    initialOfAll = Scalar.bytes(history.values().get(history.initialOfAll()));
    operations += history.operationCount();
    for (OpKind.Type type : OpKind.Type.values()) {
      boolean splits = type == OpKind.Type.REGISTER || type == OpKind.Type.LIST;
      isSupported &= splits || !history.uses(type);
    }
    for (int txn = 0; txn < block.size(); txn++) {
      long time = Block.time(history, txn);
      timed |= time != History.ABSENT;
      if (count++ % sample == 0) {
        sample(time, block.number(txn));
      }
      outcomes[history.outcome(txn).ordinal()]++;
    }
    for (int session = 0; session < history.sessionCount() && sessions != null; session++) {
      int count = history.sessionSize(session);
      if (count > 0) {
        Bytes name = new Bytes(Scalar.bytes(history.sessionName(session)));
        sessions.merge(name, count, Integer::sum);
      }
      sessions = sessions.size() > MOST_SESSIONS ? null : sessions;
    }
  }

  private void sample(long time, long number) {
    if (samples == times.length) {
      times = Arrays.copyOf(times, samples * 2);
      numbers = Arrays.copyOf(numbers, samples * 2);
    }
    times[samples] = time;
    numbers[samples] = number;
    samples++;
  }

  /** The metadata of all. */
  static Map<String, String> metadata(Iterable<Survey> all) {
    Map<String, String> metadata = new LinkedHashMap<>();
    all.forEach(survey -> metadata.putAll(survey.metadata));
    return metadata;
  }
}
