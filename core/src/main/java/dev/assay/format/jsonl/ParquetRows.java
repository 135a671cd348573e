package dev.assay.format.jsonl;

import dev.assay.format.parquet.ByteOut;
import dev.assay.format.parquet.ColumnOut;
import dev.assay.format.parquet.ParquetWriter;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Writes a history as Parquet, a row for each operation. */
final class ParquetRows {
  // The columns, as ParquetLines reads them.
  static final String TXN = "txn";
  static final String SESSION = "session";
  static final String OUTCOME = "outcome";
  static final String ID = "id";
  static final String LEVEL = "level";
  static final String ERROR = "error";
  static final String OP = "op";
  static final String KIND = "kind";
  static final String KEY = "key";
  static final String VALUE = "value";
  static final String CONDITION = "condition";

  /** Columns of numbers, and the fields of a line that they are. */
  static final List<String> NUMBERS =
      List.of("started", "ended", "shown_start", "shown_end", "snapshot", "commit_ts", "position");

  /** Under which the header is noted. */
  static final String HEADER = "assay";

  private final History history;
  private final AssayJsonlWriter json;
  private final ByteOut text = new ByteOut();

  private final ColumnOut txn = ColumnOut.ofNumbers(TXN);
  private final ColumnOut session = ColumnOut.ofNumbered(SESSION);
  private final ColumnOut outcome = ColumnOut.ofNumbered(OUTCOME);
  private final ColumnOut id = ColumnOut.ofTexts(ID);
  private final List<ColumnOut> numbers = NUMBERS.stream().map(ColumnOut::ofNumbers).toList();
  private final ColumnOut level = ColumnOut.ofTexts(LEVEL);
  private final ColumnOut error = ColumnOut.ofTexts(ERROR);
  private final ColumnOut op = ColumnOut.ofNumbers(OP);
  private final ColumnOut kind = ColumnOut.ofNumbered(KIND);
  private final ColumnOut key = ColumnOut.ofNumbered(KEY);
  private final ColumnOut value = ColumnOut.ofTexts(VALUE);
  private final ColumnOut condition = ColumnOut.ofTexts(CONDITION);

  ParquetRows(History history) {
    this.history = history;
    this.json = new AssayJsonlWriter(history);
  }

  void write(OutputStream stream) throws IOException {
    BufferedOutputStream out = new BufferedOutputStream(stream, 1 << 16);
    List<ColumnOut> columns = new ArrayList<>(List.of(txn, session, outcome, id));
    columns.addAll(numbers);
    columns.addAll(List.of(level, error, op, kind, key, value, condition));
    ParquetWriter writer = new ParquetWriter(out, columns);
    for (int number = 0; number < history.transactionCount(); number++) {
      int next = history.firstOp(number);
      int place = 0;
      do {
        transaction(number);
        if (next < history.endOp(number)) {
          operation(next, place++);
          next = history.nextOp(next);
        } else {
          List.of(op, kind, key, value, condition).forEach(ColumnOut::none);
        }
        writer.endRow();
      } while (next < history.endOp(number));
      writer.endTransaction();
    }
    writer.finish(HEADER, json.headerText());
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private void add(ColumnOut column, String content) {
    if (content == null) {
      column.none();
    } else {
      text.clear();
      text.add(content);
      column.text(text);
    }
  }

  private void transaction(int number) {
    txn.number(number);
    session.numbered(history.session(number), one -> utf8(PlainText.of(history.sessionName(one))));
    outcome.numbered(history.outcome(number).ordinal(), one -> utf8(Outcome.values()[one].id()));
    Object own = history.ownId(number);
    add(id, own == null ? null : PlainText.of(own));
    number(0, history.start(number));
    number(1, history.end(number));
    number(2, history.shownStart(number));
    number(3, history.shownEnd(number));
    number(4, history.snapshotTs(number));
    number(5, history.commitTs(number));
    number(6, history.serialPosition(number));
    add(level, history.level(number) == null ? null : PlainText.of(history.level(number)));
    add(error, history.error(number) == null ? null : PlainText.of(history.error(number)));
  }

  private void number(int column, long content) {
    if (content == History.ABSENT) {
      numbers.get(column).none();
    } else {
      numbers.get(column).number(content);
    }
  }

  private void operation(int number, int place) throws IOException {
    OpKind what = history.kind(number);
    op.number(place);
    kind.numbered(
        what.ordinal(),
        one ->
            utf8(
                OpKind.values()[one] == OpKind.LIST_READ
                    ? AssayJsonlReader.LIST_READ
                    : OpKind.values()[one].symbol()));
    int code = history.value(number);
    if (what.isPredicate()) {
      key.none();
      add(condition, AssayJsonlWriter.canonical(history.predicates().condition(code)));
    } else {
      key.numbered(history.key(number), one -> utf8(PlainText.of(history.keys().get(one))));
      condition.none();
    }
    boolean isScalar = !what.isPredicate() && !what.readsSequence() && code != Values.UNKNOWN;
    if (isScalar && history.values().isInteger(code)) {
      text.clear();
      text.decimal(history.values().asLong(code));
      value.text(text);
    } else {
      add(value, isScalar ? PlainText.of(history.values().get(code)) : json.valueText(number));
    }
  }
}
