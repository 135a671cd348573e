package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.client.Failure;
import dev.assay.collect.db.vendor.Databases;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ClassifyTest {
  static Iterable<Database> databases() {
    return Databases.all();
  }

  @ParameterizedTest
  @MethodSource("databases")
  void aCommitWhoseConnectionBrokeIsOfUnknownOutcome(Database database) {
    assertThat(database.classify(new SQLException("gone", "08006"))).isEqualTo(Failure.LOST);
  }

  @ParameterizedTest
  @MethodSource("databases")
  void anErrorThatNobodyKnowsIsNotTakenForARefusal(Database database) {
    assertThat(database.classify(new SQLException("what?", "XX999", 99_999)))
        .isEqualTo(Failure.LOST);
  }

  @ParameterizedTest
  @CsvSource({
    "h2, 90131, 90131, REFUSED",
    "h2, HYT00, 50200, REFUSED",
    "h2, 42S02, 42102, WRONG",
    "hsqldb, 40001, -4861, REFUSED",
    "derby, 40XL1, 30000, REFUSED",
    "derby, 40XT1, 30000, LOST",
    "postgres, 40001, 0, REFUSED",
    "postgres, 40P01, 0, REFUSED",
    "postgres, 57P01, 0, LOST",
    "postgres, 42P01, 0, WRONG",
    "mariadb, HY000, 1020, REFUSED",
    "mariadb, HY000, 1205, REFUSED",
    "mysql, 40001, 1213, REFUSED",
    "mysql, 08007, 0, LOST",
    "mysql, 40000, 3101, REFUSED",
    "galera, HY000, 1180, LOST",
    "galera, 08S01, 1047, LOST",
    "tidb, HY000, 9007, REFUSED",
    "tidb, HY000, 8005, REFUSED",
    "tidb, HY000, 8022, REFUSED",
    "tidb, HY000, 8501, LOST",
    "cockroachdb, 40003, 0, LOST",
    "cockroachdb, 40001, 0, REFUSED",
    "cockroachdb, 25P02, 0, REFUSED",
    "yugabytedb, XX000, 0, LOST",
    "jdbc, 40003, 0, LOST"
  })
  void errorsMeanWhatTheManualsSay(String id, String state, int code, Failure meaning) {
    Database database = Databases.byId(id).orElseThrow();
    SQLException e = new SQLException("message", state, code);
    assertThat(database.classify(e)).isEqualTo(meaning);
    assertThat(database.classifyCommit(e)).isEqualTo(meaning);
  }

  @Test
  void sqliteThatIsBusyRefuses() {
    Database sqlite = Databases.byId("sqlite").orElseThrow();
    assertThat(sqlite.classify(new SQLException("busy snapshot", null, 517)))
        .isEqualTo(Failure.REFUSED);
  }

  /** The driver begins the next transaction in its commit, and it may be that which was busy. */
  @ParameterizedTest
  @CsvSource({"5, LOST", "6, LOST", "261, LOST", "19, REFUSED", "10, LOST"})
  void sqliteThatIsBusyAtACommitMayHaveCommitted(int code, Failure meaning) {
    Database sqlite = Databases.byId("sqlite").orElseThrow();
    assertThat(sqlite.classifyCommit(new SQLException("busy", null, code))).isEqualTo(meaning);
  }

  @ParameterizedTest
  @CsvSource({
    "TransactionContext Error: Conflict on update!, REFUSED",
    "TransactionContext Error: Failed to commit: duplicate key, REFUSED",
    "TransactionContext Error: Failed to commit: IO Error: cannot write, LOST",
    "FATAL Error: Failed to commit: TransactionContext Error: Conflict, LOST"
  })
  void errorsOfDuckDbMeanWhatTheirMessagesSay(String message, Failure meaning) {
    Database duckdb = Databases.byId("duckdb").orElseThrow();
    assertThat(duckdb.classify(new SQLException(message))).isEqualTo(meaning);
  }

  @Test
  void everyDatabaseHasItsNameAndItsLevels() {
    for (Database database : Databases.all()) {
      assertThat(Databases.byId(database.id())).contains(database);
      assertThat(database.isolations()).isNotEmpty();
    }
    assertThat(Databases.byUrl("jdbc:mariadb://h/db").id()).isEqualTo("mariadb");
    assertThat(Databases.byUrl("jdbc:unheard:of").id()).isEqualTo("jdbc");
  }
}
