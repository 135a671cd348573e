package dev.assay.collect.kv;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.ClientSession;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Failure;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.client.Target;
import dev.assay.collect.db.Drivers;
import dev.assay.history.OpKind.Type;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What transactions of libraries do, step by step; the same steps show what each level allows. */
class KeyValueStoresTest {
  @TempDir Path kept;

  private interface Steps {
    void on(ClientSession one, ClientSession other) throws Exception;
  }

  private static Client client(String id) {
    return KeyValueStores.all().stream().filter(c -> c.id().equals(id)).findFirst().orElseThrow();
  }

  private void run(String id, String level, boolean forUpdate, Steps steps) throws Exception {
    Client client = client(id);
    Isolation isolation =
        client.isolations().stream().filter(i -> i.name().equals(level)).findFirst().orElseThrow();
    try (Cluster cluster = open(client)) {
      cluster.newData().create();
      SessionSpec spec = new SessionSpec(isolation, forUpdate, true, false);
      try (ClientSession one = cluster.open(0, spec);
          ClientSession other = cluster.open(0, spec)) {
        steps.on(one, other);
      }
    }
  }

  private Cluster open(Client client) throws IOException {
    return client.open(new Drivers(kept, text -> {}).opening(Target.embedded(client, null), 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"rocksdb", "rocksdb-optimistic", "berkeleydb"})
  void listsRegistersAndSetsAreKept(String id) throws Exception {
    run(
        id,
        "serializable",
        false,
        (one, other) -> {
          one.begin();
          assertThat(one.readNumber(Type.REGISTER, 1)).isEqualTo(ClientSession.NONE);
          one.write(Type.REGISTER, 1, -5);
          one.write(Type.LIST, 1, 7);
          one.write(Type.LIST, 1, 8);
          one.write(Type.SET, 1, 9);
          assertThat(one.readElements(Type.LIST, 1)).isEqualTo(2);
          one.commit();
          one.begin();
          one.write(Type.REGISTER, 1, 6);
          one.rollback();
          other.begin();
          assertThat(other.readNumber(Type.REGISTER, 1)).isEqualTo(-5);
          assertThat(other.readElements(Type.LIST, 1)).isEqualTo(2);
          assertThat(other.elements()).startsWith(7, 8);
          assertThat(other.readElements(Type.SET, 1)).isEqualTo(1);
          other.commit();
        });
  }

  /** Each reads what the other writes: a write skew, if both commit. */
  @ParameterizedTest
  @CsvSource({
    "rocksdb,snapshot,false,true",
    "rocksdb,snapshot,true,false",
    "rocksdb,serializable,false,false",
    "rocksdb-optimistic,snapshot,false,true",
    "rocksdb-optimistic,snapshot,true,false",
    "rocksdb-optimistic,serializable,false,false",
    "berkeleydb,read-committed,false,true",
    "berkeleydb,repeatable-read,false,false",
    "berkeleydb,serializable,false,false"
  })
  void writeSkew(String id, String level, boolean forUpdate, boolean happens) throws Exception {
    run(
        id,
        level,
        forUpdate,
        (one, other) -> {
          one.begin();
          one.write(Type.REGISTER, 1, 0);
          one.write(Type.REGISTER, 2, 0);
          one.commit();
          one.begin();
          one.readNumber(Type.REGISTER, 1);
          other.begin();
          other.readNumber(Type.REGISTER, 2);
          // Locks make the first wait for the second, so each needs a thread.
          ExecutorService threads = Executors.newFixedThreadPool(2);
          List<Future<Boolean>> commits = new ArrayList<>();
          commits.add(threads.submit(() -> writeAndCommit(one, 2)));
          commits.add(threads.submit(() -> writeAndCommit(other, 1)));
          threads.shutdown();
          boolean first = commits.get(0).get();
          boolean second = commits.get(1).get();
          assertThat(first && second).isEqualTo(happens);
        });
  }

  private static boolean writeAndCommit(ClientSession session, long key) throws ClientException {
    try {
      session.write(Type.REGISTER, key, 1);
      session.commit();
      return true;
    } catch (ClientException e) {
      assertThat(e.failure()).isEqualTo(Failure.REFUSED);
      session.rollback();
      return false;
    }
  }

  /** Without getForUpdate nothing tells RocksDB that a write depends on what was read. */
  @ParameterizedTest
  @CsvSource({"false,true", "true,false"})
  void updatesAreLostAtReadCommittedUnlessReadForUpdate(boolean forUpdate, boolean happens)
      throws Exception {
    run(
        "rocksdb-optimistic",
        "read-committed",
        forUpdate,
        (one, other) -> {
          one.begin();
          one.readNumber(Type.REGISTER, 1);
          other.begin();
          assertThat(writeAndCommit(other, 1)).isTrue();
          assertThat(writeAndCommit(one, 1)).isEqualTo(happens);
        });
  }
}
