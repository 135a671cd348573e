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
 * were invoked. Its operations are those of the completion; those of the invocation are kept until
 * then, for transactions that never complete or complete without a value. Real time is the order of
 * invocations and completions in the file. A process that crashed goes on as a new session.
 */
final class JepsenOps {
  private static final int NONE = -1;
  private static final int MOST_NAMES = 5;

  private final String file;
  private final HistoryBuilder builder;
  private long maps;
  private long events;

  // Per process; the one of operations that name none is RawScalars.NIL.
  private final LongIndex processes = new LongIndex();
  private int[] session = new int[16];
  private int[] crashes = new int[16];
  private boolean[] invoked = new boolean[16];
  private int[] open = new int[16];
  private boolean[] openHasValue = new boolean[16];
  private long[] openLine = new long[16];
  private MicroOps[] openOps = new MicroOps[16];
  private final ArrayDeque<MicroOps> spare = new ArrayDeque<>();

  // Counts for the notes.
  private long invocations;
  private long unfinished;
  private long uninvoked;
  private long anonymous;
  private long anonymousSessions;
  private long skipped;
  private long firstSkippedLine;
  private final Set<String> skippedNames = new LinkedHashSet<>();

  JepsenOps(String file, HistoryBuilder builder) {
    this.file = file;
    this.builder = builder;
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
    if (op.problem != null) {
      throw op.otherFunction == null ? op.problem : notATransaction(op);
    }
    if (op.type == null) {
      throw error(op, "an operation without :type", ":type :invoke, :ok, :fail or :info", null);
    }
    int slot = slot(op.process);
    long event = events++;
    if (op.process == RawScalars.NIL) {
      anonymous++;
    }
    if (op.index == History.ABSENT) {
      op.index = ordinal;
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
    if (open[slot] != NONE) {
      if (op.process == RawScalars.NIL) {
        throw error(
            op,
            "an invocation without :process while that of line " + openLine[slot] + " is open",
            "its completion: without :process a completion follows its invocation",
            "give every operation its :process");
      }
      abandon(slot);
    }
    invocations++;
    invoked[slot] = true;
    int txn = begin(op, slot, Outcome.INDETERMINATE);
    builder.start(txn, event);
    builder.shownStart(txn, op.time);
    open[slot] = txn;
    openHasValue[slot] = op.hasValue;
    openLine[slot] = op.line;
    openOps[slot] = op.ops;
    op.ops = spare.isEmpty() ? new MicroOps() : spare.pop();
  }

  private void complete(JepsenOp op, int slot, long event) throws ParseException {
    int txn = open[slot];
    boolean hadInvocation = txn != NONE;
    if (!hadInvocation && invoked[slot]) {
      throw doubleCompletion(op);
    }
    if (!op.hasValue && op.otherFunction != null && !(hadInvocation && openHasValue[slot])) {
      throw notATransaction(op);
    }
    Outcome outcome =
        switch (op.type) {
          case OK -> Outcome.COMMITTED;
          case FAIL -> Outcome.ABORTED;
          default -> Outcome.INDETERMINATE;
        };
    if (hadInvocation) {
      builder.resume(txn);
      builder.outcome(txn, outcome);
      describe(op, txn);
      if (op.type != JepsenOp.Type.INFO) {
        builder.end(txn, event);
      }
    } else {
      uninvoked++;
      txn = begin(op, slot, outcome);
    }
    builder.shownEnd(txn, op.time);
    if (op.hasValue) {
      op.ops.emit(builder, op.type != JepsenOp.Type.OK);
    } else if (hadInvocation) {
      openOps[slot].emit(builder, true);
    }
    close(slot);
    if (op.type == JepsenOp.Type.INFO) {
      crash(slot);
    }
  }

  private int begin(JepsenOp op, int slot, Outcome outcome) {
    if (session[slot] == NONE || op.process == RawScalars.NIL) {
      session[slot] = newSession(op.process, slot);
    }
    int txn = builder.begin(session[slot], outcome);
    describe(op, txn);
    return txn;
  }

  private void describe(JepsenOp op, int txn) {
    builder.id(txn, builder.scalars().of(op.index));
    builder.position(txn, op.line);
    if (op.error != null) {
      builder.error(txn, op.error);
    }
  }

  /** The invocation that this process left open never completes. */
  private void abandon(int slot) {
    unfinished++;
    builder.resume(open[slot]);
    openOps[slot].emit(builder, true);
    close(slot);
    crash(slot);
  }

  private void close(int slot) {
    if (openOps[slot] != null) {
      openOps[slot].clear();
      spare.push(openOps[slot]);
      openOps[slot] = null;
    }
    open[slot] = NONE;
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
        openHasValue = Arrays.copyOf(openHasValue, capacity);
        openLine = Arrays.copyOf(openLine, capacity);
        openOps = Arrays.copyOf(openOps, capacity);
      }
      session[slot] = NONE;
      open[slot] = NONE;
    }
    return slot;
  }

  // ---- the end

  /** Ends the file: what is still open never completes. */
  void finish() throws ParseException {
    for (int slot = 0; slot < processes.size(); slot++) {
      if (open[slot] != NONE) {
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
    return n + " " + noun + (n == 1 ? "" : "s");
  }

  // ---- errors

  private ParseException notATransaction(JepsenOp op) {
    String function = op.otherFunction;
    return error(
        op,
        "an operation whose :f is " + function + " and whose value is not a transaction",
        ":f :txn and a vector of micro-operations such as [[:append 1 2] [:r 1 nil]]",
        "Assay reads transactions of :r, :w, :append, :add and :inc micro-operations");
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
