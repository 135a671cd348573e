package dev.assay.collect.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * Versions of drivers and servers that Assay fetches when none is asked for: those that the tests
 * run, as the root pom names them.
 */
public final class Versions {
  private static final Properties TESTED = load();

  private Versions() {}

  public static String of(String what) {
    return TESTED.getProperty(what);
  }

  /** The version asked for, or else the tested one. */
  public static String of(String what, String asked) {
    return asked == null ? of(what) : asked;
  }

  private static Properties load() {
    Properties versions = new Properties();
    try (InputStream in = Versions.class.getResourceAsStream("versions.properties")) {
      versions.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return versions;
  }
}
