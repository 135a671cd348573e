package dev.assay.collect.kv;

import dev.assay.collect.client.Client;
import java.util.List;

/** The stores of keys and texts that Assay knows. */
public final class KeyValueStores {
  private static final List<Client> ALL =
      List.of(
          new RocksDb("rocksdb", "RocksDB"),
          new RocksDb("rocksdb-optimistic", "RocksDB optimistic"),
          new BerkeleyDb(),
          new Etcd());

  private KeyValueStores() {}

  public static List<Client> all() {
    return ALL;
  }
}
