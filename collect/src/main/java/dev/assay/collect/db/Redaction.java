package dev.assay.collect.db;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes passwords and URLs out of texts that others will see. */
public final class Redaction {
  private static final String HIDDEN = "***";
  private static final Pattern IN_PARAMETER =
      Pattern.compile("(?i)(?:password|passwd|pwd|secret|token)[a-z]*=([^&;\\s]+)");
  private static final Pattern IN_AUTHORITY = Pattern.compile("//[^/@\\s]*:([^/@\\s]+)@");

  /** URLs may hold more than we know the meaning of, so none is shown at all. */
  private static final Pattern URL = Pattern.compile("jdbc:[^\\s'\"]+");

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

  /** The text without anything secret; null stays null. */
  public String redact(String text) {
    if (text == null) {
      return null;
    }
    String shown = text.contains("jdbc:") ? URL.matcher(text).replaceAll("jdbc:" + HIDDEN) : text;
    for (String secret : secrets) {
      shown = shown.replace(secret, HIDDEN);
    }
    return shown;
  }
}
