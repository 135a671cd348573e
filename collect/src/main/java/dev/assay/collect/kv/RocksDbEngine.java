package dev.assay.collect.kv;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.SessionSpec;
import java.nio.file.Path;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.OptimisticTransactionOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteOptions;

/** RocksDB in this process; loaded with its library. */
public final class RocksDbEngine implements Engine {
  private static final long LOCK_MILLIS = 1000;

  private final Options options = new Options().setCreateIfMissing(true);
  private final TransactionDBOptions locks =
      new TransactionDBOptions().setTransactionLockTimeout(LOCK_MILLIS);
  private final RocksDB database;

  public RocksDbEngine(Path folder, String id) throws RocksDBException {
    RocksDB.loadLibrary();
    boolean optimistic = id.endsWith("-optimistic");
    database =
        optimistic
            ? OptimisticTransactionDB.open(options, folder.toString())
            : TransactionDB.open(options, locks, folder.toString());
  }

  @Override
  public KeyValues open(int node, SessionSpec spec) {
    return new Session(spec);
  }

  @Override
  public void close() {
    database.close();
    locks.close();
    options.close();
  }

  private final class Session implements KeyValues {
    private final boolean snapshot;
    private final boolean forUpdate;
    private final WriteOptions writing = new WriteOptions();
    private Transaction transaction;
    private ReadOptions reading;

    Session(SessionSpec spec) {
      String level = spec.isolation().name();
      snapshot = !level.equals(RocksDb.READ_COMMITTED);
      forUpdate = spec.forUpdate() || level.equals(RocksDb.SERIALIZABLE);
    }

    @Override
    public void begin() {
      end();
      transaction = begun();
      reading = new ReadOptions();
      if (snapshot) {
        reading.setSnapshot(transaction.getSnapshot());
      }
    }

    private Transaction begun() {
      if (database instanceof OptimisticTransactionDB optimistic) {
        try (OptimisticTransactionOptions how = new OptimisticTransactionOptions()) {
          return optimistic.beginTransaction(writing, how.setSetSnapshot(snapshot));
        }
      }
      try (TransactionOptions how = new TransactionOptions()) {
        how.setSetSnapshot(snapshot).setDeadlockDetect(true).setLockTimeout(LOCK_MILLIS);
        return ((TransactionDB) database).beginTransaction(writing, how);
      }
    }

    @Override
    public String get(String key) throws ClientException {
      return get(key, forUpdate, false);
    }

    /** An append must not lose what others appended since it read, at any level. */
    @Override
    public String getToChange(String key) throws ClientException {
      return get(key, true, true);
    }

    private String get(String key, boolean counts, boolean alone) throws ClientException {
      try {
        byte[] name = key.getBytes(UTF_8);
        byte[] value =
            counts
                ? transaction.getForUpdate(reading, name, alone)
                : transaction.get(reading, name);
        return value == null ? null : new String(value, UTF_8);
      } catch (RocksDBException e) {
        throw failed(e);
      }
    }

    @Override
    public void put(String key, String text) throws ClientException {
      try {
        transaction.put(key.getBytes(UTF_8), text.getBytes(UTF_8));
      } catch (RocksDBException e) {
        throw failed(e);
      }
    }

    @Override
    public void commit() throws ClientException {
      try {
        transaction.commit();
      } catch (RocksDBException e) {
        throw failed(e);
      }
      end();
    }

    @Override
    public void rollback() throws ClientException {
      try {
        if (transaction != null) {
          transaction.rollback();
        }
      } catch (RocksDBException e) {
        throw failed(e);
      }
      end();
    }

    private void end() {
      if (transaction != null) {
        reading.close();
        transaction.close();
        transaction = null;
      }
    }

    @Override
    public void close() {
      end();
      writing.close();
    }
  }

  /** What these say is that another transaction was in the way, and that nothing was written. */
  private static ClientException failed(RocksDBException e) {
    Status status = e.getStatus();
    boolean refused =
        status != null
            && switch (status.getCode()) {
              case Busy, TimedOut, TryAgain, Aborted, Expired -> true;
              default -> false;
            };
    String kind = status == null ? null : status.getCodeString();
    Failure failure = refused ? Failure.REFUSED : Failure.LOST;
    return new ClientException(failure, kind, false, e.getMessage(), e);
  }
}
