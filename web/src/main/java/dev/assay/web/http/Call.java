package dev.assay.web.http;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  private final HttpExchange exchange;
  private final Workers.Turn turn;
  private final Map<String, String> query;

  Call(HttpExchange exchange, Workers.Turn turn) throws RequestException {
    this.exchange = exchange;
    this.turn = turn;
    this.query = decode(exchange.getRequestURI().getRawQuery());
    Headers headers = exchange.getResponseHeaders();
    headers.set("Content-Security-Policy", POLICY);
    headers.set("X-Content-Type-Options", "nosniff");
    headers.set("X-Frame-Options", "DENY");
    // With no-referrer, browsers would also hide the origin of forms.
    headers.set("Referrer-Policy", "same-origin");
    headers.set("Cross-Origin-Opener-Policy", "same-origin");
    headers.set("Cross-Origin-Resource-Policy", "same-origin");
    headers.set("Cache-Control", "no-store");
  }

  String method() {
    return exchange.getRequestMethod();
  }

  Headers headers() {
    return exchange.getRequestHeaders();
  }

  /** The parts of the path between slashes. They select among known things and never name files. */
  List<String> path() {
    List<String> parts = new ArrayList<>();
    for (String part : exchange.getRequestURI().getPath().split("/")) {
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
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
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
    return turn.paced(exchange.getRequestBody());
  }

  void cookie(String value) {
    exchange.getResponseHeaders().set("Set-Cookie", value);
  }

  /** Allows the browser to keep the answer for good. */
  void keep() {
    exchange.getResponseHeaders().set("Cache-Control", "private, max-age=31536000, immutable");
  }

  void redirect(String to) throws IOException {
    exchange.getResponseHeaders().set("Location", to);
    head(303, 0);
    end();
  }

  /** Sends the head of an answer of a given length. */
  private void head(int status, long length) throws IOException {
    boolean bare = length == 0 || method().equals("HEAD");
    turn.part(
        () -> {
          // The JDK closes the connection of an answer without a body if the request was not read
          // to its end, and the browser, unaware, may be about to use it again.
          if (bare) {
            exchange.getRequestBody().close();
          }
          exchange.sendResponseHeaders(status, bare ? -1 : length);
        });
  }

  private OutputStream answer() {
    return turn.paced(exchange.getResponseBody());
  }

  private void end() throws IOException {
    turn.part(exchange::close);
  }

  void html(int status, String page) throws IOException {
    send(status, "text/html; charset=utf-8", page.getBytes(StandardCharsets.UTF_8));
  }

  void json(int status, String text) throws IOException {
    send(status, "application/json", text.getBytes(StandardCharsets.UTF_8));
  }

  void send(int status, String type, byte[] bytes) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    head(status, bytes.length);
    if (!method().equals("HEAD")) {
      answer().write(bytes);
    }
    end();
  }

  /** Has the browser save what follows under a name, which never comes from a request. */
  void download(String name) {
    exchange
        .getResponseHeaders()
        .set("Content-Disposition", "attachment; filename=\"" + name + "\"");
  }

  void report(Path file) throws IOException {
    exchange.getResponseHeaders().set("Content-Security-Policy", REPORT_POLICY);
    exchange.getResponseHeaders().remove("Cross-Origin-Opener-Policy");
    file(file, "text/html; charset=utf-8");
  }

  void file(Path file, String type) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    long size = Files.size(file);
    try (InputStream in = Files.newInputStream(file)) {
      head(200, size);
      if (!method().equals("HEAD")) {
        // What is still being written may have grown.
        long left = size;
        byte[] buffer = new byte[1 << 16];
        OutputStream out = answer();
        for (int n;
            left > 0 && (n = in.read(buffer, 0, (int) Math.min(buffer.length, left))) > 0; ) {
          out.write(buffer, 0, n);
          left -= n;
        }
      }
    }
    end();
  }

  /** Writes an answer of unknown length. */
  interface Content {
    void write(OutputStream out) throws IOException;
  }

  void stream(String type, Content content) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", type);
    // Zero is the JDK's word for a length that is not known.
    turn.part(() -> exchange.sendResponseHeaders(200, 0));
    try (OutputStream out = answer()) {
      content.write(out);
    }
    end();
  }
}
