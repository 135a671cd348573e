package dev.assay.collect.record;

import dev.assay.collect.workload.SplitMix;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/** Decides by chance what goes wrong in one run, and reports it as a given database would. */
final class Mishaps {
  private static final int MAX_DAWDLE_MILLIS = 2;
  private static final double STILL_UNREACHABLE = 0.5;

  /** Databases, what goes wrong, and the SQL state, the code and the message that report it. */
  private static final String ERRORS =
      """
      postgres | lost | 08006 | 0 | An I/O error occurred while sending to the backend.
      postgres | lost | 57P01 | 0 | FATAL: terminating connection due to administrator command
      postgres | refused | 40001 | 0 | ERROR: could not serialize access
      postgres | deadlock | 40P01 | 0 | ERROR: deadlock detected
      postgres | timeout | 55P03 | 0 | ERROR: canceling statement due to lock timeout
      postgres | fails | 53200 | 0 | ERROR: out of memory
      postgres | fails | 57014 | 0 | ERROR: canceling statement due to user request
      postgres | unsure | 57014 | 0 | ERROR: canceling statement due to user request
      postgres | connect | 57P03 | 0 | FATAL: the database system is starting up
      cockroachdb | lost | 08006 | 0 | An I/O error occurred while sending to the backend.
      cockroachdb | refused | 40001 | 0 | ERROR: restart transaction: RETRY_SERIALIZABLE
      cockroachdb | deadlock | 40001 | 0 | ERROR: restart transaction: ABORT_REASON_PUSHER_ABORTED
      cockroachdb | timeout | 55P03 | 0 | ERROR: canceling statement due to lock timeout
      cockroachdb | fails | 53200 | 0 | ERROR: memory budget exceeded
      cockroachdb | unsure | 40003 | 0 | ERROR: result is ambiguous: replica removed
      cockroachdb | connect | 08001 | 0 | The connection attempt failed.
      yugabytedb | lost | 08006 | 0 | An I/O error occurred while sending to the backend.
      yugabytedb | refused | 40001 | 0 | ERROR: Operation expired: Transaction aborted
      yugabytedb | deadlock | 40P01 | 0 | ERROR: deadlock detected
      yugabytedb | timeout | 40001 | 0 | ERROR: could not serialize access: conflicts
      yugabytedb | fails | XX000 | 0 | ERROR: Timed out: Read RPC timed out
      yugabytedb | unsure | XX000 | 0 | ERROR: Timed out: UpdateTransaction RPC timed out
      yugabytedb | connect | 08001 | 0 | The connection attempt failed.
      mariadb | lost | 08000 | 1927 | (conn=7) Connection was killed
      mariadb | lost | 08000 | 0 | (conn=7) Socket error
      mariadb | refused | 40001 | 1213 | (conn=7) Deadlock found when trying to get lock
      mariadb | deadlock | 40001 | 1213 | (conn=7) Deadlock found when trying to get lock
      mariadb | deadlock | HY000 | 1020 | (conn=7) Record has changed since last read
      mariadb | timeout | HY000 | 1205 | (conn=7) Lock wait timeout exceeded
      mariadb | fails | 70100 | 1317 | (conn=7) Query execution was interrupted
      mariadb | unsure | HY000 | 1180 | (conn=7) Got error 5 during COMMIT
      mariadb | connect | 08000 | 0 | Socket fail to connect to host
      mysql | lost | 08S01 | 0 | Communications link failure
      mysql | refused | 40000 | 3101 | Plugin instructed the server to rollback
      mysql | deadlock | 40001 | 1213 | Deadlock found when trying to get lock
      mysql | timeout | 40001 | 1205 | Lock wait timeout exceeded; try restarting transaction
      mysql | fails | HY000 | 1297 | Got temporary error from the storage engine
      mysql | unsure | 08007 | 0 | Communications link failure during commit()
      mysql | connect | 08S01 | 0 | Communications link failure
      galera | lost | 08000 | 1047 | (conn=7) WSREP has not yet prepared node for application use
      galera | refused | 40001 | 1213 | (conn=7) Deadlock: wsrep aborted transaction
      galera | deadlock | 40001 | 1213 | (conn=7) Deadlock: wsrep aborted transaction
      galera | timeout | HY000 | 1205 | (conn=7) Lock wait timeout exceeded
      galera | fails | HY000 | 1030 | (conn=7) Got error from storage engine
      galera | unsure | HY000 | 1180 | (conn=7) Got error 6 during COMMIT
      galera | connect | 08000 | 0 | Socket fail to connect to host
      tidb | lost | 08S01 | 0 | Communications link failure
      tidb | refused | HY000 | 9007 | Write conflict
      tidb | refused | HY000 | 8022 | Error: KV error safe to retry
      tidb | deadlock | 40001 | 1213 | Deadlock found when trying to get lock
      tidb | timeout | HY000 | 1205 | Lock wait timeout exceeded
      tidb | fails | HY000 | 9001 | PD server timeout
      tidb | unsure | HY000 | 8501 | execution result undetermined
      tidb | connect | 08S01 | 0 | Communications link failure
      h2 | lost | 90067 | 90067 | Connection is broken
      h2 | lost | 90121 | 90121 | Database is already closed
      h2 | refused | 40001 | 40001 | Deadlock detected
      h2 | deadlock | 40001 | 40001 | Deadlock detected
      h2 | deadlock | 90131 | 90131 | Concurrent update in table
      h2 | timeout | HYT00 | 50200 | Timeout trying to lock table
      h2 | fails | 57014 | 57014 | Statement was canceled or the session timed out
      h2 | unsure | 90028 | 90028 | IO Exception
      h2 | connect | 90067 | 90067 | Connection is broken
      hsqldb | lost | 08003 | -1303 | connection exception: connection does not exist
      hsqldb | refused | 40001 | -4861 | transaction rollback: serialization failure
      hsqldb | deadlock | 40001 | -4861 | transaction rollback: serialization failure
      hsqldb | timeout | 40001 | -4861 | transaction rollback: serialization failure
      hsqldb | fails | HY008 | -1301 | statement execution aborted
      hsqldb | unsure | S1000 | -452 | file input/output error
      hsqldb | connect | 08001 | -1301 | connection refused
      derby | lost | 08006 | 40000 | A network protocol error was encountered
      derby | refused | 40001 | 30000 | A lock could not be obtained due to a deadlock
      derby | deadlock | 40001 | 30000 | A lock could not be obtained due to a deadlock
      derby | timeout | 40XL1 | 30000 | A lock could not be obtained within the time requested
      derby | fails | XCL52 | 20000 | The statement has been cancelled or timed out
      derby | unsure | 40XT1 | 30000 | An exception was thrown during transaction commit
      derby | connect | 08001 | 40000 | Error connecting to server
      sqlite | lost | - | 10 | [SQLITE_IOERR] Some kind of disk I/O error occurred
      sqlite | refused | - | 19 | [SQLITE_CONSTRAINT] A constraint failed
      sqlite | deadlock | - | 517 | [SQLITE_BUSY_SNAPSHOT] Another connection has already written
      sqlite | timeout | - | 5 | [SQLITE_BUSY] The database file is locked
      sqlite | fails | - | 9 | [SQLITE_INTERRUPT] Operation terminated by sqlite3_interrupt()
      sqlite | unsure | - | 5 | [SQLITE_BUSY] The database file is locked
      sqlite | connect | - | 14 | [SQLITE_CANTOPEN] Unable to open the database file
      duckdb | lost | - | 0 | Connection Error: Connection has already been closed
      duckdb | refused | - | 0 | TransactionContext Error: Failed to commit: write-write conflict
      duckdb | deadlock | - | 0 | TransactionContext Error: Conflict on tuple deletion!
      duckdb | timeout | - | 0 | Constraint Error: Duplicate key "k: 1" violates primary key
      duckdb | fails | - | 0 | Out of Memory Error: failed to allocate data
      duckdb | unsure | - | 0 | TransactionContext Error: Failed to commit: IO Error: no space left
      duckdb | connect | - | 0 | Connection Error: Can't open a connection
      jdbc | lost | 08003 | 17008 | Closed Connection
      jdbc | refused | 40002 | 2091 | ORA-02091: transaction rolled back
      jdbc | deadlock | 61000 | 60 | ORA-00060: deadlock detected while waiting for resource
      jdbc | timeout | 61000 | 54 | ORA-00054: resource busy and acquire with NOWAIT specified
      jdbc | fails | 72000 | 8177 | ORA-08177: can't serialize access for this transaction
      jdbc | unsure | 72000 | 1013 | ORA-01013: user requested cancel of current operation
      jdbc | connect | 08006 | 17002 | IO Error: The Network Adapter could not establish
      """;

  private record Error(String what, String state, int code, String message) {}

  private final long seed;
  private final boolean closingCommits;
  private final List<Error> errors;
  private final Semaphore turn = new Semaphore(1, true);
  private final Map<Mishap, LongAdder> counts = new ConcurrentHashMap<>();
  private volatile LongSupplier clock;

  /** Of each client by itself, so that a seed names what happens to it. */
  private final ThreadLocal<SplitMix> random;

  /** Whether the calling client failed to connect the last time. */
  private final ThreadLocal<Boolean> unreachable = ThreadLocal.withInitial(() -> false);

  /**
   * @param closingCommits whether a connection that is closed commits what is open in it, as JDBC
   *     allows and Oracle does
   */
  Mishaps(String database, long seed, boolean closingCommits) {
    this.seed = seed;
    this.closingCommits = closingCommits;
    this.errors =
        ERRORS
            .lines()
            .map(line -> line.split(" \\| "))
            .filter(parts -> parts[0].equals(database))
            .map(Mishaps::error)
            .toList();
    this.random =
        ThreadLocal.withInitial(
            () -> new SplitMix(this.seed * 1_009 + Thread.currentThread().getName().hashCode()));
  }

  private static Error error(String[] parts) {
    String state = parts[2].equals("-") ? null : parts[2];
    return new Error(parts[1], state, Integer.parseInt(parts[3]), parts[4]);
  }

  /** Begins with mishaps, at times by this clock. */
  void begin(LongSupplier newClock) {
    clock = newClock;
  }

  long now() {
    return clock == null ? 0 : clock.getAsLong();
  }

  /** What happens here now; null for nothing, and always to threads that are not clients. */
  Mishap draw(Mishap.At at) {
    boolean client = Thread.currentThread().getName().startsWith("client ");
    double share = at == Mishap.At.CONNECT && unreachable.get() ? STILL_UNREACHABLE : at.share;
    boolean happens = client && random.get().chance(share);
    if (at == Mishap.At.CONNECT) {
      unreachable.set(happens);
    }
    if (!happens) {
      return null;
    }
    List<Mishap> possible =
        Arrays.stream(Mishap.values()).filter(mishap -> mishap.at == at).toList();
    Mishap drawn = possible.get(random.get().below(possible.size()));
    counts.computeIfAbsent(drawn, mishap -> new LongAdder()).increment();
    return drawn;
  }

  /** How the database reports it. */
  SQLException error(Mishap mishap) {
    String what =
        switch (mishap) {
          case CANNOT_CONNECT -> "connect";
          case LOCK_TIMEOUT -> "timeout";
          case DEADLOCK -> "deadlock";
          case COMMIT_REFUSED, COMMIT_REFUSED_FOR_NOW -> "refused";
          case COMMITTED_UNSURE, NOT_COMMITTED_UNSURE -> "unsure";
          case CANNOT_PREPARE,
              STATEMENT_FAILS,
              STATEMENT_UNANSWERED,
              RESULT_FAILS,
              ROLLBACK_FAILS ->
              "fails";
          default -> "lost";
        };
    List<Error> fitting = new ArrayList<>(errors);
    fitting.removeIf(error -> !error.what().equals(what));
    Error error = fitting.get(random.get().below(fitting.size()));
    return new SQLException(error.message(), error.state(), error.code());
  }

  /** Whose turn it is to have a transaction. */
  Semaphore turn() {
    return turn;
  }

  boolean closingCommits() {
    return closingCommits;
  }

  void dawdle() {
    try {
      TimeUnit.MILLISECONDS.sleep(1 + random.get().below(MAX_DAWDLE_MILLIS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** How often what has happened. */
  Map<Mishap, Long> counts() {
    Map<Mishap, Long> sums = new EnumMap<>(Mishap.class);
    counts.forEach((mishap, count) -> sums.put(mishap, count.sum()));
    return sums;
  }
}
