package dev.assay.collect.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * A server program that listens on loopback: started, killed, paused and stopped by Assay, and gone
 * when Assay ends. It runs in its own session, so that Ctrl-C reaches Assay and not the server.
 */
public final class ServerProcess {
  private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
  private static final int START_SECONDS = 60;
  private static final int STOP_SECONDS = 10;
  private static final int LOG_LINES = 5;

  private final String title;
  private final List<String> command;
  private final Map<String, String> environment;
  private final Path log;
  private final SocketAddress address;
  private final Thread hook = new Thread(this::kill);
  private Process process;
  private boolean stopped;

  public ServerProcess(String title, List<String> command, Path log, int port) {
    this(title, command, Map.of(), log, new InetSocketAddress(LOOPBACK, port));
  }

  /**
   * @param environment variables that it gets beside those of this process
   * @param address where it listens: a port of loopback, or a socket in a file
   */
  public ServerProcess(
      String title,
      List<String> command,
      Map<String, String> environment,
      Path log,
      SocketAddress address) {
    this.title = title;
    this.command = List.copyOf(command);
    this.environment = Map.copyOf(environment);
    this.log = log;
    this.address = address;
  }

  /** A port that is free now. */
  public static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
      return socket.getLocalPort();
    }
  }

  public static boolean isRoot() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** Runs a program to its end; its output is part of the error if it fails. */
  public static void execute(String what, List<String> command, Path input) throws IOException {
    Path output = Files.createTempFile("assay", ".log");
    output.toFile().deleteOnExit();
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
      builder.redirectInput(
          input == null
              ? ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile())
              : ProcessBuilder.Redirect.from(input.toFile()));
      if (awaitedOrEnded(builder.start()) != 0) {
        throw new ServerException(what + " failed: " + lastLines(output));
      }
    } finally {
      Files.deleteIfExists(output);
    }
  }

  /** Waits for a program, which does not go on when this process ends. */
  private static int awaitedOrEnded(Process program) throws IOException {
    Thread hook = new Thread(() -> end(program));
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      try {
        return awaited(program);
      } finally {
        Runtime.getRuntime().removeShutdownHook(hook);
      }
    } catch (IllegalStateException e) {
      end(program);
      throw new ServerException("the process is ending", e);
    }
  }

  private static void end(Process program) {
    program.descendants().forEach(ProcessHandle::destroyForcibly);
    program.destroyForcibly();
  }

  /** Starts the program and waits until it accepts connections. */
  public void start() throws IOException {
    start(List.of());
  }

  /**
   * The same.
   *
   * @param once arguments of this start alone
   */
  public synchronized void start(List<String> once) throws IOException {
    List<String> detached = new ArrayList<>();
    if (Files.isExecutable(Path.of("/usr/bin/setsid"))) {
      detached.add("setsid");
    }
    detached.addAll(command);
    detached.addAll(once);
    ProcessBuilder builder =
        new ProcessBuilder(detached)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(environment);
    process = builder.start();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      kill();
      throw new ServerException("the process is ending", e);
    }
    awaitListening();
  }

  private void awaitListening() throws IOException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    while (!accepts()) {
      if (!process.isAlive()) {
        throw new ServerException(title + " did not start: " + lastLines(log));
      }
      if (System.nanoTime() > deadline) {
        kill();
        throw new ServerException(
            title + " did not answer within " + START_SECONDS + " s: " + lastLines(log));
      }
      sleep(20);
    }
  }

  private boolean accepts() {
    try (SocketChannel channel = SocketChannel.open(address)) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts it again after a {@link #kill}, on the same data, unless it was stopped meanwhile. */
  public synchronized void startAgain() throws IOException {
    if (!stopped) {
      start();
    }
  }

  /** Asks it to end, and waits until it has; {@link #start} starts it again. */
  public synchronized void end() throws IOException {
    send("TERM", family());
    try {
      if (!process.waitFor(START_SECONDS, TimeUnit.SECONDS)) {
        throw new ServerException(title + " did not end within " + START_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }

  /** Stops it from running, without ending it. */
  public void pause() throws IOException {
    if (!stopped) {
      checkAlive();
      stopAll();
    }
  }

  public void resume() throws IOException {
    if (!stopped) {
      checkAlive();
      send("CONT", family());
    }
  }

  private void checkAlive() throws IOException {
    if (!process.isAlive()) {
      throw new ServerException(title + " ended: " + lastLines(log));
    }
  }

  /**
   * Stops all of it, since PostgreSQL is many processes. Children that were born while the signals
   * went out are found by looking again; what is stopped has no more of them.
   */
  private void stopAll() throws IOException {
    Set<ProcessHandle> known = new HashSet<>();
    for (List<ProcessHandle> born = family(); !born.isEmpty(); ) {
      send("STOP", born);
      known.addAll(born);
      born = family();
      born.removeAll(known);
    }
  }

  /** Those that ended meanwhile need no signal, so that "no such process" is not a failure. */
  private static void send(String name, List<ProcessHandle> processes) throws IOException {
    List<String> command = new ArrayList<>(List.of("kill", "-" + name));
    processes.forEach(one -> command.add(Long.toString(one.pid())));
    awaited(
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  /** The ids of its processes. */
  List<Long> pids() {
    return process == null ? List.of() : family().stream().map(ProcessHandle::pid).toList();
  }

  private List<ProcessHandle> family() {
    List<ProcessHandle> all = new ArrayList<>();
    if (process.isAlive()) {
      all.add(process.toHandle());
    }
    process.descendants().forEach(all::add);
    return all;
  }

  /**
   * Ends it and all its children without warning. They are stopped first: a child that is born
   * between the list and the kill would live on and keep the next server from starting.
   */
  public void kill() {
    if (process == null) {
      return;
    }
    try {
      stopAll();
    } catch (IOException e) {
      // Where signals cannot be sent, those known now are ended.
    }
    List<ProcessHandle> all = family();
    all.forEach(ProcessHandle::destroyForcibly);
    try {
      process.waitFor(STOP_SECONDS, TimeUnit.SECONDS);
      for (ProcessHandle one : all) {
        for (int i = 0; i < 200 && one.isAlive(); i++) {
          Thread.sleep(10);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Its data is temporary, so it need not end in order. */
  public synchronized void stop() {
    stopped = true;
    kill();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook finds nothing left to do.
    }
  }

  private static int awaited(Process process) throws IOException {
    try {
      return process.waitFor();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }

  public static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UncheckedIOException(new ServerException("interrupted", e));
    }
  }

  /** What a program said last, or its first error if it marks errors. */
  private static String lastLines(Path file) throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .toList();
    for (String line : lines) {
      if (line.contains("ERROR") || line.contains("FATAL")) {
        return line;
      }
    }
    return lines.isEmpty()
        ? "it printed nothing"
        : String.join(" / ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }
}
