package dev.assay.web.http;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.collect.runs.RunStatus;
import dev.assay.collect.runs.RunStore;
import dev.assay.level.AnomalyType;
import dev.assay.render.plot.Plot;
import dev.assay.web.page.Asset;
import dev.assay.web.page.BatchPage;
import dev.assay.web.page.BatchPlots;
import dev.assay.web.page.BugsPage;
import dev.assay.web.page.ConfigurePage;
import dev.assay.web.page.RunPage;
import dev.assay.web.page.RunPlots;
import dev.assay.web.page.RunsPage;
import dev.assay.web.run.Presets;
import dev.assay.web.run.RunPlan;
import dev.assay.web.run.RunQueue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** What each address is about. Only requests that passed the guard come here. */
final class Routes {
  private static final int LONGEST_NOTE = 2000;

  private final RunStore store;
  private final RunQueue queue;
  private final Uploads uploads;
  private final Submissions submissions;
  private final Followers followers;
  private final List<String> plugins;

  Routes(
      RunStore store, RunQueue queue, Uploads uploads, Followers followers, List<String> plugins) {
    this.store = store;
    this.queue = queue;
    this.uploads = uploads;
    this.submissions = new Submissions(queue, uploads, plugins);
    this.followers = followers;
    this.plugins = plugins;
  }

  void answer(Call call) throws IOException, RequestException {
    List<String> path = call.path();
    switch (call.method()) {
      case "GET", "HEAD" -> get(call, path);
      case "POST" -> post(call, path);
      default -> throw new RequestException(405, "only GET and POST are supported");
    }
  }

  private void get(Call call, List<String> path) throws IOException, RequestException {
    String first = path.isEmpty() ? "" : path.get(0);
    boolean below = path.size() > 1;
    if (below && !first.equals("runs") && !first.equals("batches")) {
      throw RequestException.notFound();
    }
    switch (first) {
      case "" -> {
        store.refresh();
        call.redirect(store.all().isEmpty() ? "/new" : "/runs");
      }
      case "style.css", "script.js", "report.css", "report.js" -> asset(call, first);
      case "new" -> configure(call);
      case "bugs" -> {
        store.refresh();
        String label = BugsPage.LABELS.contains(call.query("label")) ? call.query("label") : "";
        call.html(200, new BugsPage(store.all(), label).html());
      }
      case "runs.zip" -> zip(call, "assay-runs", store.all());
      case "runs" -> runs(call, path.subList(1, path.size()));
      case "batches" -> batches(call, path.subList(1, path.size()));
      default -> throw RequestException.notFound();
    }
  }

  private static void asset(Call call, String file) throws IOException, RequestException {
    Asset asset =
        Stream.of(Asset.values())
            .filter(one -> one.file().equals(file))
            .findFirst()
            .orElseThrow(RequestException::notFound);
    if (call.query("v").equals(asset.version())) {
      call.keep();
    }
    call.send(200, asset.type(), asset.bytes());
  }

  private void configure(Call call) throws IOException, RequestException {
    Map<String, String> fields = new LinkedHashMap<>();
    Presets.find(call.query(ConfigurePage.PRESET))
        .ifPresent(
            preset -> {
              fields.putAll(preset.fields());
              fields.put(ConfigurePage.PRESET, preset.id());
            });
    if (!call.query("from").isEmpty()) {
      RunConfig config = run(call.query("from")).config();
      // Files that were sent are gone.
      RunConfig again = config.with(Parameters.UPLOAD, null).with(Parameters.VERSION_ORDER, null);
      fields.putAll(RunQueue.form(again));
    }
    call.html(200, new ConfigurePage(fields, Map.of(), plugins).html());
  }

  private void runs(Call call, List<String> path) throws IOException, RequestException {
    if (path.isEmpty()) {
      store.refresh();
      call.html(200, table(call).html());
      return;
    }
    if (path.equals(List.of("rows"))) {
      follow(
          call,
          () -> store.all().stream().allMatch(run -> run.status().isOver()),
          () -> table(call).rows());
      return;
    }
    String name = path.get(0);
    if (path.size() == 1 && name.endsWith(".zip")) {
      RunFolder run = run(name.substring(0, name.length() - 4));
      zip(call, run.id(), List.of(run));
      return;
    }
    RunFolder run = run(name);
    String what = path.size() == 1 ? "" : path.get(1);
    switch (what) {
      case "" -> call.html(200, new RunPage(run, queue.place(run)).html());
      case "live" ->
          follow(
              call,
              () -> run.status().isOver(),
              () -> new RunPage(run, queue.place(run)).fragment());
      case "report" -> {
        if (!Files.isRegularFile(run.file(RunFolder.REPORT))) {
          throw new RequestException(404, "this run has no report yet");
        }
        call.report(run.file(RunFolder.REPORT));
      }
      case "files" -> file(call, run, path.subList(2, path.size()));
      case "plots" -> plot(call, RunPlots.of(run), path.subList(2, path.size()));
      default -> throw RequestException.notFound();
    }
  }

  private RunsPage table(Call call) {
    return new RunsPage(
        store.all(), call.query("status"), call.query("q"), number(call.query("page")));
  }

  /** Sends a part of a page whenever it has changed, until it is final. */
  private void follow(Call call, BooleanSupplier isFinal, Supplier<String> html)
      throws RequestException {
    if (followers.isFull()) {
      throw new RequestException(503, "too many pages are open; close some and try again");
    }
    call.follow(
        followers,
        new Followers.Part(
            () -> {
              refreshed();
              return isFinal.getAsBoolean();
            },
            html));
  }

  /** Runs of a command line in the same folder change, too. */
  private void refreshed() {
    try {
      store.refresh();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static int number(String text) {
    return text.matches("\\d{1,6}") ? Integer.parseInt(text) : 1;
  }

  /** The run with this id: one that the store knows. What was asked for is never made a path. */
  private RunFolder run(String id) throws RequestException {
    return store
        .find(id)
        .orElseThrow(
            () -> new RequestException(404, "there is no such run; it may have been deleted"));
  }

  private static void file(Call call, RunFolder run, List<String> path)
      throws IOException, RequestException {
    for (String known : RunPage.files(run)) {
      if (path.equals(List.of(known))) {
        if (known.equals(RunFolder.REPORT)
            || known.equals(RunPlan.historyFile(run.config()))
            || known.equals(RunPlan.certificateFile(run.config()))) {
          call.download(known);
          call.file(run.file(known), "application/octet-stream");
        } else {
          call.file(run.file(known), "text/plain; charset=utf-8");
        }
        return;
      }
    }
    throw RequestException.notFound();
  }

  private static void plot(Call call, List<Plot> plots, List<String> path)
      throws IOException, RequestException {
    for (Plot plot : plots) {
      if (path.equals(List.of(plot.name() + ".svg"))) {
        call.download(plot.name() + ".svg");
        call.send(200, "image/svg+xml", plot.svg().getBytes(StandardCharsets.UTF_8));
        return;
      }
      if (path.equals(List.of(plot.name() + ".csv"))) {
        call.download(plot.name() + ".csv");
        call.send(200, "text/csv; charset=utf-8", plot.csv().getBytes(StandardCharsets.UTF_8));
        return;
      }
    }
    throw RequestException.notFound();
  }

  private void batches(Call call, List<String> path) throws IOException, RequestException {
    if (path.isEmpty()) {
      throw RequestException.notFound();
    }
    boolean zip = path.get(0).endsWith(".zip");
    String id = zip ? path.get(0).substring(0, path.get(0).length() - 4) : path.get(0);
    List<RunFolder> runs = batch(id);
    String what = path.size() == 1 ? "" : path.get(1);
    if (zip) {
      zip(call, "batch", runs);
      return;
    }
    switch (what) {
      case "" -> call.html(200, new BatchPage(id, runs).html());
      case "live" ->
          follow(
              call,
              () -> runs.stream().allMatch(run -> run.status().isOver()),
              () -> new BatchPage(id, runs).fragment());
      case "plots" -> plot(call, new BatchPlots(runs).plots(), path.subList(2, path.size()));
      default -> throw RequestException.notFound();
    }
  }

  /** The runs of a batch, in the order they were asked for. */
  private List<RunFolder> batch(String id) throws RequestException {
    List<RunFolder> runs = new ArrayList<>();
    for (RunFolder run : store.all()) {
      if (id.equals(RunQueue.batch(run))) {
        runs.add(run);
      }
    }
    if (runs.isEmpty()) {
      throw new RequestException(404, "there is no such batch");
    }
    Collections.reverse(runs);
    return runs;
  }

  private void actOnBatch(Call call, String id, String what) throws IOException, RequestException {
    call.form();
    List<RunFolder> runs = batch(id);
    switch (what) {
      case "stop" -> {
        // Those that wait first, so that none of them begins.
        Collections.reverse(runs);
        for (RunFolder run : runs) {
          queue.stop(run);
        }
        call.redirect("/batches/" + id);
      }
      case "rerun" -> {
        if (!runs.stream().allMatch(run -> run.status().isOver() && RunQueue.isRepeatable(run))) {
          throw new RequestException(409, "this batch cannot be repeated from its files");
        }
        call.redirect("/batches/" + queue.rerunAll(runs, plugins).get(0).id());
      }
      default -> throw RequestException.notFound();
    }
  }

  private static void zip(Call call, String name, List<RunFolder> runs) throws IOException {
    call.download(name + ".zip");
    call.stream("application/zip", out -> Zip.write(runs, out));
  }

  private void post(Call call, List<String> path) throws IOException, RequestException {
    if (path.equals(List.of("uploads"))) {
      String id = uploads.receive(call);
      call.json(200, Json.write(Map.of("upload", id)));
    } else if (path.equals(List.of("preview"))) {
      submissions.preview(call);
    } else if (path.equals(List.of("runs"))) {
      submissions.submit(call);
    } else if (path.size() == 3 && path.get(0).equals("runs")) {
      act(call, run(path.get(1)), path.get(2));
    } else if (path.size() == 3 && path.get(0).equals("batches")) {
      actOnBatch(call, path.get(1), path.get(2));
    } else if (path.size() == 3 && path.get(0).equals("bugs")) {
      note(call, run(path.get(1)), path.get(2));
    } else {
      throw RequestException.notFound();
    }
  }

  private void act(Call call, RunFolder run, String what) throws IOException, RequestException {
    call.form();
    switch (what) {
      case "stop" -> {
        queue.stop(run);
        call.redirect("/runs/" + run.id());
      }
      case RunFolder.STOP_AT_VIOLATION -> {
        if (run.status() != RunStatus.RUNNING || run.live() == null) {
          throw new RequestException(409, "this run is not being judged");
        }
        run.replace(RunFolder.STOP_AT_VIOLATION, "");
        call.redirect("/runs/" + run.id());
      }
      case "rerun" -> {
        if (!run.status().isOver() || !RunQueue.isRepeatable(run)) {
          throw new RequestException(409, "this run cannot be repeated from its files");
        }
        call.redirect("/runs/" + queue.rerun(run, plugins).id());
      }
      case "check" -> {
        if (!RunQueue.isCheckable(run)) {
          throw new RequestException(409, "this run has recorded nothing that could be checked");
        }
        call.redirect("/runs/" + queue.check(run, plugins).id());
      }
      case "delete" -> {
        queue.delete(run);
        call.redirect("/runs");
      }
      default -> throw RequestException.notFound();
    }
  }

  private void note(Call call, RunFolder run, String anomaly) throws IOException, RequestException {
    AnomalyType type = AnomalyType.find(anomaly).orElseThrow(RequestException::notFound);
    Map<String, String> form = call.form();
    String label = form.getOrDefault("label", "");
    String notes = form.getOrDefault("notes", "").strip();
    if (!BugsPage.LABELS.contains(label) || notes.length() > LONGEST_NOTE) {
      throw new RequestException(422, "a label is Open or Fixed, and notes are short");
    }
    run.note(type.id(), new RunFolder.BugNote(label, notes));
    call.redirect("/bugs#" + run.id() + "-" + type.id());
  }
}
