package dev.assay.format.binary;

import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.LongList;
import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.format.TransactionRecord;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Predicates;
import dev.assay.history.RawScalars;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Assay's format for size and speed: checksummed blocks of packed columns, specified in {@code
 * docs/assay-binary.md}. It keeps everything a history has. {@link AssayBinaryWriter} writes it
 * while a run goes on.
 */
public final class AssayBinary implements HistoryFormat {
  static final String ID = "assay";

  /** The most initial values in one block. */
  static final int MAX_INITIAL = 1 << 16;

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "Assay's own binary columns, for size and speed";
  }

  @Override
  public List<String> extensions() {
    return List.of(".assay");
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    return AssayBinaryFrame.startsWithMagic(input.head());
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    return new AssayBinaryReader(input).read();
  }

  @Override
  public PieceReader pieces(String name) {
    return new AssayBinaryPieces(name);
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    AssayBinaryWriter writer =
        new AssayBinaryWriter(out, history.zeroIsInitial(), history.metadata());
    Pass pass = new Pass(history, writer);
    pass.write(() -> writer.append(pass.record));
    writer.finish();
  }

  /** One walk over a history, transaction by transaction. */
  static final class Pass {
    final TransactionRecord record = new TransactionRecord();
    private final History history;
    private final AssayBinaryWriter writer;
    private final long[] keys;
    private final LongList elements = new LongList();

    Pass(History history, AssayBinaryWriter writer) {
      this.history = history;
      this.writer = writer;
      keys = new long[history.keys().count()];
      for (int i = 0; i < keys.length; i++) {
        keys[i] = writer.scalar(history.keys().get(i));
      }
    }

    /** Takes the transaction in the record. */
    interface Taker {
      void take() throws IOException;
    }

    void write(Taker taker) throws IOException {
      if (history.declaresInitial()) {
        writeInitialState();
      }
      for (int s = 0; s < history.sessionCount(); s++) {
        writer.session(history.sessionName(s));
      }
      for (int txn = 0; txn < history.transactionCount(); txn++) {
        record.begin(history.session(txn));
        record.outcome(history.outcome(txn));
        record.id(writer.scalar(history.ownId(txn)));
        record.times(history.start(txn), history.end(txn));
        record.shownTimes(history.shownStart(txn), history.shownEnd(txn));
        record.timestamps(history.snapshotTs(txn), history.commitTs(txn));
        record.serialPosition(history.serialPosition(txn));
        record.level(history.level(txn));
        record.error(history.error(txn));
        for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
          add(op);
        }
        taker.take();
      }
    }

    private void writeInitialState() throws IOException {
      int ofAll = history.initialOfAll();
      LongList declared = new LongList();
      LongList values = new LongList();
      for (int key = 0; key < keys.length; key++) {
        int value = history.declaredInitial(key);
        if (value != Values.UNKNOWN && value != ofAll) {
          declared.add(keys[key]);
          values.add(raw(value));
        }
        if (declared.size() == MAX_INITIAL || key == keys.length - 1) {
          writer.initial(raw(ofAll), declared, values);
          declared.clear();
          values.clear();
        }
      }
    }

    private void add(int op) {
      OpKind kind = history.kind(op);
      int value = history.value(op);
      if (kind.isPredicate()) {
        Predicates predicates = history.predicates();
        record.predicate(kind, predicates.condition(value));
        record.result(raw(predicates.result(value)));
        for (int row = op + 1; row < history.nextOp(op); row++) {
          record.row(keys[history.key(row)], raw(history.value(row)));
        }
      } else if (kind.readsSequence() && value != Values.UNKNOWN) {
        Sequences sequences = history.sequences();
        elements.clear();
        for (int i = 0; i < sequences.length(value); i++) {
          elements.add(raw(sequences.element(value, i)));
        }
        record.readElements(kind, keys[history.key(op)], elements.array(), 0, elements.size());
      } else {
        record.op(kind, keys[history.key(op)], raw(value));
      }
    }

    private long raw(int code) {
      if (code == Values.UNKNOWN) {
        return RawScalars.UNKNOWN;
      }
      Values values = history.values();
      return values.isInteger(code)
          ? writer.scalar(values.asLong(code))
          : writer.scalar(values.get(code));
    }
  }
}
