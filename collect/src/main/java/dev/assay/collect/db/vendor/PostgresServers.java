package dev.assay.collect.db.vendor;

import dev.assay.collect.client.Node;
import dev.assay.collect.client.Topology;
import dev.assay.collect.cluster.Clock;
import dev.assay.collect.cluster.Links;
import dev.assay.collect.cluster.Members;
import dev.assay.collect.cluster.PeerWires;
import dev.assay.collect.db.Server;
import dev.assay.collect.db.Setup;
import dev.assay.collect.server.AsOrdinaryUser;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Wire;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * PostgreSQL servers that Assay starts: one, or a primary with streaming replicas. The published
 * binaries have no pg_basebackup, but a copy of a database that never ran is a base backup as well.
 *
 * <p>Clients, and replicas, reach a server by a {@link Wire}, so that a replica that is promoted
 * can take the place of the primary at its address.
 */
final class PostgresServers {
  private static final String USER = "postgres";

  private final Setup setup;
  private final Path program;
  private final TemporaryFolder folder;
  private final AsOrdinaryUser user;
  private final PeerWires replication = new PeerWires();
  private final List<Integer> ports = new ArrayList<>();
  private final Members members;

  /** The place of the primary, and how many of the servers before it are gone. */
  private int primary;

  private PostgresServers(Setup setup, Path program, TemporaryFolder folder) throws IOException {
    this.setup = setup;
    this.program = program;
    this.folder = folder;
    this.user = AsOrdinaryUser.owning(folder.path());
    boolean replicas = setup.topology().replicas() > 0;
    this.members =
        new Members(replicas ? replication : Links.NONE, false, replicas ? this::promote : null);
  }

  static Server start(Setup setup, Path program) throws IOException {
    TemporaryFolder folder = TemporaryFolder.create("assay-postgres");
    PostgresServers servers = null;
    try {
      servers = new PostgresServers(setup, program, folder);
      return servers.start();
    } catch (IOException | RuntimeException e) {
      if (servers != null) {
        servers.members.close();
      }
      folder.close();
      throw e;
    }
  }

  private Server start() throws IOException {
    Path data = data(0);
    List<String> initialise =
        List.of("-D", data.toString(), "-A", "trust", "-U", USER, "-E", "UTF8", "-N");
    ServerProcess.execute("initdb", user.command(program.resolve("bin/initdb"), initialise), null);
    int replicas = setup.topology().replicas();
    for (int i = 1; i <= replicas; i++) {
      ServerProcess.execute(
          "copying the data",
          user.command(Path.of("cp"), List.of("-a", data.toString(), data(i).toString())),
          null);
      ServerProcess.execute(
          "marking a replica",
          user.command(Path.of("touch"), List.of(data(i).resolve("standby.signal").toString())),
          null);
    }
    boolean wired = replicas > 0 || setup.topology().wired();
    List<OwnServer.Address> addresses = new ArrayList<>();
    for (int i = 0; i <= replicas; i++) {
      ports.add(ServerProcess.freePort());
      Wire clients = wired ? new Wire(ports.get(i)) : null;
      Clock clock = Clock.of(setup.topology(), folder.path().resolve("clock" + i));
      ServerProcess process =
          new ServerProcess(
              "PostgreSQL", command(i), clock.environment(), log(i), Wire.loopback(ports.get(i)));
      Members.Member member = new Members.Member(name(i, replicas), process, clients, clock);
      members.add(member);
      String url = "jdbc:postgresql://127.0.0.1:" + member.port(ports.get(i)) + "/postgres";
      addresses.add(new OwnServer.Address(role(i, replicas), url));
      process.start();
    }
    Properties properties = new Properties();
    properties.setProperty("user", USER);
    return new OwnServer(members, addresses, folder, properties, "SHOW data_directory");
  }

  /** The port by which a replica reaches the primary. */
  private int wireToPrimary(int replica) throws IOException {
    Wire wire = new Wire(Wire.loopback(ports.get(0)), caller -> replica);
    replication.add(0, wire);
    return wire.port();
  }

  private Path data(int i) {
    return folder.path().resolve(i == 0 ? "data" : "data" + i);
  }

  private Path log(int i) {
    return folder.path().resolve(i == 0 ? "log" : "log" + i);
  }

  private static Node.Role role(int i, int replicas) {
    return replicas == 0 ? Node.Role.NODE : i == 0 ? Node.Role.PRIMARY : Node.Role.REPLICA;
  }

  private static String name(int i, int replicas) {
    return replicas == 0 ? "the server" : i == 0 ? "primary" : "replica " + i;
  }

  private List<String> command(int i) throws IOException {
    List<String> serve = new ArrayList<>(List.of("-D", data(i).toString()));
    serve.addAll(List.of("-h", "127.0.0.1", "-k", "", "-p", "" + ports.get(i)));
    // A replica needs as many as the servers that it follows, and as initdb had.
    int connections = setup.connections() + 20;
    set(serve, "max_connections=" + (i == 0 ? connections : Math.max(100, connections)));
    // What is written survives a kill; only a power failure would need more.
    set(serve, "fsync=off");
    // Clients that meet on few keys would spend most of their time waiting for the detector.
    set(serve, "deadlock_timeout=20ms");
    Topology topology = setup.topology();
    if (topology.replicas() > 0) {
      // What a replica that was away still needs must not be recycled.
      set(serve, "max_wal_size=4GB");
      set(serve, "checkpoint_timeout=1h");
      String others = others(i, topology.replicas());
      if (topology.replication() != Topology.Replication.ASYNC && !others.isEmpty()) {
        set(serve, "synchronous_standby_names=FIRST 1 (" + others + ")");
        boolean shown = topology.replication() == Topology.Replication.APPLY;
        set(serve, "synchronous_commit=" + (shown ? "remote_apply" : "on"));
      }
    }
    if (i > 0) {
      String at = "host=127.0.0.1 port=" + wireToPrimary(i) + " user=" + USER;
      set(serve, "primary_conninfo=" + at + " application_name=replica" + i);
      set(serve, "wal_retrieve_retry_interval=200ms");
      // A reader that is cut off would hold up a promotion for half a minute.
      set(serve, "max_standby_streaming_delay=1s");
    }
    for (String option : setup.arguments("")) {
      set(serve, option);
    }
    return user.command(program.resolve("bin/postgres"), serve);
  }

  private static void set(List<String> command, String option) {
    command.addAll(List.of("-c", option));
  }

  /** The replicas that may follow a server, as the server knows them. */
  private static String others(int i, int replicas) {
    List<String> names = new ArrayList<>();
    for (int other = i + 1; other <= replicas; other++) {
      names.add("replica" + other);
    }
    return String.join(", ", names);
  }

  /** Kills the primary for good; the next replica takes its place for clients and replicas. */
  private synchronized void promote() throws IOException {
    if (primary + 1 == ports.size()) {
      throw new ServerException("there is no replica left to be promoted");
    }
    members.get(primary).process().stop();
    primary++;
    ServerProcess.execute(
        "pg_ctl promote",
        user.command(
            program.resolve("bin/pg_ctl"),
            List.of("promote", "-w", "-D", data(primary).toString())),
        null);
    SocketAddress address = Wire.loopback(ports.get(primary));
    members.get(0).clients().leadTo(address);
    replication.leadTo(primary, address);
  }
}
