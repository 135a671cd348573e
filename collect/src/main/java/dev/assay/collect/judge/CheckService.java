package dev.assay.collect.judge;

import dev.assay.Assay;
import dev.assay.CheckOptions;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.UsageException;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.jsonl.HtmlReport;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.render.CheckResult;
import dev.assay.render.JsonRenderer;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads an input, decides what a request asks for, and returns what was found. */
public final class CheckService {
  private static final long FOR_THE_REST = 96L << 20;
  private static final long LEAST_FOR_PAST = 8L << 20;

  private final CheckRequest request;
  private final Listener listener;

  /** Follows a check. */
  public interface Listener {
    /** Another stage begins: {@code read}, those of the checkers, {@code explain}. */
    default void stage(String name) {}

    /** The history was read, and these levels will be judged. */
    default void read(History history, List<Level> judged) {}

    /**
     * How far the check of a history is that does not fit into memory.
     *
     * @param doing what is being done
     * @param share how much of it is done; −1 for the part of the input that was read
     */
    default void progress(String doing, double share) {}
  }

  /** Follows nothing. */
  public static final Listener SILENT = new Listener() {};

  public CheckService(CheckRequest request, Listener listener) {
    this.request = request;
    this.listener = listener;
  }

  /**
   * Checks an input.
   *
   * @param budget the time for it, see {@link CheckRequest#budget}
   * @param measureHeap whether the result says how much heap was used
   */
  public CheckResult check(Input input, Budget budget, boolean measureHeap) throws ParseException {
    bind(input, budget);
    if (mustBeDivided(input)) {
      return checkLarge(input, forPast(), budget, measureHeap);
    }
    History[] read = new History[1];
    try {
      return checkWhole(input, budget, measureHeap, read);
    } catch (OutOfMemoryError e) {
      if (canBeDivided(input)) {
        read[0] = null;
        return checkLarge(input, forPast(), budget, measureHeap);
      }
      if (read[0] == null) {
        throw Reading.tooLarge(input);
      }
      Set<Level> levels = request.decided(read[0]);
      return result(input, read[0], outOfMemory(read[0], levels), 0, -1);
    }
  }

  /** Reads an input as a whole, for what is not a check; throws an OutOfMemoryError. */
  public History read(Input input, Budget budget) throws ParseException {
    bind(input, budget);
    return Reading.readIfItFits(input, request.reading());
  }

  /** Whether an input can be judged block by block, and needs far more memory than there is. */
  public boolean mustBeDivided(Input input) {
    return divides(input)
        && LargeCheck.isTooLarge(input, request, Runtime.getRuntime().maxMemory());
  }

  /** Whether an input can be judged block by block after it was read in part. */
  public boolean canBeDivided(Input input) {
    return divides(input) && input.canBeReadAgain() && LargeCheck.hasPieces(input, request);
  }

  private boolean divides(Input input) {
    return LargeCheck.obstacle(request) == null && !input.isFolder();
  }

  /** How much of the heap is for past transactions, beside what is being judged. */
  public static long forPast() {
    return Math.max(LEAST_FOR_PAST, (Runtime.getRuntime().maxMemory() - FOR_THE_REST) / 4);
  }

  /**
   * Checks an input block by block.
   *
   * @param memory bytes for what is kept of the history at any time
   */
  public CheckResult checkLarge(Input input, long memory, Budget budget, boolean measureHeap)
      throws ParseException {
    String obstacle = LargeCheck.obstacle(request);
    if (obstacle != null) {
      throw new UsageException(obstacle + " needs the whole history: leave out --memory");
    }
    bind(input, budget);
    LargeCheck.requirePieces(input, request);
    return new LargeCheck(request, listener, memory).check(input, budget, measureHeap);
  }

  /**
   * Checks an input as a whole.
   *
   * @param kept takes the history, once it is read
   */
  private CheckResult checkWhole(Input input, Budget budget, boolean measureHeap, History[] kept)
      throws ParseException {
    long start = System.nanoTime();
    listener.stage("read");
    History history;
    try {
      history = Reading.readIfItFits(input, request.reading());
    } catch (Input.GivenUp e) {
      history = unread(input);
    }
    kept[0] = history;
    long parseMillis = millisSince(start);
    listener.read(history, request.judged(history));
    long read = System.nanoTime();
    Given given;
    try {
      given = given(input, history, budget);
    } catch (Input.GivenUp e) {
      history = unread(input);
      given = new Given(request.set(Parameters.INFER), VersionCertificate.NONE);
    }
    long certificateMillis = millisSince(read);
    Report report = decide(history, given, budget);
    for (Verdict verdict : report.verdicts().values()) {
      // Not by equals: that of a record costs a start 10 ms.
      if (verdict == Verdict.Unknown.OUT_OF_MEMORY) {
        throw new OutOfMemoryError("a checker ran out of memory");
      }
    }
    if (request.certificate() != null) {
      report = timed(report, certificateMillis);
    }
    long heap = measureHeap ? Heap.peakBytes() : -1;
    return result(input, history, report, parseMillis, heap).with(given);
  }

  private CheckResult result(
      Input input, History history, Report report, long parseMillis, long heap) {
    List<Level> judged = request.judged(history);
    return new CheckResult(
            input.name(), request.filtered(report), judged, request.survey(), parseMillis, heap)
        .forbidding(request.forbidden())
        .locatedIn(input);
  }

  private static long millisSince(long nanos) {
    return (System.nanoTime() - nanos) / 1_000_000;
  }

  private void bind(Input input, Budget budget) {
    input.giveUpWhen(budget::expired);
    if (request.untrusted()) {
      input.limitUnpacking();
    }
  }

  /** What the request assumes, and what a page has beside its history. */
  private Given given(Input input, History history, Budget budget) throws ParseException {
    Set<Assumption> assumptions = EnumSet.noneOf(Assumption.class);
    assumptions.addAll(request.set(Parameters.INFER));
    VersionCertificate certificate = VersionCertificate.NONE;
    // A history given up while it was read has no transactions to look names up in.
    if (history.transactionCount() > 0) {
      boolean page = history.origin().format().equals(HtmlReport.ID);
      if (page) {
        assumptions.addAll(Names.assumptions(HtmlReport.assumptions(input)));
      }
      if (request.certificate() != null) {
        Input orders = Input.of(request.certificate());
        bind(orders, budget);
        certificate = VersionCertificates.read(orders, history);
      } else if (page) {
        certificate = HtmlReport.certificate(input, history);
      }
    }
    return new Given(assumptions, certificate);
  }

  /** An empty history in place of one that could not be read in time. */
  private static History unread(Input input) {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(input.name(), "unread", Origin.Unit.NONE, List.of()));
    builder.metadata(CheckResult.UNREAD, Budget.RAN_OUT + " while reading the history");
    return builder.build();
  }

  private Report decide(History history, Given given, Budget budget) {
    Set<Level> levels = request.decided(history);
    Integer witnesses = request.config().get(Parameters.MAX_WITNESSES);
    Budget own = witnesses == null ? budget : budget.withWitnesses(witnesses);
    CheckOptions all = CheckOptions.of(levels).given(given).within(own.watchedBy(listener::stage));
    Report report = Assay.check(history, request.checkers().apply(all));
    listener.stage("explain");
    return report;
  }

  /** The same with the time that its certificate took. */
  private static Report timed(Report report, long certificateMillis) {
    Map<String, Long> stages = new LinkedHashMap<>();
    stages.put(JsonRenderer.CERTIFICATE, certificateMillis);
    stages.putAll(report.stageMillis());
    return report.withStages(stages);
  }

  /** Memory is a budget like time: when it ends, the answer is unknown. */
  private static Report outOfMemory(History history, Set<Level> levels) {
    Map<Level, Verdict> verdicts = new EnumMap<>(Level.class);
    for (Level level : levels) {
      verdicts.put(level, Verdict.Unknown.OUT_OF_MEMORY);
    }
    return new Report(history, verdicts, List.of(), List.of(), Map.of());
  }
}
