package dev.assay.format.checkers;

import dev.assay.format.Bom;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.IntegerRegisters;
import dev.assay.format.LineReader;
import dev.assay.format.Losses;
import dev.assay.format.OperationPlaces;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.format.TextBlocks;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The text format of Plume, C4, PolySI, IsoVista and AWDIT: one operation a line, {@code
 * r(key,value,session,txn)} or {@code w(…)}. Operations of a (session, txn) pair form a transaction
 * wherever they are; txn −1 marks an aborted one. A 0 that no transaction wrote is the initial
 * value.
 *
 * <p>Blocks of lines are parsed in parallel to columns and runs ({@link PlumeBlock}); only the runs
 * are then walked in order, to separate transactions.
 */
public final class PlumeText implements HistoryFormat {
  static final String LINE = "r(key,value,session,txn) or w(key,value,session,txn)";

  static final long ABORTED = -1;
  static final String ID = "plume-text";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "Plume, C4, PolySI, IsoVista, AWDIT: " + LINE + " a line";
  }

  @Override
  public List<String> extensions() {
    return List.of(".txt");
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    byte[] head = input.head();
    int i = Bom.length(head, 0, head.length);
    while (i < head.length && head[i] <= ' ') {
      i++;
    }
    return i + 1 < head.length && (head[i] == 'r' || head[i] == 'w') && head[i + 1] == '(';
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(input.name(), id(), Origin.Unit.LINE, List.of()));
    builder.zeroIsInitial(true);
    List<PlumeBlock> blocks;
    try (InputStream in = input.open()) {
      blocks =
          TextBlocks.parse(
              in,
              (bytes, start, end, isFirst) ->
                  PlumeBlock.parse(bytes, start, end, builder.scalars()));
    }
    Transactions transactions = new Transactions(builder);
    builder.expectRuns(blocks.stream().mapToLong(PlumeBlock::runCount).sum());
    long line = 1;
    for (int i = 0; i < blocks.size(); i++) {
      PlumeBlock block = blocks.set(i, null);
      if (block.error() != null) {
        throw block.error().at(input.name(), line);
      }
      builder.adopt(block.ops());
      transactions.take(block, line);
      line += block.lines();
    }
    return builder.build();
  }

  @Override
  public PieceReader pieces(String name) {
    return new PlumePieces(name);
  }

  @Override
  public void locate(Input input, History history, OperationPlaces places)
      throws IOException, ParseException {
    try (InputStream in = input.open()) {
      new PlumePlaces(history, places).find(new LineReader(in));
    }
  }

  /** Finds the transaction of a run of operations by session and number. */
  private static final class Transactions {
    private final HistoryBuilder builder;
    private final PairIndex numbered = new PairIndex();

    /** The builder's transaction for each pair of {@link #numbered}. */
    private int[] transaction = new int[64];

    private boolean anyAborted;

    /** The aborted transaction that a session is in the middle of, or −1. */
    private int[] openAborted = new int[8];

    Transactions(HistoryBuilder builder) {
      this.builder = builder;
      Arrays.fill(openAborted, -1);
    }

    /** Adds the runs of a block. */
    void take(PlumeBlock block, long firstLine) {
      int[] known = new int[block.pairCount()];
      Arrays.fill(known, -1);
      for (int run = 0; run < block.runCount(); run++) {
        int pair = block.runPair(run);
        // What an aborted one of the session is depends on its place.
        if (known[pair] < 0 || anyAborted) {
          known[pair] = find(block, run, firstLine);
        }
        builder.run(known[pair], block.runLength(run));
      }
    }

    private int find(PlumeBlock block, int run, long firstLine) {
      int pair = block.runPair(run);
      int session = builder.rawSession(builder.scalars().of(block.session(pair)));
      if (session >= openAborted.length) {
        int before = openAborted.length;
        openAborted = Arrays.copyOf(openAborted, session * 2);
        Arrays.fill(openAborted, before, openAborted.length, -1);
      }
      long number = block.txn(pair);
      long line = firstLine + block.runLine(run);
      if (number == ABORTED) {
        anyAborted = true;
        if (openAborted[session] < 0) {
          openAborted[session] = builder.begin(session, Outcome.ABORTED);
          builder.position(openAborted[session], line);
        }
        return openAborted[session];
      }
      openAborted[session] = -1;
      int known = numbered.size();
      int index = numbered.indexOf(session, number);
      if (index < known) {
        return transaction[index];
      }
      if (index == transaction.length) {
        transaction = Arrays.copyOf(transaction, index + (index >>> 1));
      }
      int txn = builder.begin(session, Outcome.COMMITTED);
      builder.id(txn, builder.scalars().of(number));
      builder.position(txn, line);
      transaction[index] = txn;
      return txn;
    }
  }

  // ---- writing

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    List<String> losses =
        new ArrayList<>(
            new Losses(history)
                .integerRegistersOnly()
                .zeroIsInitial()
                .withoutInitialState()
                .phrases());
    addCount(losses, adjacentAborted(history), "border", "between aborted transactions in a row");
    addCount(losses, emptyTransactions(history), "transaction", "without operations");
    return losses;
  }

  private static void addCount(List<String> losses, long count, String noun, String rest) {
    if (count > 0) {
      losses.add(Losses.counted(count, noun, noun + "s") + " " + rest);
    }
  }

  /** Aborted transactions that follow another in their session would be read as one. */
  private static long adjacentAborted(History history) {
    long count = 0;
    for (int session = 0; session < history.sessionCount(); session++) {
      for (int i = 1; i < history.sessionSize(session); i++) {
        boolean both =
            history.outcome(history.sessionTransaction(session, i)) == Outcome.ABORTED
                && history.outcome(history.sessionTransaction(session, i - 1)) == Outcome.ABORTED;
        count += both ? 1 : 0;
      }
    }
    return count;
  }

  private static long emptyTransactions(History history) {
    long count = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      count += history.firstOp(txn) == history.endOp(txn) ? 1 : 0;
    }
    return count;
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    AsciiWriter text = new AsciiWriter(out);
    IntegerRegisters registers = new IntegerRegisters(history);
    boolean ownSessions = integerSessions(history);
    boolean ownIds = integerIds(history);
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.INDETERMINATE) {
        // Whether it committed is not known.
        continue;
      }
      int session = history.session(txn);
      long sessionNumber = ownSessions ? (Long) history.sessionName(session) : session;
      long number = ownIds && history.ownId(txn) != null ? (Long) history.ownId(txn) : txn;
      number = history.outcome(txn) == Outcome.ABORTED ? ABORTED : number;
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        if (registers.has(op)) {
          text.put(history.kind(op).isWrite() ? 'w' : 'r').put('(');
          text.put(registers.key(op)).put(',').put(registers.value(op)).put(',');
          text.put(sessionNumber).put(',').put(number).put(')').put('\n');
        }
      }
    }
    text.flush();
  }

  private static boolean integerSessions(History history) {
    for (int session = 0; session < history.sessionCount(); session++) {
      if (!(history.sessionName(session) instanceof Long)) {
        return false;
      }
    }
    return true;
  }

  /** Whether ids can be kept: committed transactions have integers other than −1, not repeated. */
  private static boolean integerIds(History history) {
    PairIndex seen = new PairIndex();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (history.outcome(txn) == Outcome.ABORTED) {
        continue;
      }
      boolean isNumber = history.ownId(txn) instanceof Long id && id != ABORTED;
      int known = seen.size();
      if (!isNumber || seen.indexOf(history.session(txn), (Long) history.ownId(txn)) < known) {
        return false;
      }
    }
    return true;
  }
}
