package dev.assay.format.checkers;

import dev.assay.format.LongList;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpBuffer;
import dev.assay.history.OpKind;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Reads plume-text in pieces of whole lines. A transaction has ended when its session goes on with
 * another; one that then goes on in spite of that can only be read in the whole file, as can
 * numbers that go down, because no reader remembers all of them.
 */
final class PlumePieces implements PieceReader {
  private final String name;
  private final Origin origin;

  /** The few integers that are not their own raw scalars. */
  private final RawScalars scalars = new RawScalars();

  private final Map<Long, Session> sessions = new TreeMap<>();
  private final Map<Object, Integer> places = new HashMap<>();
  private long lines;

  /** The transaction that a session is in the middle of. */
  private static final class Session {
    private final LongList kinds = new LongList();
    private final LongList keys = new LongList();
    private final LongList values = new LongList();
    private boolean open;
    private long number;
    private long line;

    /** The highest number so far, if there is one. */
    private long highest = Long.MIN_VALUE;
  }

  PlumePieces(String name) {
    this.name = name;
    this.origin = new Origin(name, PlumeText.ID, Origin.Unit.LINE, List.of());
  }

  @Override
  public int whole(byte[] bytes, int from, int to) {
    return PieceReader.wholeLines(bytes, from, to);
  }

  @Override
  public History read(byte[] bytes, int from, int to) throws ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    readLines(bytes, from, to, builder);
    return history(builder);
  }

  private void readLines(byte[] bytes, int from, int to, HistoryBuilder builder)
      throws ParseException {
    PlumeBlock block = PlumeBlock.parse(bytes, from, to, scalars);
    if (block.error() != null) {
      throw block.error().at(name, lines + 1);
    }
    OpBuffer ops = block.ops();
    int op = 0;
    for (int run = 0; run < block.runCount(); run++) {
      int pair = block.runPair(run);
      long sessionName = block.session(pair);
      Session session = sessions.computeIfAbsent(sessionName, s -> new Session());
      if (!session.open || session.number != block.txn(pair)) {
        end(sessionName, session, builder);
        begin(session, block.txn(pair), lines + 1 + block.runLine(run));
      }
      for (int end = op + block.runLength(run); op < end; op++) {
        session.kinds.add(ops.kind(op).ordinal());
        session.keys.add(ops.key(op));
        session.values.add(ops.value(op));
      }
    }
    lines += block.lines();
  }

  private void begin(Session session, long number, long line) throws ParseException {
    if (number != PlumeText.ABORTED) {
      if (number <= session.highest) {
        throw ParseException.atLine(
            name,
            line,
            ParseException.NONE,
            "transaction " + number + " after transaction " + session.highest + " of its session",
            "numbers that go up in each session",
            "a file where they do not can only be read as a whole");
      }
      session.highest = number;
    }
    session.open = true;
    session.number = number;
    session.line = line;
  }

  private void end(long sessionName, Session session, HistoryBuilder builder) {
    if (!session.open) {
      return;
    }
    boolean aborted = session.number == PlumeText.ABORTED;
    int txn =
        builder.begin(builder.session(sessionName), aborted ? Outcome.ABORTED : Outcome.COMMITTED);
    builder.position(txn, session.line);
    if (!aborted) {
      builder.id(txn, builder.scalars().of(session.number));
    }
    for (int i = 0; i < session.kinds.size(); i++) {
      builder.op(
          OpKind.of((int) session.kinds.get(i)),
          builder.scalars().of(scalars.get(session.keys.get(i))),
          builder.scalars().of(scalars.get(session.values.get(i))));
    }
    session.open = false;
    session.kinds.clear();
    session.keys.clear();
    session.values.clear();
  }

  private History history(HistoryBuilder builder) {
    builder.origin(origin);
    builder.zeroIsInitial(true);
    builder.nameAfter(places);
    return builder.build();
  }

  @Override
  public History finish(byte[] bytes, int from, int to) throws ParseException {
    HistoryBuilder builder = new HistoryBuilder();
    readLines(bytes, from, to, builder);
    sessions.forEach((sessionName, session) -> end(sessionName, session, builder));
    return history(builder);
  }

  @Override
  public void nextFile() {
    lines = 0;
  }
}
