package dev.assay.format.binary;

import dev.assay.format.TransactionRecord;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.io.IOException;

/** Notes whole records in a journal, operation by operation as a client would. */
final class Journals {
  private Journals() {}

  /** Something that happens while a client is in the midst of a transaction. */
  interface Meanwhile {
    void happen() throws IOException;
  }

  static void note(TransactionRecord record, AssayBinaryJournal journal) throws IOException {
    note(record, journal, () -> {});
  }

  static void note(TransactionRecord record, AssayBinaryJournal journal, Meanwhile meanwhile)
      throws IOException {
    journal.begin(record.session());
    meanwhile.happen();
    journal.id(record.id());
    int element = 0;
    int predicate = 0;
    for (int i = 0; i < record.size(); i++) {
      OpKind kind = record.kind(i);
      long key = record.key(i);
      long value = record.value(i);
      if (kind.isPredicate()) {
        journal.predicate(kind, record.conditions().get(predicate));
        journal.result(record.results().get(predicate++));
        for (int end = i + (int) value; i < end; ) {
          i++;
          meanwhile.happen();
          journal.row(record.key(i), record.value(i));
        }
      } else if (kind.readsSequence() && value != RawScalars.UNKNOWN) {
        int from = element;
        element += (int) value;
        if (kind == OpKind.LIST_READ) {
          journal.readList(key, record.elements().array(), from, element);
        } else {
          journal.readSet(key, record.elements().array(), from, element);
        }
      } else {
        journal.op(kind, key, value);
      }
      meanwhile.happen();
    }
    for (int column = 0; column < AssayBinaryDecoder.OPTIONAL_COLUMNS; column++) {
      journal.optional(column, record.optional(column));
    }
    journal.error(record.error());
    journal.level(record.level());
    meanwhile.happen();
    journal.end(record.outcome());
  }
}
