package dev.assay.spark.input;

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
public final class Survey implements Serializable {
  private static final long serialVersionUID = 1;

  /** Beyond this many sessions in a split they are not counted one by one. */
  private static final int MOST_SESSIONS = 100_000;

  public final int index;

  /** One in this many transactions is a sample of the positions. */
  private final int sample;

  private long count;
  public final long[] outcomes = new long[Outcome.values().length];
  public final LinkedHashMap<String, String> metadata = new LinkedHashMap<>();
  public long operations;
  public long lines;
  public boolean timed;

  /** Whether there is something that only a reader of the whole file understands. */
  public boolean isOdd;

  public boolean isSupported = true;
  public long[] times = new long[16];
  public long[] numbers = new long[16];
  public int samples;

  /** The number of transactions of each session; null where there are too many. */
  public HashMap<Bytes, Integer> sessions = new HashMap<>();

  public byte[] initialOfAll;
  public String format = "";

  /** What is wrong with it; null for nothing. */
  public ParseException error;

  private Survey(int index, int sample) {
    this.index = index;
    this.sample = sample;
  }

  public static Survey of(Split split, Reading reading, int sample) throws IOException {
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

  public long transactions() {
    return Arrays.stream(outcomes).sum();
  }

  private void add(Block block) {
    History history = block.history;
    metadata.putAll(history.metadata());
    initialOfAll = Scalar.bytes(history.values().get(history.initialOfAll()));
    operations += history.operationCount();
    isSupported &= !history.hasOtherReads() && !history.hasVersionNumbers();
    for (OpKind.Type type : OpKind.Type.values()) {
      isSupported &= type.namesVersions() || !history.uses(type);
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
  public static Map<String, String> metadata(Iterable<Survey> all) {
    Map<String, String> metadata = new LinkedHashMap<>();
    all.forEach(survey -> metadata.putAll(survey.metadata));
    return metadata;
  }
}
