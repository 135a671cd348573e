package dev.assay.web.http;

import dev.assay.collect.config.Names;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Source;
import dev.assay.collect.json.Json;
import dev.assay.collect.runs.RunFolder;
import dev.assay.web.page.ConfigurePage;
import dev.assay.web.run.Cautions;
import dev.assay.web.run.CommandLines;
import dev.assay.web.run.Estimate;
import dev.assay.web.run.RunQueue;
import dev.assay.web.run.RunRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Forms that ask for runs. */
final class Submissions {
  private static final int LONGEST_NAME = 100;

  private final RunQueue queue;
  private final Uploads uploads;
  private final List<String> plugins;

  Submissions(RunQueue queue, Uploads uploads, List<String> plugins) {
    this.queue = queue;
    this.uploads = uploads;
    this.plugins = plugins;
  }

  /** What a form asks for, before it is sent: problems, doubts, the time it takes, commands. */
  void preview(Call call) throws IOException, RequestException {
    Map<String, String> problems = new LinkedHashMap<>();
    List<String> commands = new ArrayList<>();
    List<RunConfig> runs = new ArrayList<>();
    for (RunRequest request : requests(call.form())) {
      request.problems().forEach(problems::putIfAbsent);
      runs.addAll(request.runs());
      if (request.problems().isEmpty()) {
        commands.addAll(CommandLines.of(request));
      }
    }
    call.json(
        200,
        Json.write(
            Map.of(
                "problems",
                problems,
                "cautions",
                problems.isEmpty() ? Cautions.of(runs) : Map.of(),
                "runs",
                runs.size(),
                "time",
                Estimate.words(Estimate.seconds(runs)),
                "before",
                queue.size(),
                "commands",
                commands)));
  }

  /** One request, or one for each of several files. */
  private List<RunRequest> requests(Map<String, String> form) {
    List<String> ids = files(form);
    if (ids.size() < 2) {
      return List.of(RunRequest.of(form, plugins));
    }
    List<RunRequest> requests = new ArrayList<>();
    for (String id : ids) {
      Map<String, String> one = new LinkedHashMap<>(form);
      String name = uploads.name(id);
      one.put(Parameters.UPLOAD.id(), id);
      one.put(Parameters.LABEL.id(), name.substring(0, Math.min(name.length(), LONGEST_NAME)));
      one.remove(Parameters.VERSION_ORDER.id());
      requests.add(RunRequest.of(one, plugins));
    }
    return requests;
  }

  private static List<String> files(Map<String, String> form) {
    return from(form, Source.UPLOAD)
        ? Names.items(form.getOrDefault(Parameters.UPLOAD.id(), ""))
        : List.of();
  }

  /** Several files at once. */
  private void submitFiles(Call call, Map<String, String> form)
      throws IOException, RequestException {
    Map<String, String> problems = new LinkedHashMap<>();
    Map<RunRequest, RunQueue.Sent> sent = new LinkedHashMap<>();
    Map<String, Uploads.Upload> taken = new LinkedHashMap<>();
    List<String> ids = files(form);
    List<RunRequest> requests = requests(form);
    for (int i = 0; i < ids.size(); i++) {
      requests.get(i).problems().forEach(problems::putIfAbsent);
      Uploads.Upload upload = uploads.take(ids.get(i));
      if (upload == null) {
        problems.put(Parameters.UPLOAD.id(), "choose the files again");
      } else {
        taken.put(ids.get(i), upload);
        sent.put(requests.get(i), upload.history());
      }
    }
    if (!problems.isEmpty()) {
      taken.forEach(uploads::putBack);
      call.html(422, new ConfigurePage(form, problems, plugins).html());
      return;
    }
    call.redirect("/batches/" + queue.submit(sent).get(0).id());
  }

  /** Adds the runs that a form asks for. */
  void submit(Call call) throws IOException, RequestException {
    Map<String, String> form = call.form();
    if (files(form).size() > 1) {
      submitFiles(call, form);
      return;
    }
    RunRequest request = RunRequest.of(form, plugins);
    Map<String, String> problems = new LinkedHashMap<>(request.problems());
    List<RunQueue.Sent> sent = new ArrayList<>();
    if (problems.isEmpty() && from(form, Source.UPLOAD)) {
      take(form, problems, sent);
    }
    if (!problems.isEmpty()) {
      Map<String, String> again = new LinkedHashMap<>(form);
      again.remove(RunRequest.PASSWORD);
      call.html(422, new ConfigurePage(again, problems, plugins).html());
      return;
    }
    String password = form.getOrDefault(RunRequest.PASSWORD, "");
    boolean secret = from(form, Source.JDBC) && !password.isEmpty();
    List<RunFolder> made = queue.submit(request, secret ? password : null, sent);
    String first = made.get(0).id();
    call.redirect(made.size() == 1 ? "/runs/" + first : "/batches/" + first);
  }

  private static boolean from(Map<String, String> form, Source source) {
    return source.id().equals(form.get(Parameters.SOURCE.id()));
  }

  /** The files that a form names, or what is wrong with them; then they can be named again. */
  private void take(
      Map<String, String> form, Map<String, String> problems, List<RunQueue.Sent> sent) {
    String historyId = form.getOrDefault(Parameters.UPLOAD.id(), "").strip();
    String certificateId = form.getOrDefault(Parameters.VERSION_ORDER.id(), "").strip();
    Uploads.Upload history = uploads.take(historyId);
    Uploads.Upload certificate = certificateId.isEmpty() ? null : uploads.take(certificateId);
    if (history == null) {
      problems.put(Parameters.UPLOAD.id(), "choose the file again");
    }
    if (!certificateId.isEmpty() && certificate == null) {
      problems.put(Parameters.VERSION_ORDER.id(), "choose the file again");
    }
    if (!problems.isEmpty()) {
      uploads.putBack(historyId, history);
      uploads.putBack(certificateId, certificate);
      return;
    }
    sent.add(history.history());
    if (certificate != null) {
      sent.add(certificate.certificate());
    }
  }
}
