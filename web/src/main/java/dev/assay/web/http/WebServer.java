package dev.assay.web.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.assay.collect.runs.RunStore;
import dev.assay.web.page.Layout;
import dev.assay.web.run.Launcher;
import dev.assay.web.run.RunQueue;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** The web interface while it runs. */
public final class WebServer implements AutoCloseable {
  /**
   * What is served, and how.
   *
   * @param host the address or name to listen on
   * @param port the port, or 0 for any that is free
   * @param store the folder of the runs
   * @param plugins the plug-in folder, or null
   * @param maxUpload the most bytes of a history that is sent
   * @param parallel how many runs are worked on at a time
   * @param patience how long a client may keep a thread waiting
   * @param mainClass the class that takes a command line of Assay, for child processes
   */
  public record Settings(
      String host,
      int port,
      Path store,
      Path plugins,
      long maxUpload,
      int parallel,
      Duration patience,
      String mainClass) {
    /** How long clients are waited for by default. */
    public static final Duration PATIENCE = Duration.ofSeconds(20);
  }

  private static final int CONNECTIONS = 4 * Workers.MOST;

  /** Connections that may wait to be taken; the standard of 50 makes a burst of them wait. */
  private static final int BACKLOG = 1024;

  private final StoreLock lock;
  private final HttpServer server;
  private final Workers workers;
  private final Guard guard;
  private final Routes routes;
  private final RunQueue queue;
  private final Consumer<String> say;
  private final String host;

  private WebServer(Settings settings, List<String> plugins, Consumer<String> say)
      throws IOException {
    // Connections that send nothing take no thread, so there may be more of them than of those.
    System.setProperty("jdk.httpserver.maxConnections", Integer.toString(CONNECTIONS));
    System.setProperty("sun.net.httpserver.maxIdleConnections", Integer.toString(Workers.MOST));
    System.setProperty(
        "sun.net.httpserver.idleInterval",
        Long.toString(Math.max(1, settings.patience().toSeconds())));
    // Heads and bodies are sent one after the other, and the second would wait for word of the
    // first.
    System.setProperty("sun.net.httpserver.nodelay", "true");
    InetAddress address = InetAddress.getByName(settings.host());
    this.lock = StoreLock.take(settings.store());
    this.say = say;
    this.host = settings.host();
    this.server = listen(new InetSocketAddress(address, settings.port()));
    int port = server.getAddress().getPort();
    this.guard = new Guard(hosts(settings.host(), address, port), port);
    RunStore store = RunStore.open(settings.store());
    Uploads uploads = new Uploads(store.folder().resolve(".uploads"), settings.maxUpload());
    this.queue =
        new RunQueue(
            store, new Launcher(settings.mainClass()), settings.plugins(), settings.parallel());
    this.routes = new Routes(store, queue, uploads, plugins);
    this.workers = new Workers(settings.patience());
    server.setExecutor(workers);
    server.createContext("/", this::handle);
    server.start();
  }

  /**
   * Starts a server.
   *
   * @param plugins the names of the checkers in the plug-in folder
   * @param say takes messages for the terminal
   */
  public static WebServer start(Settings settings, List<String> plugins, Consumer<String> say)
      throws IOException {
    return new WebServer(settings, plugins, say);
  }

  private HttpServer listen(InetSocketAddress place) throws IOException {
    try {
      return HttpServer.create(place, BACKLOG);
    } catch (IOException e) {
      lock.release();
      throw e;
    }
  }

  private static Set<String> hosts(String host, InetAddress address, int port) {
    Set<String> hosts = new LinkedHashSet<>();
    hosts.add(named(host) + ":" + port);
    if (address.isLoopbackAddress()) {
      hosts.add("localhost:" + port);
      hosts.add("127.0.0.1:" + port);
      hosts.add("[::1]:" + port);
    }
    return hosts;
  }

  private static String named(String host) {
    return host.contains(":") && !host.startsWith("[") ? "[" + host + "]" : host;
  }

  /** Address of the interface for logged-in browsers. */
  public String address() {
    return "http://" + named(host) + ":" + server.getAddress().getPort() + "/";
  }

  /** The address that logs in the browser that opens it first. */
  public String loginAddress() {
    return address() + "?token=" + guard.token();
  }

  private void handle(HttpExchange exchange) {
    // The head of the request is here.
    workers.turn().goOn();
    try {
      answer(new Call(exchange, workers.turn()));
    } catch (RequestException e) {
      refuse(exchange, e.status(), e.getMessage());
    } catch (IOException e) {
      // The browser went away in the middle of the answer.
      abandon(exchange);
    } catch (RuntimeException e) {
      say.accept("a request failed, which is a defect in Assay: " + e);
      refuse(exchange, 500, "this is a defect in Assay");
    }
  }

  private void answer(Call call) throws IOException, RequestException {
    String token = call.query("token");
    boolean login = call.path().isEmpty() && !token.isEmpty() && call.method().equals("GET");
    Guard.Refusal refusal = guard.origin(call.method(), call.headers(), login);
    if (refusal != null) {
      throw new RequestException(refusal.status(), refusal.why());
    }
    if (login) {
      String cookie = guard.login(token);
      if (cookie != null) {
        call.cookie(cookie);
        say.accept("a browser logged in; for another one: " + loginAddress());
        call.redirect("/");
        return;
      }
    }
    refusal = guard.session(call.headers());
    if (refusal != null) {
      throw new RequestException(refusal.status(), refusal.why());
    }
    routes.answer(call);
  }

  private void refuse(HttpExchange exchange, int status, String why) {
    try {
      new Call(exchange, workers.turn()).html(status, Layout.message("Not here", why));
    } catch (IOException | RequestException e) {
      abandon(exchange);
    }
  }

  private void abandon(HttpExchange exchange) {
    try {
      workers.turn().part(exchange::close);
    } catch (IOException e) {
      // It is closed either way.
    }
  }

  /** Stops answering, and ends all child processes. Their runs wait for the next start. */
  @Override
  public void close() {
    server.stop(0);
    queue.close();
    workers.close();
    lock.release();
  }
}
