package dev.assay.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Compares two histories column by column, by what the columns stand for: numbers of keys and codes
 * of values may differ, and sets have no order. Source positions are not compared.
 */
public final class HistoryAssert {
  /** Metadata that a reader adds about the reading itself. */
  private static final String NOTE_PREFIX = "note.";

  private HistoryAssert() {}

  /** Everything is the same, metadata and session numbers included. */
  public static void assertSame(History actual, History expected) {
    assertThat(actual.metadata()).as("metadata").isEqualTo(expected.metadata());
    assertThat(actual.transactionCount()).as("transactions").isEqualTo(expected.transactionCount());
    assertThat(actual.operationCount()).as("operations").isEqualTo(expected.operationCount());
    assertThat(actual.keys().count()).as("keys").isEqualTo(expected.keys().count());
    assertThat(actual.hasErrors()).isEqualTo(expected.hasErrors());
    assertThat(initialValues(actual)).as("initial values").isEqualTo(initialValues(expected));
    assertThat(sessionNames(actual)).as("sessions").isEqualTo(sessionNames(expected));
    assertPrefix(actual, expected);
  }

  private static Map<Object, Object> initialValues(History history) {
    Map<Object, Object> values = new HashMap<>();
    for (int key = 0; key < history.keys().count(); key++) {
      int declared = history.declaredInitial(key);
      if (declared != Values.UNKNOWN) {
        values.put(history.keys().get(key), history.values().get(declared));
      }
    }
    return values;
  }

  /** The transactions of {@code actual} are the first ones of {@code expected}. */
  public static void assertPrefix(History actual, History expected) {
    assertThat(actual.zeroIsInitial()).as("zero is initial").isEqualTo(expected.zeroIsInitial());
    assertThat(actual.transactionCount()).isLessThanOrEqualTo(expected.transactionCount());
    assertThat(withoutNotes(expected.metadata()))
        .containsAllEntriesOf(withoutNotes(actual.metadata()));
    List<Object> names = sessionNames(actual);
    assertThat(sessionNames(expected).subList(0, names.size())).as("sessions").isEqualTo(names);
    for (int txn = 0; txn < actual.transactionCount(); txn++) {
      assertSameTransaction(actual, expected, txn);
    }
  }

  private static void assertSameTransaction(History actual, History expected, int txn) {
    List<Object> fields = transaction(actual, txn);
    List<Object> expectedFields = transaction(expected, txn);
    if (!fields.equals(expectedFields)) {
      assertThat(fields).as("transaction " + txn).isEqualTo(expectedFields);
    }
    List<Operation> operations = operations(actual, txn);
    List<Operation> expectedOperations = operations(expected, txn);
    if (actual.metadata().containsKey("note.truncated")) {
      // What it saw may be unknown there, where its writer is missing.
      for (int i = 0; i < operations.size(); i++) {
        Operation operation = operations.get(i);
        Operation whole = expectedOperations.get(i);
        if (!operation.known() && operation.kind() == whole.kind()) {
          expectedOperations.set(i, new Operation(whole.kind(), whole.key(), false, null));
        }
      }
    }
    if (!operations.equals(expectedOperations)) {
      assertThat(operations).as("operations of transaction " + txn).isEqualTo(expectedOperations);
    }
  }

  private static List<Object> transaction(History h, int txn) {
    List<Object> fields = new ArrayList<>();
    fields.add("session " + h.session(txn));
    fields.add(h.sessionName(h.session(txn)));
    fields.add("place " + h.placeInSession(txn));
    fields.add(h.outcome(txn));
    fields.add(h.ownId(txn));
    fields.add(h.label(txn));
    fields.add("start " + h.start(txn));
    fields.add("end " + h.end(txn));
    fields.add("shown start " + h.shownStart(txn));
    fields.add("shown end " + h.shownEnd(txn));
    fields.add("snapshot " + h.snapshotTs(txn));
    fields.add("commit " + h.commitTs(txn));
    fields.add("serial " + h.serialPosition(txn));
    fields.add(h.level(txn));
    fields.add(h.error(txn));
    fields.add("size " + (h.endOp(txn) - h.firstOp(txn)));
    return fields;
  }

  private static List<Operation> operations(History h, int txn) {
    List<Operation> operations = new ArrayList<>();
    for (int op = h.firstOp(txn); op < h.endOp(txn); op++) {
      Operation operation = h.operation(op);
      if (operation.kind() == OpKind.SET_READ && operation.known()) {
        List<Object> sorted = new ArrayList<>((List<?>) operation.value());
        sorted.sort(java.util.Comparator.comparing(HistoryAssert::typedText));
        operation = new Operation(operation.kind(), operation.key(), true, sorted);
      }
      operations.add(operation);
    }
    return operations;
  }

  private static String typedText(Object value) {
    return value == null ? "" : value.getClass().getName() + value;
  }

  private static List<Object> sessionNames(History h) {
    List<Object> names = new ArrayList<>();
    for (int s = 0; s < h.sessionCount(); s++) {
      names.add(h.sessionName(s));
    }
    return names;
  }

  private static Map<String, String> withoutNotes(Map<String, String> metadata) {
    Map<String, String> rest = new HashMap<>(metadata);
    rest.keySet().removeIf(name -> name.startsWith(NOTE_PREFIX));
    return rest;
  }
}
