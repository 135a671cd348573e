package dev.assay.collect.process;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Failure;
import dev.assay.collect.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Requests to one program and its answers, which may come in another order: each has the number of
 * its request. Whatever else the program writes ends the conversation.
 */
final class Conversation implements AutoCloseable {
  private static final int SHOWN = 80;
  private static final int ERROR_LINES = 3;
  private static final long END_MILLIS = 500;

  /** How long a program may take to end by itself; one that runs a store has to close it. */
  private static final long CLOSE_MILLIS = 5_000;

  /** Its own session, so that Ctrl-C reaches Assay and not the program. */
  private static final Path SETSID = Path.of("/usr/bin/setsid");

  private final Process process;
  private final Thread hook = new Thread(this::kill);
  private final Thread listener;
  private final Thread errorReader;
  private final BlockingQueue<byte[]> outgoing = new LinkedBlockingQueue<>();
  private final Deque<String> errors = new ArrayDeque<>();

  /** Guarded by this, like all below. */
  private final Map<Long, CompletableFuture<Map<String, Object>>> pending = new HashMap<>();

  /** Requests that are no longer waited for; their answers may come yet. */
  private final Set<Long> abandoned = new HashSet<>();

  private long requests;

  /** Why there are no more answers, or null. */
  private ClientException over;

  Conversation(List<String> command, Map<String, String> environment) throws IOException {
    List<String> detached = new ArrayList<>();
    if (Files.isExecutable(SETSID)) {
      detached.add(SETSID.toString());
    }
    detached.addAll(command);
    ProcessBuilder builder = new ProcessBuilder(detached);
    builder.environment().putAll(environment);
    process = builder.start();
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException e) {
      kill();
      throw new IOException("the process is ending", e);
    }
    errorReader = daemon(this::keepErrors, "errors");
    listener = daemon(this::listen, "answers");
    daemon(this::send, "requests");
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** A request that was sent. */
  final class Asked {
    private final long id;
    private final CompletableFuture<Map<String, Object>> answer;

    private Asked(long id, CompletableFuture<Map<String, Object>> answer) {
      this.id = id;
      this.answer = answer;
    }

    /** Waits for the answer. */
    Map<String, Object> await(Duration patience) throws ClientException {
      try {
        return answer.get(patience.toNanos(), TimeUnit.NANOSECONDS);
      } catch (ExecutionException e) {
        throw (ClientException) e.getCause();
      } catch (TimeoutException e) {
        giveUp();
        throw ClientException.unanswered(
            "no answer within " + patience.toMillis() + " ms: the client hangs", e);
      } catch (InterruptedException e) {
        giveUp();
        Thread.currentThread().interrupt();
        throw new ClientException(Failure.LOST, "interrupted");
      }
    }

    /** Ends the waiting, from any thread. */
    void cutOff() {
      giveUp();
      answer.completeExceptionally(new ClientException(Failure.LOST, "cut off"));
    }

    private void giveUp() {
      synchronized (Conversation.this) {
        if (pending.remove(id) != null) {
          abandoned.add(id);
        }
      }
    }
  }

  /** Sends a request. */
  Asked ask(Map<String, Object> request) {
    Map<String, Object> numbered = new LinkedHashMap<>();
    CompletableFuture<Map<String, Object>> answer = new CompletableFuture<>();
    Asked asked;
    synchronized (this) {
      asked = new Asked(++requests, answer);
      if (over != null) {
        answer.completeExceptionally(over);
        return asked;
      }
      pending.put(asked.id, answer);
    }
    numbered.put("id", asked.id);
    numbered.putAll(request);
    outgoing.add((Json.line(numbered) + "\n").getBytes(StandardCharsets.UTF_8));
    return asked;
  }

  /** Why there are no more answers; null while there may be. */
  synchronized ClientException over() {
    return over;
  }

  /** A program that does not read must not block those who ask. */
  private void send() {
    try (OutputStream out = process.getOutputStream()) {
      while (process.isAlive()) {
        byte[] line = outgoing.poll(END_MILLIS, TimeUnit.MILLISECONDS);
        if (line != null) {
          out.write(line);
          out.flush();
        }
      }
    } catch (IOException e) {
      // It reads no more; that it has ended, or hangs, shows elsewhere.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void listen() {
    ClientException end;
    try (Lines lines = new Lines(process.getInputStream())) {
      String line;
      while ((line = lines.next()) != null) {
        take(line);
      }
      end = new ClientException(Failure.LOST, ended());
    } catch (IOException e) {
      end = new ClientException(Failure.WRONG, e.getMessage());
    }
    List<CompletableFuture<Map<String, Object>>> waiting;
    synchronized (this) {
      over = end;
      waiting = List.copyOf(pending.values());
      pending.clear();
    }
    for (CompletableFuture<Map<String, Object>> one : waiting) {
      one.completeExceptionally(end);
    }
    kill();
  }

  private void take(String line) throws IOException {
    if (line.isBlank()) {
      return;
    }
    Map<String, Object> answer;
    try {
      answer = Json.readObject(line);
    } catch (IOException e) {
      throw new IOException("the client wrote what is not an answer: " + shown(line), e);
    }
    if (!(answer.get("id") instanceof Long id)) {
      throw new IOException(
          "the client wrote an answer without the id of a request: " + shown(line));
    }
    CompletableFuture<Map<String, Object>> waiting;
    synchronized (this) {
      waiting = pending.remove(id);
      if (waiting == null && !abandoned.remove(id)) {
        throw new IOException("the client answered a request that was not open: " + shown(line));
      }
    }
    if (waiting != null) {
      waiting.complete(answer);
    }
  }

  static String shown(String line) {
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "..." : line;
  }

  private void keepErrors() {
    try (Lines lines = new Lines(process.getErrorStream())) {
      String line;
      while ((line = lines.next()) != null) {
        synchronized (errors) {
          errors.addLast(shown(line.strip()));
          if (errors.size() > ERROR_LINES) {
            errors.removeFirst();
          }
        }
      }
    } catch (IOException e) {
      // The rest of what it says about errors is lost.
    }
  }

  private String ended() {
    try {
      if (process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
        // Its last words may not have been read yet.
        errorReader.join(END_MILLIS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    String how = process.isAlive() ? "closed its output" : "ended with code " + process.exitValue();
    synchronized (errors) {
      return "the client " + how + (errors.isEmpty() ? "" : ": " + String.join(" / ", errors));
    }
  }

  private void kill() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
  }

  /** Ends the program: its input ends, and if that is not enough, it is killed. */
  @Override
  public void close() {
    try {
      process.getOutputStream().close();
      process.waitFor(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (IOException e) {
      // It reads no more.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    kill();
    try {
      listener.join(END_MILLIS);
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IllegalStateException e) {
      // The process is ending, and the hook finds nothing left to do.
    }
  }

  /** Ends the program without waiting for it. */
  void abort() {
    kill();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook finds nothing left to do.
    }
  }
}
