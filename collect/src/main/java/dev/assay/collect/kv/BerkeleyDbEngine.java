package dev.assay.collect.kv;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Durability;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.LockConflictException;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.TransactionConfig;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.SessionSpec;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Berkeley DB JE in this process; loaded with its library. */
public final class BerkeleyDbEngine implements Engine {
  private final Environment environment;
  private final Database database;

  public BerkeleyDbEngine(Path folder, String id) {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true);
    config.setTransactional(true);
    config.setLockTimeout(1, TimeUnit.SECONDS);
    // What is written survives a kill; only a power failure would need more.
    config.setDurability(Durability.COMMIT_WRITE_NO_SYNC);
    environment = new Environment(folder.toFile(), config);
    DatabaseConfig all = new DatabaseConfig();
    all.setAllowCreate(true);
    all.setTransactional(true);
    database = environment.openDatabase(null, "assay", all);
  }

  @Override
  public KeyValues open(int node, SessionSpec spec) {
    return new Session(spec);
  }

  @Override
  public void close() {
    database.close();
    environment.close();
  }

  private final class Session implements KeyValues {
    private final TransactionConfig config = new TransactionConfig();
    private final LockMode mode;
    private final boolean locksAbsent;
    private Transaction transaction;

    Session(SessionSpec spec) {
      String level = spec.isolation().name();
      config.setReadUncommitted(level.equals(BerkeleyDb.READ_UNCOMMITTED));
      config.setReadCommitted(level.equals(BerkeleyDb.READ_COMMITTED));
      config.setSerializableIsolation(level.equals(BerkeleyDb.SERIALIZABLE));
      locksAbsent = level.equals(BerkeleyDb.SERIALIZABLE);
      mode = spec.forUpdate() ? LockMode.RMW : LockMode.DEFAULT;
    }

    @Override
    public void begin() {
      abort();
      transaction = environment.beginTransaction(null, config);
    }

    @Override
    public String get(String key) throws ClientException {
      return get(key, mode);
    }

    /** Below serializable nothing keeps others from writing a key that is not there yet. */
    @Override
    public String getToChange(String key) throws ClientException {
      String text = get(key, LockMode.RMW);
      if (text != null || locksAbsent) {
        return text;
      }
      try {
        database.putNoOverwrite(transaction, entry(key), entry(""));
      } catch (LockConflictException e) {
        throw refused(e);
      }
      return get(key, LockMode.RMW);
    }

    private String get(String key, LockMode how) throws ClientException {
      DatabaseEntry data = new DatabaseEntry();
      try {
        OperationStatus status = database.get(transaction, entry(key), data, how);
        return status == OperationStatus.SUCCESS ? new String(data.getData(), UTF_8) : null;
      } catch (LockConflictException e) {
        throw refused(e);
      }
    }

    @Override
    public void put(String key, String text) throws ClientException {
      try {
        database.put(transaction, entry(key), entry(text));
      } catch (LockConflictException e) {
        throw refused(e);
      }
    }

    @Override
    public void commit() throws ClientException {
      Transaction ending = transaction;
      try {
        ending.commit();
        transaction = null;
      } catch (LockConflictException e) {
        throw refused(e);
      }
    }

    @Override
    public void rollback() {
      abort();
    }

    private void abort() {
      Transaction ending = transaction;
      transaction = null;
      if (ending != null) {
        ending.abort();
      }
    }

    @Override
    public void close() {
      abort();
    }
  }

  private static DatabaseEntry entry(String text) {
    return new DatabaseEntry(text.getBytes(UTF_8));
  }

  /** A transaction that met a lock can only be aborted. */
  private static ClientException refused(LockConflictException e) {
    String kind = e.getClass().getSimpleName();
    return new ClientException(Failure.REFUSED, kind, false, e.getMessage(), e);
  }
}
