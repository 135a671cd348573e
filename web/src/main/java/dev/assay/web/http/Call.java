package dev.assay.web.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A request that passed the guard, and its answer. */
final class Call {
  private static final int LARGEST_FORM = 1 << 16;

  /** Nothing but what this server itself sends: no inline script, no other host, no frame. */
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
          + " connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

  /**
   * A report is a whole page with a script inside, made from what a history says. It runs without
   * an origin: even if it were hostile it could not ask this server for anything.
   */
  private static final String REPORT_POLICY =
      "sandbox allow-scripts allow-downloads allow-modals; default-src 'none';"
          + " script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:;"
          + " base-uri 'none'; frame-ancestors 'none'";

  private final Request request;
  private final Response response;
  private final Callback callback;
  private final Duration patience;
  private final Map<String, String> query;

  Call(Request request, Response response, Callback callback, Duration patience)
      throws RequestException {
    this.request = request;
    this.response = response;
    this.callback = callback;
    this.patience = patience;
    protect(response);
    this.query = decode(request.getHttpURI().getQuery());
  }

  /** For a page whose style is inside, with the hash of that. */
  static void protect(Response response, String styleHash) {
    protect(response);
    response
        .getHeaders()
        .put(
            "Content-Security-Policy",
            POLICY.replace("style-src 'self'", "style-src " + styleHash));
  }

  /** What every answer says, so that browsers do nothing with it that was not meant. */
  static void protect(Response response) {
    HttpFields.Mutable headers = response.getHeaders();
    headers.put("Content-Security-Policy", POLICY);
    headers.put("X-Content-Type-Options", "nosniff");
    headers.put("X-Frame-Options", "DENY");
    // With no-referrer, browsers would also hide the origin of forms.
    headers.put("Referrer-Policy", "same-origin");
    headers.put("Cross-Origin-Opener-Policy", "same-origin");
    headers.put("Cross-Origin-Resource-Policy", "same-origin");
    headers.put("Cache-Control", "no-store");
  }

  String method() {
    return request.getMethod();
  }

  HttpFields headers() {
    return request.getHeaders();
  }

  /** The announced length of the body, or −1. */
  long length() {
    return request.getLength();
  }

  /** The parts of the path between slashes. They select among known things and never name files. */
  List<String> path() {
    List<String> parts = new ArrayList<>();
    for (String part : request.getHttpURI().getDecodedPath().split("/")) {
      if (!part.isEmpty()) {
        parts.add(part);
      }
    }
    return parts;
  }

  String query(String name) {
    return query.getOrDefault(name, "");
  }

  /** The fields of a form; of several with one name, all with commas between. */
  Map<String, String> form() throws IOException, RequestException {
    String type = headers().get("Content-Type");
    if (type == null || !type.startsWith("application/x-www-form-urlencoded")) {
      throw new RequestException(415, "a form is expected");
    }
    try (InputStream in = body()) {
      byte[] body = in.readNBytes(LARGEST_FORM + 1);
      if (body.length > LARGEST_FORM) {
        throw new RequestException(413, "this form is too large");
      }
      return decode(new String(body, StandardCharsets.UTF_8));
    }
  }

  private static Map<String, String> decode(String text) throws RequestException {
    Map<String, String> fields = new LinkedHashMap<>();
    if (text == null || text.isEmpty()) {
      return fields;
    }
    try {
      for (String pair : text.split("&")) {
        String[] parts = pair.split("=", 2);
        String name = URLDecoder.decode(parts[0], StandardCharsets.UTF_8);
        String value = parts.length == 2 ? URLDecoder.decode(parts[1], StandardCharsets.UTF_8) : "";
        fields.merge(name, value, (a, b) -> a + "," + b);
      }
    } catch (IllegalArgumentException e) {
      throw new RequestException(400, "the request is not well formed");
    }
    return fields;
  }

  InputStream body() {
    return Pace.of(Content.Source.asInputStream(request), patience);
  }

  void cookie(String value) {
    response.getHeaders().put("Set-Cookie", value);
  }

  /** Allows the browser to keep the answer for good. */
  void keep() {
    response.getHeaders().put("Cache-Control", "private, max-age=31536000, immutable");
  }

  void redirect(String to) throws IOException {
    response.getHeaders().put("Location", to);
    response.setStatus(303);
    Content.Sink.write(response, true, ByteBuffer.allocate(0));
    callback.succeeded();
  }

  void html(int status, String page) throws IOException {
    send(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
  }

  void json(int status, String text) throws IOException {
    send(status, "application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  void send(int status, String type, byte[] bytes) throws IOException {
    response.setStatus(status);
    response.getHeaders().put("Content-Type", type);
    response.getHeaders().put("Content-Length", bytes.length);
    write(out -> out.write(bytes));
  }

  /** Has the browser save what follows under a name, which never comes from a request. */
  void download(String name) {
    response.getHeaders().put("Content-Disposition", "attachment; filename=\"" + name + "\"");
  }

  void report(Path file) throws IOException {
    response.getHeaders().put("Content-Security-Policy", REPORT_POLICY);
    response.getHeaders().remove("Cross-Origin-Opener-Policy");
    file(file, "text/html; charset=utf-8");
  }

  void file(Path file, String type) throws IOException {
    response.getHeaders().put("Content-Type", type);
    long size = Files.size(file);
    try (InputStream in = Files.newInputStream(file)) {
      response.getHeaders().put("Content-Length", size);
      write(
          out -> {
            // What is still being written may have grown.
            long left = size;
            byte[] buffer = new byte[1 << 16];
            for (int n;
                left > 0 && (n = in.read(buffer, 0, (int) Math.min(buffer.length, left))) > 0; ) {
              out.write(buffer, 0, n);
              left -= n;
            }
          });
    }
  }

  /** Writes the body of an answer. */
  interface Body {
    void write(OutputStream out) throws IOException;
  }

  void stream(String type, Body body) throws IOException {
    response.getHeaders().put("Content-Type", type);
    write(body);
  }

  private void write(Body body) throws IOException {
    if (!method().equals("HEAD")) {
      try (OutputStream out = Pace.of(Content.Sink.asOutputStream(response), patience)) {
        body.write(out);
      }
    }
    callback.succeeded();
  }

  /** Keeps the connection open, and sends the part of a page again whenever it has changed. */
  void follow(Followers followers, Followers.Part part) {
    response.getHeaders().put("Content-Type", "text/event-stream");
    followers.add(response, callback, part);
  }
}
