package dev.assay.web.run;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Works off the runs that wait, oldest first, a few at a time. What waits is what the store says:
 * after a restart the queue goes on, and a run that was cut off by the end of the server is run
 * again.
 */
public final class RunQueue implements AutoCloseable {
  /** What the first run of a batch says in place of its own id. */
  private static final String FIRST = "first";

  private final RunStore store;
  private final Launcher launcher;
  private final Path plugins;
  private final List<Thread> workers = new ArrayList<>();

  private final Object lock = new Object();
  private final Deque<RunFolder> waiting = new ArrayDeque<>();
  private final Map<String, Job> running = new HashMap<>();

  /** Kept here until the run is over: passwords are never on disk. */
  private final Map<String, String> passwords = new HashMap<>();

  private boolean closed;

  /**
   * @param plugins the plug-in folder, or null
   * @param parallel how many runs are worked on at a time
   */
  public RunQueue(RunStore store, Launcher launcher, Path plugins, int parallel)
      throws IOException {
    this.store = store;
    this.launcher = launcher;
    this.plugins = plugins;
    requeue();
    for (int i = 0; i < parallel; i++) {
      Thread worker = new Thread(this::serve, "runs " + i);
      worker.setDaemon(true);
      workers.add(worker);
      worker.start();
    }
  }

  private void requeue() throws IOException {
    for (RunFolder run : store.all()) {
      if (run.status().isOver()) {
        continue;
      }
      if (!run.config().has(Parameters.CHECKERS)) {
        // A command line began it, and may still be at work.
        Optional<ProcessHandle> process =
            Optional.ofNullable(run.state().process()).flatMap(ProcessHandle::of);
        if (!process.map(ProcessHandle::isAlive).orElse(false)) {
          run.become(RunStatus.FAILED, "its process ended before it was judged");
        }
        continue;
      }
      if (run.config().has(Parameters.PASSWORD)) {
        run.become(
            RunStatus.FAILED, "its password was not stored; run it again and give the password");
      } else {
        run.become(RunStatus.PENDING, null);
        waiting.addFirst(run);
      }
    }
  }

  /**
   * A file that was uploaded.
   *
   * @param as the parameter that its name is the value of
   * @param path where it is
   * @param name what it is to be called in the folder of the run: not one that was sent
   */
  public record Sent(Parameter<String> as, Path path, String name) {}

  /**
   * Adds a run for each configuration.
   *
   * @param password what the database asks for, or null
   * @param sent the files, for a run of a file; they are moved
   */
  public List<RunFolder> submit(RunRequest request, String password, List<Sent> sent)
      throws IOException {
    List<RunFolder> made = new ArrayList<>();
    String batch = null;
    for (RunConfig one : request.runs()) {
      RunConfig config = one.with(Parameters.COMMAND, CommandLines.of(one));
      if (password != null) {
        config = config.with(Parameters.PASSWORD, RunConfig.NOT_STORED);
      }
      for (Sent file : sent) {
        config = config.with(file.as(), file.name());
      }
      if (request.runs().size() > 1) {
        config =
            config
                .with(Parameters.VARIED, request.varied())
                .with(Parameters.BATCH, batch == null ? FIRST : batch);
      }
      RunFolder run = create(config, sent);
      // A batch is known by its first run.
      batch = batch == null ? run.id() : batch;
      made.add(run);
    }
    enqueue(made, password);
    return made;
  }

  /**
   * Adds a run for each of several files, as one batch.
   *
   * @param sent the files, by the request that asks about them
   */
  public List<RunFolder> submit(Map<RunRequest, Sent> sent) throws IOException {
    List<RunFolder> made = new ArrayList<>();
    for (Map.Entry<RunRequest, Sent> one : sent.entrySet()) {
      RunConfig config =
          one.getKey()
              .runs()
              .get(0)
              .with(Parameters.COMMAND, CommandLines.of(one.getKey()))
              .with(Parameters.VARIED, List.of(Parameters.LABEL.id()))
              .with(Parameters.BATCH, made.isEmpty() ? FIRST : made.get(0).id())
              .with(one.getValue().as(), one.getValue().name());
      made.add(create(config, List.of(one.getValue())));
    }
    enqueue(made, null);
    return made;
  }

  private RunFolder create(RunConfig config, List<Sent> sent) throws IOException {
    RunFolder run = store.create(about(config), config);
    for (Sent file : sent) {
      Files.move(file.path(), run.file(file.name()));
    }
    return run;
  }

  private void enqueue(List<RunFolder> made, String password) {
    synchronized (lock) {
      for (RunFolder run : made) {
        if (password != null) {
          passwords.put(run.id(), password);
        }
        waiting.addLast(run);
      }
      lock.notifyAll();
    }
  }

  /** How many runs come before this one; −1 for one that does not wait. */
  public int place(RunFolder run) {
    synchronized (lock) {
      int place = running.size();
      for (RunFolder one : waiting) {
        if (one.id().equals(run.id())) {
          return place;
        }
        place++;
      }
      return -1;
    }
  }

  /** How many runs wait or are worked on. */
  public int size() {
    synchronized (lock) {
      return waiting.size() + running.size();
    }
  }

  /** The id of the batch that a run belongs to, or null. */
  public static String batch(RunFolder run) {
    String batch = run.config().given(Parameters.BATCH);
    return batch.isEmpty() ? null : batch.equals(FIRST) ? run.id() : batch;
  }

  private static String about(RunConfig config) {
    return switch (config.source()) {
      case UPLOAD -> "upload";
      case SYNTHETIC -> "synthetic-" + config.text(Parameters.STORE);
      default ->
          config.given(Parameters.DATABASE)
              + (config.has(Parameters.ISOLATION) ? "-" + config.given(Parameters.ISOLATION) : "");
    };
  }

  /** Whether a run can be repeated from what is on disk alone. */
  public static boolean isRepeatable(RunFolder run) {
    return run.config().has(Parameters.CHECKERS) && !run.config().has(Parameters.PASSWORD);
  }

  /** Whether a run was ended before its history was checked. */
  public static boolean isCheckable(RunFolder run) {
    return run.status() == RunStatus.STOPPED
        && run.config().has(Parameters.CHECKERS)
        && run.config().source() != Source.UPLOAD
        && Files.isRegularFile(run.file(RunPlan.historyFile(run.config())));
  }

  /** Checks what a run had recorded when it was ended, as a new run of a file. */
  public RunFolder check(RunFolder run, Collection<String> checkers) throws IOException {
    Map<String, String> form = form(run.config());
    form.put(Parameters.SOURCE.id(), Source.UPLOAD.id());
    form.put(Parameters.UPLOAD.id(), run.id());
    form.put(Parameters.LABEL.id(), "recorded by " + run.id());
    RunRequest request = RunRequest.of(form, checkers);
    if (!request.problems().isEmpty()) {
      throw new IOException("cannot be checked: " + request.problems());
    }
    String name = RunPlan.historyFile(run.config());
    return submit(request, null, List.of(copy(run, Parameters.FILE, name))).get(0);
  }

  private Sent copy(RunFolder run, Parameter<String> as, String name) throws IOException {
    Path copy = Files.createTempFile(store.folder(), ".upload", ".tmp");
    Files.copy(run.file(name), copy, StandardCopyOption.REPLACE_EXISTING);
    return new Sent(as, copy, name);
  }

  /** The same again, as a new run. */
  public RunFolder rerun(RunFolder run, Collection<String> checkers) throws IOException {
    RunRequest request = RunRequest.of(form(run.config()), checkers);
    if (!request.problems().isEmpty()) {
      throw new IOException("cannot be run again: " + request.problems());
    }
    List<Sent> copies = new ArrayList<>();
    for (Parameter<String> as : List.of(Parameters.FILE, Parameters.CERTIFICATE)) {
      String name = run.config().given(as);
      if (!name.isEmpty()) {
        copies.add(copy(run, as, name));
      }
    }
    return submit(request, null, copies).get(0);
  }

  /** A batch again, as a new batch of new runs. */
  public List<RunFolder> rerunAll(List<RunFolder> batch, Collection<String> checkers)
      throws IOException {
    List<RunFolder> made = new ArrayList<>();
    for (RunFolder old : batch) {
      RunRequest request = RunRequest.of(form(old.config()), checkers);
      if (!request.problems().isEmpty()) {
        throw new IOException("cannot be run again: " + request.problems());
      }
      RunConfig one = request.runs().get(0);
      RunConfig config =
          one.with(Parameters.COMMAND, CommandLines.of(one))
              .with(Parameters.VARIED, old.config().get(Parameters.VARIED))
              .with(Parameters.BATCH, made.isEmpty() ? FIRST : made.get(0).id());
      List<Sent> copies = new ArrayList<>();
      String name = old.config().given(Parameters.FILE);
      if (!name.isEmpty()) {
        copies.add(copy(old, Parameters.FILE, name));
        config = config.with(Parameters.FILE, name);
      }
      made.add(create(config, copies));
    }
    enqueue(made, null);
    return made;
  }

  /** The form that asks for a configuration. */
  public static Map<String, String> form(RunConfig config) {
    Map<String, String> form = new LinkedHashMap<>();
    config.fields().forEach((name, value) -> form.put(name, Json.text(value)));
    return form;
  }

  /** Ends a run, or keeps it from beginning. */
  public void stop(RunFolder run) throws IOException {
    Job job;
    synchronized (lock) {
      job = running.get(run.id());
      if (job == null && !waiting.remove(run)) {
        return;
      }
      passwords.remove(run.id());
    }
    if (job != null) {
      job.stop();
    }
    run.become(RunStatus.STOPPED, null);
  }

  /** Ends a run and removes it. */
  public void delete(RunFolder run) throws IOException {
    stop(run);
    store.delete(run);
  }

  private void serve() {
    while (true) {
      RunFolder run;
      Job job;
      synchronized (lock) {
        while (waiting.isEmpty() && !closed) {
          try {
            lock.wait();
          } catch (InterruptedException e) {
            return;
          }
        }
        if (closed) {
          return;
        }
        run = waiting.removeFirst();
        String folder = plugins == null ? null : plugins.toString();
        job = new Job(run, launcher, folder, passwords.get(run.id()));
        running.put(run.id(), job);
      }
      work(run, job);
    }
  }

  private void work(RunFolder run, Job job) {
    try {
      job.work();
    } catch (IOException | RuntimeException e) {
      if (!job.isStopped()) {
        fail(run, e);
      }
    } catch (InterruptedException e) {
      job.stop();
    } finally {
      synchronized (lock) {
        running.remove(run.id());
        passwords.remove(run.id());
      }
    }
  }

  private static void fail(RunFolder run, Exception e) {
    try {
      run.become(RunStatus.FAILED, "this run cannot be processed: " + e.getMessage());
    } catch (IOException again) {
      // Its folder is gone or cannot be written; a restart finds it as it is.
    }
  }

  /** Ends the children. Their runs wait again, for the next start. */
  @Override
  public void close() {
    Map<String, Job> left;
    synchronized (lock) {
      closed = true;
      lock.notifyAll();
      left = new HashMap<>(running);
    }
    left.forEach(
        (id, job) -> {
          job.stop();
          store
              .find(id)
              .ifPresent(
                  run -> {
                    try {
                      run.become(RunStatus.PENDING, null);
                    } catch (IOException e) {
                      // The next start finds it running and begins it again.
                    }
                  });
        });
  }
}
