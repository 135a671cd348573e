package dev.assay.collect.judge;

import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.collect.config.Parameters;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.follow.Disorder;
import dev.assay.format.follow.ExternalSort;
import dev.assay.format.follow.HistoryStream;
import dev.assay.format.follow.InputBytes;
import dev.assay.format.follow.ScratchFolder;
import dev.assay.history.History;
import dev.assay.render.CheckResult;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.function.LongConsumer;

/**
 * Checks a history that does not fit into memory: block by block, in the order in which
 * transactions ended. Where the input is far from that order it is sorted on disk first.
 */
public final class LargeCheck {
  /** Bytes that a check of a whole history takes for an operation and a transaction, at least. */
  private static final long OPERATION_BYTES = 60;

  private static final long TRANSACTION_BYTES = 100;

  /** Parts of the memory for sorting, and for past transactions of the monitor. */
  private static final int SORT_PART = 4;

  private static final int MONITOR_PART = 2;

  private static final int PIECE_PART = 512;

  /** How often it is looked whether the time is up. */
  private static final int ALARM_MILLIS = 50;

  /** Bytes of a transaction that is held back because others that ended before it may come. */
  private static final long HELD_BYTES = 500;

  private final CheckRequest request;
  private final CheckService.Listener listener;
  private final long memory;

  /**
   * A check.
   *
   * @param memory bytes for what is kept of the history at any time
   */
  LargeCheck(CheckRequest request, CheckService.Listener listener, long memory) {
    this.request = request;
    this.listener = listener;
    this.memory = memory;
  }

  /** What was asked for that needs the whole history, or null. */
  public static String obstacle(CheckRequest request) {
    if (request.certificate() != null) {
      return "--version-order";
    }
    if (!request.set(Parameters.INFER).isEmpty()) {
      return "--infer";
    }
    if (request.reading().loader() != null) {
      return "--loader";
    }
    if (request.reading().incomplete()) {
      return "--incomplete";
    }
    return request.usesAllCheckers() ? null : "--checker";
  }

  /**
   * About how much there is in a history.
   *
   * @param operations the number of operations, by the first block
   * @param transactions the number of transactions, by the first block
   */
  public record Extent(double operations, double transactions) implements Serializable {
    /** The memory that a check of the whole history takes at least. */
    public double leastBytes() {
      return OPERATION_BYTES * operations + TRANSACTION_BYTES * transactions;
    }
  }

  /**
   * About how much there is in a history; null where its first block does not say.
   *
   * @param size the number of bytes of the input
   * @param format its format; null to find it by content
   * @param memory the memory there is
   */
  public static Extent extent(Input input, long size, HistoryFormat format, long memory) {
    long[] raw = new long[1];
    LongConsumer before = input.onProgress(bytes -> raw[0] = bytes);
    try (HistoryStream stream = stream(input, format, memory)) {
      History first = null;
      while (first == null && !stream.ended()) {
        first = stream.next();
      }
      if (first == null || raw[0] == 0) {
        return null;
      }
      double times = Math.max(1, (double) size / raw[0]);
      return new Extent(first.operationCount() * times, first.transactionCount() * times);
    } catch (IOException | ParseException e) {
      // The reader says what is wrong.
      return null;
    } finally {
      input.onProgress(before);
    }
  }

  /**
   * Whether a history needs far more memory than there is, judged by its first block.
   *
   * @param heap the memory there is
   */
  static boolean isTooLarge(Input input, CheckRequest request, long heap) {
    if (!input.canBeReadAgain() || input.isFolder() || input.size() < heap / 100) {
      return false;
    }
    Extent extent = extent(input, input.size(), request.reading().format(), heap);
    return extent != null && extent.leastBytes() > heap;
  }

  /** A stream whose pieces are small beside some memory: they are packed about ten to one. */
  private static HistoryStream stream(Input input, HistoryFormat format, long memory)
      throws IOException, ParseException {
    int bytes = (int) Math.max(1 << 14, Math.min(HistoryStream.PIECE_BYTES, memory / PIECE_PART));
    return new HistoryStream(input.name(), new InputBytes(input), format, bytes);
  }

  /** Whether an input can be read block by block. */
  static boolean hasPieces(Input input, CheckRequest request) {
    try {
      requirePieces(input, request);
      return true;
    } catch (ParseException e) {
      return false;
    }
  }

  /** Throws if the input can only be read as a whole. */
  static void requirePieces(Input input, CheckRequest request) throws ParseException {
    try {
      HistoryFormat format = request.reading().format();
      if (format == null) {
        format = Formats.detect(input).orElse(null);
      }
      if (format == null) {
        throw Formats.unclaimed(input);
      }
      format.pieces(input.name());
    } catch (IOException e) {
      throw input.explained(e);
    }
  }

  CheckResult check(Input input, Budget budget, boolean measureHeap) throws ParseException {
    try (ScratchFolder folder = new ScratchFolder()) {
      Disorder disorder = input.canBeReadAgain() ? disorder(input) : null;
      boolean near = disorder != null && disorder.held() * HELD_BYTES <= memory / SORT_PART;
      Duration lateness = near ? Duration.ofNanos(disorder.lateness()) : Duration.ZERO;
      try (HistoryStream stream = stream(input, request.reading().format(), memory);
          StreamedCheck check =
              new StreamedCheck(
                  input.name(),
                  request,
                  limits ->
                      limits.lateness(lateness).memory(memory / MONITOR_PART).folder(folder.path()),
                  StreamedCheck.Clock.NONE,
                  found -> {})) {
        return near
            ? judged(input, check, budget, measureHeap, () -> asTheyCome(stream, check))
            : judged(
                input, check, budget, measureHeap, () -> sorted(stream, check, budget, folder));
      }
    } catch (Input.GivenUp e) {
      return new StreamedCheck(
              input.name(), request, limits -> limits, StreamedCheck.Clock.NONE, found -> {})
          .givenUp(Verdict.Unknown.TIMEOUT);
    } catch (IOException e) {
      throw input.explained(e);
    }
  }

  /** Reads the input once to see how far it is from the order of the ends. */
  private Disorder disorder(Input input) throws IOException, ParseException {
    listener.progress("reading", -1);
    Disorder disorder = new Disorder();
    try (HistoryStream stream = stream(input, request.reading().format(), memory)) {
      while (!stream.ended()) {
        History block = stream.next();
        if (block != null) {
          disorder.add(block);
        }
      }
    }
    return disorder;
  }

  /** Hands the blocks of a history on. */
  private interface Feeding {
    void feed() throws IOException, ParseException;
  }

  private CheckResult judged(
      Input input, StreamedCheck check, Budget budget, boolean measureHeap, Feeding feeding)
      throws IOException, ParseException {
    long start = System.nanoTime();
    Thread alarm = alarm(budget, check);
    try {
      feeding.feed();
      long millis = (System.nanoTime() - start) / 1_000_000;
      listener.progress("finishing", 0);
      if (budget.expired()) {
        check.giveUp();
      }
      return check
          .finish(millis, measureHeap)
          .orElseThrow(
              () ->
                  ParseException.ofFile(
                      input.name(),
                      "is a history without transactions",
                      "at least one transaction",
                      null));
    } catch (Input.GivenUp e) {
      return check.givenUp(Verdict.Unknown.TIMEOUT);
    } catch (OutOfMemoryError e) {
      return check.givenUp(Verdict.Unknown.OUT_OF_MEMORY);
    } finally {
      alarm.interrupt();
    }
  }

  /** Ends the judging of windows, each of which may take minutes, when the time is up. */
  private static Thread alarm(Budget budget, StreamedCheck check) {
    Thread alarm =
        new Thread(
            () -> {
              try {
                while (!budget.expired()) {
                  Thread.sleep(ALARM_MILLIS);
                }
                check.giveUp();
              } catch (InterruptedException e) {
                // There is a result.
                Thread.currentThread().interrupt();
              }
            },
            "time limit");
    alarm.setDaemon(true);
    alarm.start();
    return alarm;
  }

  private void asTheyCome(HistoryStream stream, StreamedCheck check) throws ParseException {
    listener.progress("judging", -1);
    while (!stream.ended()) {
      History block = stream.next();
      if (block != null) {
        check.accept(block, stream.isInOrder());
      }
    }
  }

  private void sorted(
      HistoryStream stream, StreamedCheck check, Budget budget, ScratchFolder folder)
      throws IOException, ParseException {
    listener.progress("sorting", -1);
    try (ExternalSort sort = new ExternalSort(folder.path(), memory / SORT_PART)) {
      long transactions = 0;
      while (!stream.ended()) {
        History block = stream.next();
        if (block != null) {
          check.describe(block.metadata());
          sort.add(block);
          transactions += block.transactionCount();
        }
      }
      sort.finish();
      long done = 0;
      for (History block = sort.next(); block != null; block = sort.next()) {
        if (budget.expired()) {
          throw new Input.GivenUp();
        }
        check.accept(block, true);
        done += block.transactionCount();
        listener.progress("judging", (double) done / transactions);
      }
    }
  }
}
