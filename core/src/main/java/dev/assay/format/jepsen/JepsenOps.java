package dev.assay.format.jepsen;

import dev.assay.format.Excerpt;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Makes transactions of Jepsen operations: pairs each invocation with the next completion of its
 * process, and keeps what the pairing establishes.
 *
 * <p>A transaction begins with its invocation, so transactions of a session are in the order they
 * were invoked; in a history that is read {@linkplain #continueIn in pieces} it is added when it
 * completes, which for one session is the same order. Its operations are those of the completion;
 * those of the invocation are kept until then, for transactions that never complete or complete
 * without a value. Real time is the order of invocations and completions in the file. A process
 * that crashed goes on as a new session.
 */
final class JepsenOps {
  private static final int NONE = -1;
  private static final int MOST_NAMES = 5;

  private final String file;
  private HistoryBuilder builder;

  /** Whether the history is read in pieces, so that transactions are added when they complete. */
  private final boolean inPieces;

  private final SingleOps single = new SingleOps();

  private long maps;
  private long events;

  // Per process; the one of operations that name none is RawScalars.NIL.
  private LongIndex processes = new LongIndex();
  private int[] session = new int[16];
  private int[] crashes = new int[16];
  private boolean[] invoked = new boolean[16];
  private Invocation[] open = new Invocation[16];
  private final ArrayDeque<Invocation> spare = new ArrayDeque<>();

  // Counts for the notes.
  private long invocations;
  private long unfinished;
  private long uninvoked;
  private long anonymous;
  private long anonymousSessions;
  private long skipped;
  private long firstSkippedLine;
  private final Set<String> skippedNames = new LinkedHashSet<>();

  /** An invocation that has not completed. */
  private static final class Invocation {
    /** Its transaction, if that is in the history already. */
    private int txn = NONE;

    private long event;
    private long time;
    private long index;
    private long line;
    private String error;
    private boolean hasValue;
    private MicroOps ops = new MicroOps();
  }

  JepsenOps(String file, HistoryBuilder builder, boolean inPieces) {
    this.file = file;
    this.builder = builder;
    this.inPieces = inPieces;
  }

  /** What follows goes to another history, with the transactions that complete there. */
  void continueIn(HistoryBuilder next) {
    RawScalars before = builder.scalars();
    builder = next;
    LongIndex translated = new LongIndex();
    for (int slot = 0; slot < processes.size(); slot++) {
      translated.indexOf(MicroOps.translated(processes.get(slot), before, next.scalars()));
      session[slot] = NONE;
      if (open[slot] != null) {
        open[slot].ops.translate(before, next.scalars());
      }
    }
    processes = translated;
  }

  long maps() {
    return maps;
  }

  /** Takes in the next operation of the file. */
  void accept(JepsenOp op) throws ParseException {
    long ordinal = maps++;
    if (op.otherProcess != null) {
      skip(op);
      return;
    }
    if (op.index == History.ABSENT) {
      op.index = ordinal;
    }
    if (op.type != null && SingleOps.has(op)) {
      single.accept(op);
      takeSingle();
    } else {
      take(op);
    }
  }

  /** Takes in single operations whose type is known. */
  private void takeSingle() throws ParseException {
    for (JepsenOp op = single.next(); op != null; op = single.next()) {
      int slot = slot(op.process);
      boolean asked = open[slot] != null && open[slot].hasValue;
      String wrong = single.fill(op, builder.scalars(), asked);
      if (wrong != null) {
        throw error(op, wrong, "keys of jepsen.independent everywhere or nowhere", null);
      }
      if (single.isBank()) {
        builder.metadata(History.COUNTERS, History.ANY_START);
      }
      take(op);
    }
  }

  private void take(JepsenOp op) throws ParseException {
    if (op.problem != null || (single.isWaiting() && !SingleOps.isFunction(op.otherFunction))) {
      throw op.otherFunction == null && op.problem != null ? op.problem : notATransaction(op);
    }
    if (op.type == null) {
      throw error(op, "an operation without :type", ":type :invoke, :ok, :fail or :info", null);
    }
    int slot = slot(op.process);
    long event = events++;
    if (op.process == RawScalars.NIL) {
      anonymous++;
    }
    if (op.type == JepsenOp.Type.INVOKE) {
      invoke(op, slot, event);
    } else {
      complete(op, slot, event);
    }
  }

  private void skip(JepsenOp op) {
    if (skipped++ == 0) {
      firstSkippedLine = op.line;
    }
    String name = Excerpt.found(op.otherProcess);
    if (skippedNames.size() < MOST_NAMES) {
      skippedNames.add(name);
    } else if (!skippedNames.contains(name)) {
      skippedNames.add("…");
    }
  }

  // ---- pairing

  private void invoke(JepsenOp op, int slot, long event) throws ParseException {
    if (!op.hasValue && op.otherFunction != null) {
      throw notATransaction(op);
    }
    if (open[slot] != null) {
      if (op.process == RawScalars.NIL) {
        throw error(
            op,
            "an invocation without :process while that of line " + open[slot].line + " is open",
            "its completion: without :process a completion follows its invocation",
            "give every operation its :process");
      }
      abandon(slot);
    }
    invocations++;
    invoked[slot] = true;
    Invocation invocation = spare.isEmpty() ? new Invocation() : spare.pop();
    invocation.event = event;
    invocation.time = op.time;
    invocation.index = op.index;
    invocation.line = op.line;
    invocation.error = op.error;
    invocation.hasValue = op.hasValue;
    MicroOps free = invocation.ops;
    invocation.ops = op.ops;
    op.ops = free;
    open[slot] = invocation;
    if (!inPieces) {
      add(slot);
    }
  }

  private void complete(JepsenOp op, int slot, long event) throws ParseException {
    boolean hadInvocation = open[slot] != null;
    if (!hadInvocation && invoked[slot]) {
      throw doubleCompletion(op);
    }
    if (!op.hasValue && op.otherFunction != null && !(hadInvocation && open[slot].hasValue)) {
      throw notATransaction(op);
    }
    Outcome outcome =
        switch (op.type) {
          case OK -> Outcome.COMMITTED;
          case FAIL -> Outcome.ABORTED;
          default -> Outcome.INDETERMINATE;
        };
    int txn;
    if (hadInvocation) {
      txn = resume(slot);
      builder.outcome(txn, outcome);
      describe(txn, op.index, op.process, op.line, op.error);
      if (op.type != JepsenOp.Type.INFO) {
        builder.end(txn, event);
      }
    } else {
      uninvoked++;
      txn = builder.begin(session(slot), outcome);
      describe(txn, op.index, op.process, op.line, op.error);
    }
    builder.shownEnd(txn, op.time);
    if (op.hasValue) {
      op.ops.emit(builder, op.type != JepsenOp.Type.OK);
    } else if (hadInvocation) {
      open[slot].ops.emit(builder, true);
    }
    close(slot);
    if (op.type == JepsenOp.Type.INFO) {
      crash(slot);
    }
  }

  /** Makes the transaction of the open invocation the current one. */
  private int resume(int slot) {
    if (open[slot].txn == NONE) {
      add(slot);
    } else {
      builder.resume(open[slot].txn);
    }
    return open[slot].txn;
  }

  /** Adds the transaction of the open invocation. */
  private void add(int slot) {
    Invocation invocation = open[slot];
    invocation.txn = builder.begin(session(slot), Outcome.INDETERMINATE);
    long process = processes.get(slot);
    describe(invocation.txn, invocation.index, process, invocation.line, invocation.error);
    builder.start(invocation.txn, invocation.event);
    builder.shownStart(invocation.txn, invocation.time);
  }

  private int session(int slot) {
    if (session[slot] == NONE || processes.get(slot) == RawScalars.NIL) {
      session[slot] = newSession(processes.get(slot), slot);
    }
    return session[slot];
  }

  /** Operations of the file have an index; others are named as their process is. */
  private void describe(int txn, long index, long process, long line, String error) {
    builder.id(txn, index == History.ABSENT ? process : builder.scalars().of(index));
    builder.position(txn, line);
    if (error != null) {
      builder.error(txn, error);
    }
  }

  /** The invocation that this process left open never completes. */
  private void abandon(int slot) {
    unfinished++;
    resume(slot);
    open[slot].ops.emit(builder, true);
    close(slot);
    crash(slot);
  }

  private void close(int slot) {
    Invocation invocation = open[slot];
    if (invocation != null) {
      invocation.txn = NONE;
      invocation.ops.clear();
      spare.push(invocation);
      open[slot] = null;
    }
  }

  private void crash(int slot) {
    session[slot] = NONE;
    crashes[slot]++;
  }

  private int newSession(long process, int slot) {
    if (process == RawScalars.NIL) {
      return builder.session("anonymous " + ++anonymousSessions);
    }
    return crashes[slot] == 0
        ? builder.rawSession(process)
        : builder.session(builder.scalars().get(process) + "'" + crashes[slot]);
  }

  private int slot(long process) {
    int before = processes.size();
    int slot = processes.indexOf(process);
    if (slot == before) {
      if (slot == session.length) {
        int capacity = Math.addExact(slot, slot);
        session = Arrays.copyOf(session, capacity);
        crashes = Arrays.copyOf(crashes, capacity);
        invoked = Arrays.copyOf(invoked, capacity);
        open = Arrays.copyOf(open, capacity);
      }
      session[slot] = NONE;
    }
    return slot;
  }

  // ---- the end

  /** Ends the file: what is still open never completes. */
  void finish() throws ParseException {
    single.finish(builder.scalars());
    takeSingle();
    for (int slot = 0; slot < processes.size(); slot++) {
      if (open[slot] != null) {
        abandon(slot);
      }
    }
    if (events == 0 && skipped > 0) {
      throw ParseException.atLine(
          file,
          firstSkippedLine,
          ParseException.NONE,
          "no operation of a client: every process is one like " + String.join(", ", skippedNames),
          "operations whose :process is an integer",
          "number the processes of your clients");
    }
    if (skipped > 0) {
      String names = String.join(", ", skippedNames);
      note("skipped", "left out " + count(skipped, "operation") + " of non-clients: " + names);
    }
    if (unfinished > 0) {
      String counted = count(unfinished, "invocation");
      note("unfinished", "took " + counted + " that never completed as indeterminate");
    }
    if (anonymous > 0) {
      String counted = count(anonymous, "operation");
      note("anonymous", "made a session of each transaction: " + counted + " without :process");
    }
    if (single.failed() > 0) {
      String counted = count(single.failed(), "failed :cas", "failed :cas operations");
      note("failed-cas", "took " + counted + " as aborted, whatever value it found instead");
    }
    if (single.negative() > 0) {
      String counted = count(single.negative(), "read");
      note("negative", counted + " saw a negative balance, which isolation does not rule out");
    }
    if (single.disordered() > 0) {
      String counted = count(single.disordered(), "row has", "rows have");
      note(
          "disordered",
          counted + " a timestamp (:sts) not above that of a smaller :val, which no level forbids");
    }
    if (uninvoked > 0 && invocations > 0) {
      note("uninvoked", "found no invocation, so no real time: " + count(uninvoked, "completion"));
    }
  }

  /** Notes that lines between the operations were not read. */
  void skippedLines(long lines) {
    if (lines > 0) {
      note("lines", "left out " + count(lines, "line") + " that hold no operation");
    }
  }

  private void note(String name, String sentence) {
    builder.metadata("note." + name, sentence);
  }

  private static String count(long n, String noun) {
    return count(n, noun, noun + "s");
  }

  private static String count(long n, String one, String many) {
    return n + " " + (n == 1 ? one : many);
  }

  // ---- errors

  private ParseException notATransaction(JepsenOp op) {
    String function = op.otherFunction;
    return error(
        op,
        "an operation whose :f is " + function + " and whose value is not a transaction",
        ":f :txn and a vector of micro-operations such as [[:append 1 2] [:r 1 nil]]",
        "Assay reads transactions of :r, :w, :append, :add and :inc micro-operations, and"
            + " registers, sets, counters and banks with :read, :write, :cas, :add and :transfer");
  }

  private ParseException doubleCompletion(JepsenOp op) {
    Object process = builder.scalars().get(op.process);
    return error(
        op,
        process == null
            ? "a completion without :process and with no invocation before it"
            : "a completion of process " + process + ", which has no invocation open",
        "an invocation before each completion, or no invocations at all",
        "the operation may have been logged twice, or its invocation lost");
  }

  private ParseException error(JepsenOp op, String found, String expected, String hint) {
    return ParseException.atLine(file, op.line, op.column, Excerpt.found(found), expected, hint);
  }
}
