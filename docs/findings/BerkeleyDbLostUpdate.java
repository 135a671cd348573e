import com.sleepycat.je.Database;
import com.sleepycat.je.DatabaseConfig;
import com.sleepycat.je.DatabaseEntry;
import com.sleepycat.je.Environment;
import com.sleepycat.je.EnvironmentConfig;
import com.sleepycat.je.JEVersion;
import com.sleepycat.je.LockConflictException;
import com.sleepycat.je.LockMode;
import com.sleepycat.je.OperationStatus;
import com.sleepycat.je.Transaction;
import com.sleepycat.je.TransactionConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Eight threads read and write a few keys of an empty Berkeley DB JE with serializable isolation,
 * until two transactions that read the same version of a key both commit a write of it. Prints what
 * the transactions of that attempt saw as a history.
 *
 * <pre>java -cp je-18.3.12.jar docs/findings/BerkeleyDbLostUpdate.java [ATTEMPTS [MODE]]</pre>
 *
 * MODE is how transactions read what they are about to write: RMW, which takes a write lock at once
 * and is the default, or DEFAULT.
 */
public class BerkeleyDbLostUpdate {
  private static final int THREADS = 8;
  private static final int KEYS = 4;
  private static final int TRANSACTIONS = 3;

  public static void main(String[] arguments) throws IOException, InterruptedException {
    int attempts = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 200;
    LockMode mode = LockMode.RMW;
    if (arguments.length > 1 && arguments[1].equals("DEFAULT")) {
      mode = LockMode.DEFAULT;
    }
    int commits = 0;
    for (int attempt = 1; attempt <= attempts; attempt++) {
      List<Update> updates = attempt(mode);
      commits += updates.size();
      if (isLost(updates)) {
        System.out.printf(
            "{\"assay\":1,\"metadata\":{\"database\":\"Berkeley DB JE %s\","
                + "\"isolation\":\"serializable\"}}%n",
            JEVersion.CURRENT_VERSION);
        updates.forEach(update -> System.out.println(update.line()));
        System.err.println("lost in attempt " + attempt + ", after " + commits + " commits");
        System.exit(1);
      }
    }
    System.err.println("no update was lost in " + attempts + " attempts, " + commits + " commits");
  }

  /** A committed transaction; {@code read} is null if the key was not there. */
  record Update(int thread, long start, long end, int key, String read, String written) {
    String line() {
      return String.format(
          "{\"session\":%d,\"start\":%d,\"end\":%d,\"ops\":[[\"r\",%d,%s],[\"w\",%d,%s]]}",
          thread, start, end, key, read, key, written);
    }
  }

  private static boolean isLost(List<Update> updates) {
    Set<String> replaced = new HashSet<>();
    return updates.stream().anyMatch(one -> !replaced.add(one.key() + " " + one.read()));
  }

  private static List<Update> attempt(LockMode mode) throws IOException, InterruptedException {
    EnvironmentConfig config = new EnvironmentConfig();
    config.setAllowCreate(true);
    config.setTransactional(true);
    config.setLockTimeout(300, TimeUnit.MILLISECONDS);
    DatabaseConfig all = new DatabaseConfig();
    all.setAllowCreate(true);
    all.setTransactional(true);
    TransactionConfig serializable = new TransactionConfig();
    serializable.setSerializableIsolation(true);
    List<Update> updates = Collections.synchronizedList(new ArrayList<>());
    Environment environment =
        new Environment(Files.createTempDirectory("je").toFile(), config);
    Database database = environment.openDatabase(null, "numbers", all);
    CountDownLatch begin = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                await(begin);
                for (int n = 0; n < TRANSACTIONS; n++) {
                  int key = (number + n) % KEYS;
                  String written = Integer.toString(number * 10 + n + 1);
                  long start = System.nanoTime();
                  Transaction transaction = environment.beginTransaction(null, serializable);
                  try {
                    String read = read(database, transaction, key, mode);
                    database.put(transaction, entry("" + key), entry(written));
                    transaction.commit();
                    long end = System.nanoTime();
                    updates.add(new Update(number, start, end, key, read, written));
                  } catch (LockConflictException e) {
                    transaction.abort();
                  }
                }
              });
      threads.add(thread);
      thread.start();
    }
    begin.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    database.close();
    environment.close();
    return updates;
  }

  private static String read(Database database, Transaction transaction, int key, LockMode mode) {
    DatabaseEntry data = new DatabaseEntry();
    OperationStatus status = database.get(transaction, entry("" + key), data, mode);
    return status == OperationStatus.SUCCESS ? new String(data.getData()) : null;
  }

  private static DatabaseEntry entry(String text) {
    return new DatabaseEntry(text.getBytes());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
