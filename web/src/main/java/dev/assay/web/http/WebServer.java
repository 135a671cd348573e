package dev.assay.web.http;

import dev.assay.collect.runs.RunStore;
import dev.assay.web.page.ErrorPage;
import dev.assay.web.run.Launcher;
import dev.assay.web.run.RunQueue;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LowResourceMonitor;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

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

  /** Threads; only a request whose head is complete takes one. */
  private static final int THREADS = 256;

  /** Connections that may wait to be taken; the standard of 50 makes a burst of them wait. */
  private static final int BACKLOG = 1024;

  /** With more connections than this, those that say nothing are not waited for as long. */
  private static final int MANY_CONNECTIONS = 1024;

  private static final int SHORT_PATIENCE_MILLIS = 1000;

  private final StoreLock lock;
  private final Server server;
  private final ServerConnector connector;
  private final Followers followers;
  private final Duration patience;
  private final Guard guard;
  private final Routes routes;
  private final RunQueue queue;
  private final Consumer<String> say;
  private final String host;

  private WebServer(Settings settings, List<String> plugins, Consumer<String> say)
      throws IOException {
    InetAddress address = InetAddress.getByName(settings.host());
    this.lock = StoreLock.take(settings.store());
    this.say = say;
    this.host = settings.host();
    this.patience = settings.patience();
    QueuedThreadPool threads = new QueuedThreadPool(THREADS);
    threads.setName("web");
    threads.setDaemon(true);
    this.server = new Server(threads);
    this.connector = connector(address, settings.port());
    int port = connector.getLocalPort();
    this.guard = new Guard(hosts(settings.host(), address, port), port);
    RunStore store = RunStore.open(settings.store());
    Uploads uploads = new Uploads(store.folder().resolve(".uploads"), settings.maxUpload());
    this.queue =
        new RunQueue(
            store, new Launcher(settings.mainClass()), settings.plugins(), settings.parallel());
    this.followers = new Followers(patience);
    this.routes = new Routes(store, queue, uploads, followers, plugins);
    server.setHandler(new Answers());
    server.setErrorHandler(this::refuseUnread);
    try {
      server.start();
    } catch (Exception e) {
      close();
      throw new IOException(e);
    }
  }

  /** Listens already, so that the port is known; requests wait until the server starts. */
  private ServerConnector connector(InetAddress address, int port) throws IOException {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendDateHeader(false);
    ServerConnector one = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    one.setHost(address.getHostAddress());
    one.setPort(port);
    one.setAcceptQueueSize(BACKLOG);
    one.setIdleTimeout(patience.toMillis());
    server.addConnector(one);
    LowResourceMonitor monitor = new LowResourceMonitor(server);
    monitor.addLowResourceCheck(monitor.new MaxConnectionsLowResourceCheck(MANY_CONNECTIONS));
    monitor.setLowResourcesIdleTimeout(SHORT_PATIENCE_MILLIS);
    server.addBean(monitor);
    try {
      one.open();
    } catch (IOException e) {
      lock.release();
      throw e;
    }
    return one;
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
    return "http://" + named(host) + ":" + connector.getLocalPort() + "/";
  }

  /** The address that logs in the browser that opens it first. */
  public String loginAddress() {
    return address() + "?token=" + guard.token();
  }

  private final class Answers extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
      try {
        answer(new Call(request, response, callback, patience));
      } catch (RequestException e) {
        refuse(response, callback, e.status(), e.getMessage());
      } catch (IOException e) {
        // The browser went away in the middle of the answer.
        callback.failed(e);
      } catch (RuntimeException e) {
        say.accept("a request failed, which is a defect in Assay: " + e);
        refuse(response, callback, 500, "this is a defect in Assay");
      }
      return true;
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

  private static void refuse(Response response, Callback callback, int status, String why) {
    if (response.isCommitted()) {
      callback.failed(new IOException(why));
      return;
    }
    byte[] page = ErrorPage.html(status, why).getBytes(StandardCharsets.UTF_8);
    response.reset();
    Call.protect(response, ErrorPage.STYLE_HASH);
    response.setStatus(status);
    response.getHeaders().put("Content-Type", "text/html; charset=utf-8");
    response.getHeaders().put("Content-Length", page.length);
    response.write(true, ByteBuffer.wrap(page), callback);
  }

  /** Answers what is not a request that can be read, such as a path with dots in it. */
  private boolean refuseUnread(Request request, Response response, Callback callback) {
    int status = HttpStatus.isClientError(response.getStatus()) ? response.getStatus() : 500;
    refuse(response, callback, status, "this request cannot be read");
    return true;
  }

  /** Stops answering, and ends all child processes. Their runs wait for the next start. */
  @Override
  public void close() {
    followers.close();
    try {
      server.stop();
    } catch (Exception e) {
      say.accept("the server did not stop: " + e.getMessage());
    }
    queue.close();
    lock.release();
  }
}
