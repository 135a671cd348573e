package dev.assay.web.http;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.eclipse.jetty.http.HttpFields;

/**
 * Decides whether a request is answered at all.
 *
 * <ul>
 *   <li>The Host header must name this server: a page elsewhere whose name was made to point here
 *       (DNS rebinding) has another one.
 *   <li>A browser says with Sec-Fetch-Site and Origin where a request comes from: from here, or
 *       from the person at the browser, and a request that changes something only from here.
 *   <li>It must carry the cookie that was given for the token, which only the terminal shows and
 *       which works once.
 * </ul>
 */
final class Guard {
  /** Why a request is refused, with the HTTP status that says so. */
  record Refusal(int status, String why) {}

  private static final int SECRET_BYTES = 32;

  private final Set<String> hosts;
  private final String cookieName;
  private final SecureRandom random = new SecureRandom();
  private final List<String> sessions = new CopyOnWriteArrayList<>();
  private String token = secret();

  /**
   * @param hosts the values of the Host header that mean this server, port included
   * @param port the port, which keeps the cookies of two servers on one machine apart
   */
  Guard(Set<String> hosts, int port) {
    this.hosts = Set.copyOf(hosts);
    this.cookieName = "assay-" + port;
  }

  /** The token that is good for the next login. */
  synchronized String token() {
    return token;
  }

  /** Trades the token for the value of a cookie header; null for a token that is not good. */
  synchronized String login(String offered) {
    if (!same(offered, token)) {
      return null;
    }
    token = secret();
    String session = secret();
    sessions.add(session);
    return cookieName + "=" + session + "; Path=/; HttpOnly; SameSite=Strict";
  }

  /** Whether the request comes from a place that may ask; null if so. */
  Refusal origin(String method, HttpFields headers, boolean login) {
    List<String> host = headers.getValuesList("Host");
    if (host.size() != 1 || !hosts.contains(host.get(0))) {
      return new Refusal(403, "the Host header does not name this server");
    }
    List<String> sites = headers.getValuesList("Sec-Fetch-Site");
    for (String site : sites) {
      // The way in may be a link in a terminal that is a web page itself; its token is the proof.
      if (!site.equals("same-origin") && !site.equals("none") && !login) {
        return new Refusal(403, "requests from other sites are refused");
      }
    }
    List<String> origins = headers.getValuesList("Origin");
    for (String origin : origins) {
      if (!origin.equals("http://" + host.get(0))) {
        return new Refusal(403, "requests from other origins are refused");
      }
    }
    boolean reads = method.equals("GET") || method.equals("HEAD");
    if (!reads && origins.size() != 1) {
      return new Refusal(403, "a request that changes something must say where it comes from");
    }
    return null;
  }

  /** Null if the request carries the cookie of a login. */
  Refusal session(HttpFields headers) {
    for (String header : headers.getValuesList("Cookie")) {
      for (String cookie : header.split(";")) {
        String[] parts = cookie.strip().split("=", 2);
        if (parts.length == 2 && parts[0].equals(cookieName) && isSession(parts[1])) {
          return null;
        }
      }
    }
    return new Refusal(401, "open the address that assay serve printed last");
  }

  private boolean isSession(String offered) {
    boolean found = false;
    for (String session : sessions) {
      found |= same(offered, session);
    }
    return found;
  }

  /** Takes the same time whatever the difference is. */
  private static boolean same(String offered, String secret) {
    return offered != null
        && MessageDigest.isEqual(
            offered.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
  }

  private String secret() {
    byte[] bytes = new byte[SECRET_BYTES];
    random.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }
}
