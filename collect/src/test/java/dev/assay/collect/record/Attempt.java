package dev.assay.collect.record;

import dev.assay.collect.db.Dialect;
import dev.assay.collect.workload.RowCondition;
import dev.assay.collect.workload.RowOperation;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What really happened in one transaction of a client, noted between client and database. Written
 * by the client's thread, but for commits that take effect when the client has long gone on.
 */
final class Attempt {
  /** How the driver answered when it was asked to commit. */
  enum Answer {
    NONE,
    DONE,
    REFUSED,
    /** With an error that leaves open what happened. */
    UNCLEAR
  }

  final long id;
  final int client;
  private final List<Asked> asked = new ArrayList<>();

  Answer answer = Answer.NONE;
  long firstCall = Long.MAX_VALUE;
  long lastCall = Long.MIN_VALUE;
  volatile boolean committed;
  volatile long commitBegan;
  volatile long commitEnded;

  Attempt(long id, int client) {
    this.id = id;
    this.client = client;
  }

  /** Notes that the driver was called at this time. */
  void called(long time) {
    firstCall = Math.min(firstCall, time);
    lastCall = Math.max(lastCall, time);
  }

  Asked ask(Asked operation) {
    asked.add(operation);
    return operation;
  }

  /** Takes the rows of a query as they are handed out. */
  Result newResult() {
    Result result = new Result();
    asked.get(asked.size() - 1).results.add(result);
    return result;
  }

  /** What must be on record of it. */
  List<Operation> expected(Dialect dialect) {
    return asked.stream().flatMap(one -> one.expected(dialect)).toList();
  }

  /** What a query gave. */
  static final class Result {
    final List<List<Object>> rows = new ArrayList<>();
    boolean failed;

    /** Whether the client had all of it. */
    boolean complete;

    void handedOut(Object value) {
      rows.get(rows.size() - 1).add(value);
    }

    /** The value handed out last was null in truth. */
    void wasNull() {
      List<Object> row = rows.get(rows.size() - 1);
      row.set(row.size() - 1, null);
    }
  }

  /** An operation that the workload asked for. */
  abstract static class Asked {
    final List<Result> results = new ArrayList<>();

    /** Whether the client got an answer. */
    boolean done;

    abstract Stream<Operation> expected(Dialect dialect);

    List<List<Object>> rows() {
      return results.get(results.size() - 1).rows;
    }
  }

  /** A read of a key. */
  static final class Read extends Asked {
    private final OpKind.Type type;
    private final long key;

    Read(OpKind.Type type, long key) {
      this.type = type;
      this.key = key;
    }

    @Override
    Stream<Operation> expected(Dialect dialect) {
      OpKind kind =
          switch (type) {
            case LIST -> OpKind.LIST_READ;
            case SET -> OpKind.SET_READ;
            case COUNTER -> OpKind.COUNTER_READ;
            default -> OpKind.READ;
          };
      return Stream.of(new Operation(kind, key, done, done ? value() : null));
    }

    private Object value() {
      return switch (type) {
        case SET -> rows().stream().map(row -> row.get(0)).toList();
        case LIST -> rows().isEmpty() ? List.of() : elements((String) rows().get(0).get(0));
        default -> rows().isEmpty() ? null : rows().get(0).get(0);
      };
    }

    private static List<Long> elements(String text) {
      return Stream.of(text.split(",")).filter(e -> !e.isEmpty()).map(Long::valueOf).toList();
    }
  }

  /** A write of a key, which is on record before it is asked for. */
  static final class Write extends Asked {
    private final Operation operation;

    Write(OpKind.Type type, long key, long value) {
      OpKind kind =
          switch (type) {
            case LIST -> OpKind.APPEND;
            case SET -> OpKind.ADD;
            case COUNTER -> OpKind.INCREMENT;
            default -> OpKind.WRITE;
          };
      operation = new Operation(kind, key, true, value);
    }

    @Override
    Stream<Operation> expected(Dialect dialect) {
      return Stream.of(operation);
    }
  }

  /** An operation on rows; those by conditions are on record only when they were answered. */
  static final class OnRows extends Asked {
    private final RowOperation operation;
    private final long version;

    OnRows(RowOperation operation, long version) {
      this.operation = operation;
      this.version = version;
    }

    @Override
    Stream<Operation> expected(Dialect dialect) {
      if (operation instanceof RowOperation.Insert insert) {
        List<Long> row = List.of(insert.value(), version);
        return Stream.of(new Operation(OpKind.WRITE, insert.key(), true, row));
      }
      if (operation instanceof RowOperation.Read read) {
        return Stream.of(read(read.key()));
      }
      if (operation instanceof RowOperation.Delete delete) {
        return deletion(delete.where(), dialect.hasReturning());
      }
      if (!done) {
        return Stream.of();
      }
      if (operation instanceof RowOperation.Select select) {
        return Stream.of(rows(OpKind.SELECT, where(select.where()) + "}", false));
      }
      if (operation instanceof RowOperation.Aggregate aggregate) {
        String what = "{\"select\":[\"%s\",\"val\"],".formatted(aggregate.function().id());
        String condition = what + where(aggregate.where()).substring(1) + "}";
        return Stream.of(new Operation(OpKind.SELECT, condition, true, rows().get(0).get(0)));
      }
      RowOperation.Update update = (RowOperation.Update) operation;
      String value = "\"val\":" + update.value().json() + ",";
      return Stream.of(rows(OpKind.UPDATE, set(update.where(), value), false));
    }

    private Operation read(long key) {
      if (!done) {
        return new Operation(OpKind.READ, key, false, null);
      }
      if (rows().isEmpty()) {
        return rows(OpKind.SELECT, where(RowCondition.key(key)) + "}", false);
      }
      List<Object> row = rows().get(0);
      return new Operation(OpKind.READ, key, true, row.subList(1, row.size()));
    }

    private Stream<Operation> deletion(RowCondition where, boolean returning) {
      Stream.Builder<Operation> operations = Stream.builder();
      RowCondition taken = returning ? where : RowCondition.equal("ver", version);
      if (!returning && !results.isEmpty() && results.get(0).complete) {
        operations.add(rows(OpKind.UPDATE, set(where, ""), false));
      }
      if (done) {
        operations.add(rows(OpKind.UPDATE, where(taken) + ",\"delete\":true}", true));
      }
      return operations.build();
    }

    private Operation rows(OpKind kind, String condition, boolean deleted) {
      List<Operation.Row> expected = new ArrayList<>();
      for (List<Object> row : rows()) {
        expected.add(new Operation.Row(row.get(0), deleted ? null : row.subList(1, row.size())));
      }
      return new Operation(kind, condition, true, expected);
    }

    private String set(RowCondition where, String value) {
      return where(where) + ",\"set\":{" + value + "\"ver\":" + version + "}}";
    }

    private static String where(RowCondition where) {
      return where == null ? "{" : "{\"where\":" + where.json();
    }
  }
}
