package dev.assay.format.follow;

import dev.assay.format.HistoryFormat;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OperationCopy;
import dev.assay.history.Values;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Histories read in pieces, and put together again. */
final class Pieces {
  private Pieces() {}

  /** Some bytes, a few at a time, with nothing at all now and then. */
  static final class Drip implements ByteSource {
    private final byte[] all;
    private final int atOnce;
    private int next;
    private boolean pause;

    Drip(byte[] all, int atOnce) {
      this.all = all;
      this.atOnce = atOnce;
    }

    @Override
    public int read(byte[] bytes, int from, int length) {
      pause = !pause;
      if (pause) {
        return 0;
      }
      int n = Math.min(Math.min(length, atOnce), all.length - next);
      System.arraycopy(all, next, bytes, from, n);
      next += n;
      return n == 0 ? END : n;
    }

    @Override
    public void close() {}
  }

  static List<History> read(HistoryFormat format, byte[] bytes, int pieceBytes, int atOnce)
      throws ParseException, IOException {
    try (HistoryStream stream =
        new HistoryStream("file", new Drip(bytes, atOnce), format, pieceBytes)) {
      return all(stream);
    }
  }

  static List<History> all(HistoryStream stream) throws ParseException {
    List<History> blocks = new ArrayList<>();
    while (!stream.ended()) {
      History block = stream.next();
      if (block != null) {
        blocks.add(block);
      }
    }
    return blocks;
  }

  /**
   * The history that all blocks make, with transactions in the order of another: those of a session
   * in the order in which they came.
   */
  static History joined(List<History> blocks, History whole) {
    HistoryBuilder builder = new HistoryBuilder();
    Map<Object, Deque<int[]>> bySession = new HashMap<>();
    List<OperationCopy> copies = new ArrayList<>();
    for (int session = 0; session < whole.sessionCount(); session++) {
      builder.session(whole.sessionName(session));
    }
    for (int i = 0; i < blocks.size(); i++) {
      History block = blocks.get(i);
      builder.origin(block.origin());
      builder.zeroIsInitial(block.zeroIsInitial());
      block.metadata().forEach(builder::metadata);
      for (int key = 0; key < block.keys().count(); key++) {
        int declared = block.declaredInitial(key);
        if (declared != Values.UNKNOWN) {
          builder.initially(block.keys().get(key), block.values().get(declared));
        }
      }
      copies.add(new OperationCopy(block, builder));
      for (int txn = 0; txn < block.transactionCount(); txn++) {
        bySession
            .computeIfAbsent(block.sessionName(block.session(txn)), name -> new ArrayDeque<>())
            .add(new int[] {i, txn});
      }
    }
    for (int txn = 0; txn < whole.transactionCount(); txn++) {
      Deque<int[]> session = bySession.get(whole.sessionName(whole.session(txn)));
      if (session != null && !session.isEmpty()) {
        int[] next = session.remove();
        int added = add(blocks.get(next[0]), next[1], copies.get(next[0]), builder);
        if (whole.label(txn).equals(blocks.get(next[0]).ownId(next[1]))) {
          builder.id(added, builder.scalars().of(whole.ownId(txn)));
        }
      }
    }
    for (Deque<int[]> more : bySession.values()) {
      for (int[] next : more) {
        add(blocks.get(next[0]), next[1], copies.get(next[0]), builder);
      }
    }
    return builder.build();
  }

  private static int add(History block, int from, OperationCopy copy, HistoryBuilder builder) {
    int txn = copy.begin(from);
    builder.id(txn, builder.scalars().of(block.ownId(from)));
    for (int op = block.firstOp(from); op < block.endOp(from); op = block.nextOp(op)) {
      copy.add(op);
    }
    return txn;
  }
}
