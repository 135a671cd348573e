package dev.assay.render.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/** The style and the script of the page, and the hashes by which its policy admits them. */
record Resource(String text, String hash) {
  static final Resource STYLE = named("report.css");
  static final Resource SCRIPT = named("report.js");

  private static Resource named(String name) {
    try (InputStream in = Resource.class.getResourceAsStream(name)) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return new Resource(text, "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Nothing from elsewhere; only this style and this script, and pictures the script makes. */
  static String policy() {
    return "default-src 'none'; style-src "
        + STYLE.hash
        + "; script-src "
        + SCRIPT.hash
        + "; img-src data: blob:; base-uri 'none'; form-action 'none'";
  }
}
