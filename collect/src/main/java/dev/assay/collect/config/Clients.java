package dev.assay.collect.config;

import dev.assay.collect.client.Client;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.kv.KeyValueStores;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** The stores that can be named: those that Assay knows, and those of plug-ins. */
public final class Clients {
  private static final List<Client> ADDED = new CopyOnWriteArrayList<>();

  private Clients() {}

  public static List<Client> all() {
    List<Client> all = new ArrayList<>(own());
    all.addAll(ADDED);
    return all;
  }

  /** Those that are part of Assay. */
  private static List<Client> own() {
    List<Client> own = new ArrayList<>(Databases.all());
    own.addAll(KeyValueStores.all());
    return own;
  }

  /** The one that runs when none is named. */
  public static Client standard() {
    return Databases.standard();
  }

  public static List<String> ids() {
    return all().stream().map(Client::id).toList();
  }

  public static Optional<Client> byId(String id) {
    String wanted = id.toLowerCase(Locale.ROOT);
    return all().stream().filter(client -> client.id().equals(wanted)).findFirst();
  }

  /** Makes a client known for the rest of this process; one of the same name is replaced. */
  public static void add(Client client) {
    if (own().stream().anyMatch(one -> one.id().equals(client.id()))) {
      throw new UsageException("rename the client " + client.id() + ": Assay has one of that name");
    }
    ADDED.removeIf(one -> one.id().equals(client.id()));
    ADDED.add(client);
  }
}
