package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Node;
import dev.assay.collect.cluster.Clock;
import dev.assay.collect.cluster.Members;
import dev.assay.collect.cluster.Namespaces;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.Programs;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Wire;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A Galera cluster of the programs of this machine, each node in a network of its own: nodes tell
 * each other the address that they listen at, so that nothing can be put between them on loopback.
 * Clients come in by sockets in files.
 */
final class GaleraServers {
  private static final String PACKAGES = "mariadb-server galera-4 rsync";
  private static final List<Path> PROVIDERS =
      List.of(
          Path.of("/usr/lib/galera/libgalera_smm.so"),
          Path.of("/usr/lib64/galera-4/libgalera_smm.so"),
          Path.of("/usr/lib/libgalera_smm.so"));

  private final Setup setup;
  private final TemporaryFolder folder;
  private final Namespaces networks;
  private final Members members;

  private GaleraServers(Setup setup, TemporaryFolder folder, Namespaces networks) {
    this.setup = setup;
    this.folder = folder;
    this.networks = networks;
    this.members = new Members(networks, true, null);
  }

  static Server start(Setup setup) throws IOException {
    if (setup.version() != null) {
      throw new ServerException(
          "Galera is the one that is installed; its version cannot be chosen");
    }
    for (String program : List.of("mariadbd", "mariadb-install-db", "rsync", "wsrep_sst_rsync")) {
      Programs.require(program, PACKAGES);
    }
    Namespaces networks = Namespaces.create(setup.topology().nodes());
    TemporaryFolder folder = TemporaryFolder.create("assay-galera");
    GaleraServers servers = new GaleraServers(setup, folder, networks);
    try {
      return servers.start();
    } catch (IOException | RuntimeException e) {
      servers.members.close();
      folder.close();
      throw e;
    }
  }

  private static Path provider() throws ServerException {
    return PROVIDERS.stream()
        .filter(Files::isReadable)
        .findFirst()
        .orElseThrow(
            () ->
                new ServerException(
                    "there is no libgalera_smm.so; on Debian: apt-get install -y " + PACKAGES));
  }

  private Server start() throws IOException {
    int count = setup.topology().nodes();
    List<OwnServer.Address> addresses = new ArrayList<>();
    for (int node = 0; node < count; node++) {
      setup.progress().accept("starting node " + (node + 1) + " of " + count);
      initialise(node);
      SocketAddress socket = UnixDomainSocketAddress.of(data(node).resolve("s"));
      Clock clock = Clock.of(setup.topology(), folder.path().resolve("clock" + node));
      ServerProcess process =
          new ServerProcess(
              "MariaDB Galera",
              networks.command(node, command(node)),
              clock.environment(),
              folder.path().resolve("log" + node),
              socket);
      Wire clients = new Wire(socket, caller -> -1);
      members.add(new Members.Member("node " + (node + 1), process, clients, clock));
      addresses.add(new OwnServer.Address(Node.Role.NODE, MariaDb.url(clients.port())));
      // The others get their data from the first.
      process.start(node == 0 ? List.of("--wsrep-new-cluster") : List.of());
    }
    return new OwnServer(members, addresses, folder, MariaDb.asRoot(), "SELECT @@datadir");
  }

  private Path data(int node) {
    return folder.path().resolve("data" + node);
  }

  private void initialise(int node) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Programs.require("mariadb-install-db", PACKAGES).toString());
    command.addAll(List.of("--no-defaults", "--datadir=" + data(node), "--skip-test-db"));
    command.add("--auth-root-authentication-method=normal");
    ServerProcess.execute("initialising MariaDB", networks.command(node, command), null);
    // A folder is a database.
    Files.createDirectory(data(node).resolve("assay"));
  }

  private List<String> command(int node) throws IOException {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < setup.topology().nodes(); i++) {
      all.add(networks.address(i));
    }
    String address = networks.address(node);
    List<String> command = new ArrayList<>();
    command.add(Programs.require("mariadbd", PACKAGES).toString());
    command.addAll(List.of("--no-defaults", "--datadir=" + data(node)));
    command.addAll(List.of("--socket=" + data(node).resolve("s"), "--bind-address=" + address));
    command.addAll(MariaDb.settings(setup));
    command.addAll(List.of("--binlog-format=ROW", "--innodb-autoinc-lock-mode=2"));
    command.addAll(List.of("--wsrep-on=ON", "--wsrep-provider=" + provider()));
    command.add("--wsrep-cluster-address=gcomm://" + String.join(",", all));
    command.addAll(List.of("--wsrep-node-address=" + address, "--wsrep-node-name=node" + node));
    command.addAll(List.of("--wsrep-sst-method=rsync", "--wsrep-slave-threads=4"));
    command.addAll(setup.arguments("--"));
    return command;
  }
}
