package dev.assay.collect.db;

import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;

/**
 * The statements of one connection, prepared when first used. A statement that failed is closed and
 * prepared again, because some drivers leave it unusable.
 */
final class Statements {
  private static final int READ = 0;
  private static final int UPSERT = 1;
  private static final int UPDATE = 2;
  private static final int INSERT = 3;
  private static final int COMPARE = 4;
  private static final int INSERT_IF_ABSENT = 5;
  private static final int DELETE = 6;
  private static final int FORMS = 7;

  private final Connection connection;
  private final Dialect dialect;
  private final boolean forUpdate;
  private final boolean upserts;
  private final PreparedStatement[] prepared = new PreparedStatement[Table.values().length * FORMS];

  private long[] elements = new long[64];
  private int length;

  Statements(Connection connection, Dialect dialect, boolean forUpdate, boolean upserts) {
    this.connection = connection;
    this.dialect = dialect;
    this.forUpdate = forUpdate;
    this.upserts = upserts && dialect.hasUpsert();
  }

  static Table table(OpKind.Type type) {
    return switch (type) {
      case REGISTER -> Table.REGISTER;
      case LIST -> Table.LIST;
      case SET -> Table.SET;
      case COUNTER -> Table.COUNTER;
      case PREDICATE -> throw new IllegalArgumentException("predicates have no table");
    };
  }

  /** The number stored under a key, or {@link RawScalars#NIL}. */
  long readNumber(Table table, long key) throws SQLException {
    PreparedStatement statement = prepared(table, READ);
    try {
      statement.setLong(1, key);
      try (ResultSet result = statement.executeQuery()) {
        if (!result.next()) {
          return RawScalars.NIL;
        }
        long value = result.getLong(1);
        return result.wasNull() ? RawScalars.NIL : value;
      }
    } catch (SQLException | RuntimeException e) {
      forget(table, READ);
      throw e;
    }
  }

  /** Reads a list or a set into {@link #elements}; returns how many there are. */
  int readElements(Table table, long key) throws SQLException {
    PreparedStatement statement = prepared(table, READ);
    try {
      statement.setLong(1, key);
      length = 0;
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          if (table == Table.LIST) {
            parse(result.getString(1));
          } else {
            addElement(result.getLong(1));
          }
        }
      }
      return length;
    } catch (SQLException | RuntimeException e) {
      forget(table, READ);
      throw e;
    }
  }

  /** What {@link #readElements} read last. */
  long[] elements() {
    return elements;
  }

  /** Numbers that each end in a comma. */
  private void parse(String text) {
    if (text == null) {
      return;
    }
    long number = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == ',') {
        addElement(number);
        number = 0;
      } else {
        number = number * 10 + (c - '0');
      }
    }
  }

  private void addElement(long element) {
    if (length == elements.length) {
      elements = Arrays.copyOf(elements, length * 2);
    }
    elements[length++] = element;
  }

  /** Sets, appends, adds or increments. */
  void write(Table table, long key, long value) throws SQLException {
    if (table == Table.SET) {
      run(table, INSERT, key, value);
    } else if (upserts) {
      run(table, UPSERT, key, value);
    } else if (run(table, UPDATE, key, value) == 0) {
      run(table, INSERT, key, value);
    }
  }

  /** Sets a register if it has a value, {@link RawScalars#NIL} if it is absent; whether it had. */
  boolean compareAndSet(long key, long expected, long value) throws SQLException {
    if (expected != RawScalars.NIL) {
      PreparedStatement statement = prepared(Table.REGISTER, COMPARE);
      try {
        statement.setLong(3, expected);
      } catch (SQLException | RuntimeException e) {
        forget(Table.REGISTER, COMPARE);
        throw e;
      }
      return run(Table.REGISTER, COMPARE, key, value) > 0;
    }
    if (dialect.insertsIfAbsent()) {
      return run(Table.REGISTER, INSERT_IF_ABSENT, key, value) > 0;
    }
    return readNumber(Table.REGISTER, key) == RawScalars.NIL
        && run(Table.REGISTER, INSERT, key, value) > 0;
  }

  /** Deletes a register. */
  void delete(long key) throws SQLException {
    PreparedStatement statement = prepared(Table.REGISTER, DELETE);
    try {
      statement.setLong(1, key);
      statement.executeUpdate();
    } catch (SQLException | RuntimeException e) {
      forget(Table.REGISTER, DELETE);
      throw e;
    }
  }

  private int run(Table table, int form, long key, long value) throws SQLException {
    PreparedStatement statement = prepared(table, form);
    try {
      int keyPlace = form == UPDATE || form == COMPARE ? 2 : 1;
      statement.setLong(keyPlace, key);
      if (table == Table.LIST) {
        statement.setString(3 - keyPlace, value + ",");
      } else {
        statement.setLong(3 - keyPlace, value);
      }
      return statement.executeUpdate();
    } catch (SQLException | RuntimeException e) {
      forget(table, form);
      throw e;
    }
  }

  private PreparedStatement prepared(Table table, int form) throws SQLException {
    int index = table.ordinal() * FORMS + form;
    if (prepared[index] == null) {
      prepared[index] =
          connection.prepareStatement(
              switch (form) {
                case READ -> dialect.read(table, forUpdate);
                case UPSERT -> dialect.upsert(table);
                case UPDATE -> dialect.update(table);
                case COMPARE -> dialect.update(table) + " AND v = ?";
                case INSERT_IF_ABSENT -> dialect.insertIfAbsent(table);
                case DELETE -> dialect.delete(table);
                default -> dialect.insert(table);
              });
    }
    return prepared[index];
  }

  private void forget(Table table, int form) {
    int index = table.ordinal() * FORMS + form;
    try {
      prepared[index].close();
    } catch (SQLException | RuntimeException e) {
      // It failed already; why it cannot be closed adds nothing.
    }
    prepared[index] = null;
  }
}
