package dev.assay.cli.serve;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Sends requests byte by byte as a test wants them, which no HTTP library would send. */
final class RawHttp {
  private final int port;
  private final Map<String, String> headers = new LinkedHashMap<>();

  /** An answer. Its text is everything, in Latin-1 so that nothing is lost. */
  record Answer(int status, String head, String body) {
    String header(String name) {
      for (String line : head.split("\r\n")) {
        if (line.toLowerCase().startsWith(name.toLowerCase() + ":")) {
          return line.substring(name.length() + 1).strip();
        }
      }
      return null;
    }
  }

  RawHttp(int port) {
    this.port = port;
    header("Host", "127.0.0.1:" + port);
  }

  /** A client that opened the address from the terminal. */
  static RawHttp loggedIn(String loginAddress) throws IOException {
    URI address = URI.create(loginAddress);
    RawHttp client = new RawHttp(address.getPort());
    Answer answer = client.get("/?" + address.getQuery());
    client.header("Cookie", answer.header("Set-Cookie").split(";")[0]);
    return client;
  }

  /** The same client with another header, or without it where the value is null. */
  RawHttp with(String name, String value) {
    RawHttp other = new RawHttp(port);
    other.headers.clear();
    other.headers.putAll(headers);
    other.header(name, value);
    return other;
  }

  private void header(String name, String value) {
    if (value == null) {
      headers.remove(name);
    } else {
      headers.put(name, value);
    }
  }

  int port() {
    return port;
  }

  /** The header line that says who is logged in. */
  String cookie() {
    return "Cookie: " + headers.get("Cookie") + "\r\n";
  }

  /** A connection on which only this was sent yet. */
  Socket begin(String text) throws IOException {
    Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port);
    socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    return socket;
  }

  /** How many bytes still come; waits until the other side ends the connection. */
  static long rest(Socket socket) throws IOException {
    socket.setSoTimeout(180_000);
    byte[] buffer = new byte[1 << 16];
    long count = 0;
    try {
      for (int n; (n = socket.getInputStream().read(buffer)) > 0; ) {
        count += n;
      }
    } catch (SocketTimeoutException e) {
      throw e;
    } catch (IOException e) {
      // Cut off, which ends it too.
    }
    return count;
  }

  Answer get(String path) throws IOException {
    return send("GET", path, new byte[0], true);
  }

  /** A form from a page of ours; fields are names and values in turns. */
  Answer post(String path, String... fields) throws IOException {
    List<String> pairs = new ArrayList<>();
    for (int i = 0; i < fields.length; i += 2) {
      pairs.add(encoded(fields[i]) + "=" + encoded(fields[i + 1]));
    }
    return with("Origin", headers.getOrDefault("Origin", "http://127.0.0.1:" + port))
        .with("Content-Type", "application/x-www-form-urlencoded")
        .send("POST", path, String.join("&", pairs).getBytes(StandardCharsets.UTF_8), true);
  }

  /** A form exactly with the headers that were set. */
  Answer postAsIs(String path, String body) throws IOException {
    return with("Content-Type", "application/x-www-form-urlencoded")
        .send("POST", path, body.getBytes(StandardCharsets.UTF_8), true);
  }

  Answer upload(String name, byte[] content) throws IOException {
    return with("Origin", "http://127.0.0.1:" + port)
        .send("POST", "/uploads?name=" + encoded(name), content, true);
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  Answer send(String method, String path, byte[] body, boolean announced) throws IOException {
    try (Socket socket = new Socket(InetAddress.getByName("127.0.0.1"), port)) {
      socket.setSoTimeout(60_000);
      OutputStream out = socket.getOutputStream();
      StringBuilder head = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
      headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
      head.append("Connection: close\r\n");
      head.append(
          announced ? "Content-Length: " + body.length + "\r\n" : "Transfer-Encoding: chunked\r\n");
      out.write(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
      try {
        if (announced) {
          out.write(body);
        } else {
          out.write((Integer.toHexString(body.length) + "\r\n").getBytes());
          out.write(body);
          out.write("\r\n0\r\n\r\n".getBytes());
        }
      } catch (IOException e) {
        // The server had enough before the end, and says so in its answer.
      }
      return answer(socket.getInputStream());
    }
  }

  private static Answer answer(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      in.transferTo(bytes);
    } catch (IOException e) {
      // Cut off after a refusal; what came until then is the answer.
    }
    String text = bytes.toString(StandardCharsets.ISO_8859_1);
    int end = text.indexOf("\r\n\r\n");
    if (end < 0) {
      return new Answer(0, text, "");
    }
    return new Answer(
        Integer.parseInt(text.split(" ")[1]), text.substring(0, end), text.substring(end + 4));
  }
}
