package dev.assay.collect.db;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.vendor.Databases;
import dev.assay.collect.server.AsOrdinaryUser;
import dev.assay.collect.server.ServerProcess;
import dev.assay.collect.server.TemporaryFolder;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A real PgBouncer in transaction mode, in front of a PostgreSQL that Assay started. */
public final class PgBouncer implements AutoCloseable {
  /** More clients than this have to share. */
  public static final int SERVER_CONNECTIONS = 4;

  private final TemporaryFolder folder;
  private final ServerProcess process;
  private final int port;

  private PgBouncer(TemporaryFolder folder, ServerProcess process, int port) {
    this.folder = folder;
    this.process = process;
    this.port = port;
  }

  /**
   * Starts one; without the program the test is skipped, which {@code ./test} never lets happen.
   */
  public static PgBouncer before(Connector postgres) throws IOException {
    Path program = program();
    TemporaryFolder folder = TemporaryFolder.create("assay-pgbouncer");
    int port = ServerProcess.freePort();
    Path config = folder.path().resolve("pgbouncer.ini");
    String server = postgres.url().replaceFirst(".*:(\\d+)/.*", "$1");
    Files.writeString(
        config,
        String.join(
            "\n",
            "[databases]",
            "postgres = host=127.0.0.1 port=" + server + " user=postgres",
            "[pgbouncer]",
            "listen_addr = 127.0.0.1",
            "listen_port = " + port,
            "unix_socket_dir =",
            "auth_type = any",
            "pool_mode = transaction",
            "default_pool_size = " + SERVER_CONNECTIONS,
            "ignore_startup_parameters = extra_float_digits",
            ""));
    AsOrdinaryUser user = AsOrdinaryUser.owning(folder.path());
    ServerProcess process =
        new ServerProcess(
            "PgBouncer",
            user.command(program, List.of(config.toString())),
            folder.path().resolve("log"),
            port);
    process.start();
    return new PgBouncer(folder, process, port);
  }

  private static Path program() {
    return Stream.concat(
            Stream.of(System.getenv("PATH").split(File.pathSeparator)), Stream.of("/usr/sbin"))
        .map(folder -> Path.of(folder, "pgbouncer"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseGet(
            () ->
                Assumptions.abort("PgBouncer is not installed: sudo apt-get install -y pgbouncer"));
  }

  /** What a user names who does not know of the pool. */
  public Target target() {
    return Target.at(
        Databases.byId("postgres").orElseThrow(),
        "postgres",
        null,
        "jdbc:postgresql://127.0.0.1:" + port + "/postgres");
  }

  @Override
  public void close() {
    process.stop();
    folder.close();
  }
}
