package dev.assay.collect.db;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes passwords and URLs out of texts that others will see. */
public final class Redaction {
  private static final String HIDDEN = "***";

  /** Shorter secrets are part of many words. */
  private static final int SHORT = 4;

  private static final String UNSHOWN =
      "(the message is not shown: the password is too short to be taken out of it)";

  private static final Pattern IN_PARAMETER =
      Pattern.compile("(?i)(?:password|passwd|pwd|secret|token)[a-z]*=([^&;\\s]+)");
  private static final Pattern IN_AUTHORITY = Pattern.compile("//[^/@\\s]*:([^/@\\s]+)@");

  /** URLs may hold secrets in any part, so none is shown at all. */
  private static final Pattern URL = Pattern.compile("jdbc:[^\\s'\"]+");

  /** What may follow an address; where an @ follows, what comes before it may be a password. */
  private static final String PARAMETERS = "(?:[?;][^@]*)?";

  private static final Pattern DRIVER = Pattern.compile("jdbc:[A-Za-z0-9+]+:");

  private static final String HOST = "(?:[A-Za-z0-9.-]+|\\[[0-9a-fA-F:]+])(?::\\d{1,5})?";

  /** A driver, hosts with ports, and the name of a database. */
  private static final Pattern ADDRESS =
      Pattern.compile(
          "("
              + DRIVER.pattern()
              + "(?:[a-z]+:)?)//(?:[^/@?;\\s]*@)?"
              + "("
              + HOST
              + "(?:,"
              + HOST
              + ")*(?:/(?:mem:)?[A-Za-z0-9_-]*)?)"
              + PARAMETERS);

  /** A file or a name of databases that run in this process. */
  private static final Pattern LOCAL =
      Pattern.compile("(jdbc:(?:h2|hsqldb|derby|sqlite|duckdb):[A-Za-z0-9_.:~/-]+)" + PARAMETERS);

  private final List<String> secrets = new ArrayList<>();

  Redaction(List<String> urls, String password) {
    if (password != null && !password.isEmpty()) {
      secrets.add(password);
    }
    for (String url : urls) {
      for (Pattern pattern : List.of(IN_PARAMETER, IN_AUTHORITY)) {
        Matcher matcher = pattern.matcher(url);
        while (matcher.find()) {
          secrets.add(matcher.group(1));
        }
      }
    }
  }

  /**
   * Where a URL leads, without what may be secret in it: user, password and parameters. Only what
   * has the plain shape of an address is shown; of any other URL no more than the driver.
   */
  public static String address(String url) {
    Matcher plain = ADDRESS.matcher(url);
    if (plain.matches()) {
      return plain.group(1) + "//" + plain.group(2);
    }
    Matcher local = LOCAL.matcher(url);
    if (local.matches()) {
      return local.group(1);
    }
    Matcher driver = DRIVER.matcher(url);
    return (driver.lookingAt() ? driver.group() : "jdbc:") + HIDDEN;
  }

  /** Whether a URL says more than its {@link #address}. */
  public static boolean isShortened(String url) {
    return !address(url).equals(url);
  }

  /** The text without anything secret; null stays null. */
  public String redact(String text) {
    if (text == null) {
      return null;
    }
    String shown = text.contains("jdbc:") ? URL.matcher(text).replaceAll("jdbc:" + HIDDEN) : text;
    for (String secret : secrets) {
      if (secret.length() < SHORT) {
        // Stars in well-known words would reveal the letters they replace.
        return UNSHOWN;
      }
      shown = shown.replace(secret, HIDDEN);
    }
    return shown;
  }
}
