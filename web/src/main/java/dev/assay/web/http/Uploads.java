package dev.assay.web.http;

import dev.assay.collect.config.Parameters;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.web.run.RunQueue;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Histories, and certificates for them, that were sent and not yet asked about. They go to disk as
 * they arrive, up to a limit; nothing looks into them before a child process does.
 */
final class Uploads {
  private static final int MOST = 20;
  private static final long SPARE_BYTES = 1L << 30;

  /**
   * A file that was sent, on disk.
   *
   * @param path where it is
   * @param name what it was called; only its ending is looked at, and only for known ones
   */
  record Upload(Path path, String name) {
    /** As the history of a run, under a new name. */
    RunQueue.Sent history() {
      return new RunQueue.Sent(Parameters.FILE, path, "history" + ending(name));
    }

    /** As its version certificate, under a new name. */
    RunQueue.Sent certificate() {
      String name = "certificate.jsonl" + packing(this.name);
      return new RunQueue.Sent(Parameters.CERTIFICATE, path, name);
    }
  }

  private final Path folder;
  private final long limit;
  private final Map<String, Upload> uploads = Collections.synchronizedMap(new LinkedHashMap<>());

  /**
   * @param folder where they wait; emptied, since no form can name what an earlier server was sent
   * @param limit the most bytes of one history
   */
  Uploads(Path folder, long limit) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.limit = limit;
    try (Stream<Path> left = Files.list(folder)) {
      for (Path file : left.toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /** Keeps what a request brings; the id to ask for it with. */
  String receive(Call call) throws IOException, RequestException {
    long announced = call.length();
    if (announced > limit) {
      throw tooLarge();
    }
    if (Files.getFileStore(folder).getUsableSpace() < Math.max(announced, 0) + SPARE_BYTES) {
      throw new RequestException(507, "there is too little space left on the disk");
    }
    Path file = Files.createTempFile(folder, "upload", ".tmp");
    boolean complete = false;
    try (InputStream in = call.body();
        OutputStream out = Files.newOutputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      long size = 0;
      for (int n; (n = in.read(buffer)) > 0; ) {
        size += n;
        if (size > limit) {
          throw tooLarge();
        }
        out.write(buffer, 0, n);
      }
      if (size == 0) {
        throw new RequestException(400, "the file is empty");
      }
      complete = true;
    } finally {
      if (!complete) {
        Files.deleteIfExists(file);
      }
    }
    String id = UUID.randomUUID().toString();
    forgetOldest();
    uploads.put(id, new Upload(file, call.query("name")));
    return id;
  }

  /** What a file was called; empty for an id that is not one. */
  String name(String id) {
    Upload upload = uploads.get(id);
    return upload == null ? "" : upload.name();
  }

  /** What waits under an id, which is forgotten; null for an id that is not one. */
  Upload take(String id) {
    return uploads.remove(id);
  }

  /** What was taken and not used waits again. */
  void putBack(String id, Upload upload) {
    if (upload != null) {
      uploads.put(id, upload);
    }
  }

  private void forgetOldest() throws IOException {
    List<String> ids = new ArrayList<>(uploads.keySet());
    for (int i = 0; i + MOST <= ids.size(); i++) {
      Upload old = uploads.remove(ids.get(i));
      if (old != null) {
        Files.deleteIfExists(old.path());
      }
    }
  }

  private RequestException tooLarge() {
    return new RequestException(
        413, "a file may be at most " + (limit >> 20) + " MB; see assay serve --max-upload");
  }

  /** How a file is packed, by its name, or nothing. */
  private static String packing(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".gz") ? ".gz" : lower.endsWith(".zst") ? ".zst" : "";
  }

  /**
   * The ending of a name if it is one that a format has: formats are recognized by content anyway.
   */
  private static String ending(String name) {
    String packed = packing(name);
    String lower = name.toLowerCase(Locale.ROOT);
    lower = lower.substring(0, lower.length() - packed.length());
    for (HistoryFormat format : Formats.all()) {
      for (String ending : format.extensions()) {
        if (lower.endsWith(ending)) {
          return ending + packed;
        }
      }
    }
    return ".txt" + packed;
  }
}
