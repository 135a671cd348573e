package dev.assay.cli;

import dev.assay.check.LevelChecker;
import dev.assay.cli.option.Command;
import dev.assay.cli.option.CommonOptions;
import dev.assay.cli.option.Options;
import dev.assay.cli.process.ExitCode;
import dev.assay.cli.process.Inputs;
import dev.assay.cli.process.Terminal;
import dev.assay.cli.run.RunOptions;
import dev.assay.collect.config.UsageException;
import dev.assay.collect.judge.Checkers;
import dev.assay.web.http.WebServer;
import java.io.IOException;
import java.io.PrintStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** {@code assay serve}: the web interface. */
final class ServeCommand implements Command {
  private static final String NOTES =
      """
      Prints an address with a token that works once, for the first browser.
      Runs are executed one after another, each step in its own process. Runs still
      queued when the server stops continue at its next start. Ctrl-C stops it.

      A plug-in folder holds jars with checkers in Java, and JSON files that describe
      external commands; docs/web.md has an example of each.

      Examples:
        assay serve
        assay serve --port 8080 --store ~/runs
        assay serve --plugins plugins --max-upload 4g
      """;

  private static final int STANDARD_PORT = 7717;

  private final CommonOptions common = new CommonOptions();

  private int port = STANDARD_PORT;
  private String host = "127.0.0.1";
  private String store = "assay-runs";
  private String plugins;
  private String maxUpload = "1g";
  private int parallel = 1;

  @Override
  public void declare(Options options) {
    options.command(
        "serve",
        "Serves the web interface: configure runs, watch them, browse their results.",
        "[OPTION]...",
        NOTES);
    common.declare(options);
    options.value(
        "--port",
        Integer.class,
        "N",
        "Port, 0 for any free one (default: 7717).",
        given -> port = given);
    options.text(
        "--host",
        "NAME",
        "Address to listen on (default: 127.0.0.1, this machine only).",
        given -> host = given);
    options.text(
        "--store", "DIR", "Folder for the runs (default: assay-runs).", given -> store = given);
    options.text(
        "--plugins",
        "DIR",
        "Plug-in folder, with third-party checkers and clients (default: none).",
        given -> plugins = given);
    options.text(
        "--max-upload",
        "SIZE",
        "Maximum size of an uploaded history, such as 512m or 2g (default: 1g).",
        given -> maxUpload = given);
    options.value(
        "--parallel",
        Integer.class,
        "N",
        "Runs to execute at a time (default: 1, so that none disturbs another).",
        given -> parallel = given);
  }

  @Override
  public int run(Terminal terminal) throws IOException {
    if (port < 0 || port > 65535) {
      throw new UsageException("--port must be between 0 and 65535");
    }
    if (parallel < 1 || parallel > 64) {
      throw new UsageException("--parallel must be between 1 and 64");
    }
    PrintStream err = terminal.err();
    try (WebServer server =
        WebServer.start(settings(), names(), text -> err.println("assay: " + text))) {
      terminal.out().println("Assay is at " + server.loginAddress());
      terminal.out().flush();
      if (!common.quiet) {
        err.println("assay: the address works once; runs are kept in " + store + "; Ctrl-C ends");
        if (!InetAddress.getByName(host).isLoopbackAddress()) {
          err.println(
              "assay: other machines can reach this address, and traffic is not encrypted;"
                  + " forwarding a port with ssh is safer");
        }
      }
      awaitEnd(server);
    } catch (BindException e) {
      throw new UsageException(
          "cannot listen on " + host + ":" + port + ": " + e.getMessage() + "; see --port");
    }
    return ExitCode.OK;
  }

  private WebServer.Settings settings() throws IOException {
    try {
      if (InetAddress.getByName(host).isAnyLocalAddress()) {
        // The Host header of a request must be compared with one name.
        throw new UsageException("--host must be one address or name of this machine");
      }
    } catch (UnknownHostException e) {
      throw new UsageException("--host: there is no '" + host + "'");
    }
    Path folder = plugins == null ? null : Inputs.path(plugins).toAbsolutePath();
    return new WebServer.Settings(
        host,
        port,
        Inputs.path(store),
        folder,
        Inputs.bytes(maxUpload),
        parallel,
        WebServer.Settings.PATIENCE,
        Main.class.getName());
  }

  private List<String> names() {
    Path folder = plugins == null ? null : Inputs.path(plugins);
    RunOptions.addPlugins(plugins);
    return Checkers.plugins(folder).stream().map(LevelChecker::name).toList();
  }

  /** Until Ctrl-C or a request of the system to end; then the children are ended first. */
  private static void awaitEnd(WebServer server) {
    CountDownLatch over = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(server::close));
    try {
      over.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
