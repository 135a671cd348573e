package dev.assay.web.page;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;

/**
 * A page that says why there is no other. Its style is inside, since a browser that is not logged
 * in gets no files.
 */
public final class ErrorPage {
  private static final String STYLE =
      ":root{color-scheme:light dark;--ink:light-dark(#1b2026,#e6eaee);"
          + "--paper:light-dark(#fff,#1c2229);"
          + "--back:light-dark(#f5f7f9,#14181d);--faint:light-dark(#5b6670,#9aa6b2);"
          + "--accent:light-dark(#0b57d0,#7fb0ff);--rule:light-dark(#d5dbe1,#353e48)}"
          + "body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--back);"
          + "color:var(--ink);font:15px/1.5 system-ui,sans-serif}"
          + "main{max-width:420px;margin:20px;padding:32px 36px;background:var(--paper);"
          + "border:1px solid var(--rule);border-radius:10px}"
          + "h1{font-size:22px;margin:2px 0 10px}.code{color:var(--faint);margin:0}"
          + "a{color:var(--accent)}code{font-size:.95em}";

  /** What the content security policy must allow for the style inside. */
  public static final String STYLE_HASH = hash();

  private ErrorPage() {}

  private static String hash() {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(STYLE.getBytes(StandardCharsets.UTF_8));
      return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * @param status the HTTP status
   * @param why what is wrong, in words
   */
  public static String html(int status, String why) {
    String title = title(status);
    Html html = new Html();
    html.open("html", "lang", "en").open("head").single("meta", "charset", "utf-8");
    html.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.element("title", title + " · Assay");
    html.single("link", "rel", "icon", "href", "data:,").style(STYLE).close();
    html.open("body").open("main").element("p", "Assay · " + status, "class", "code");
    String sentence = Character.toUpperCase(why.charAt(0)) + why.substring(1) + ".";
    html.element("h1", title).element("p", sentence, "class", "why");
    if (status == 401) {
      html.open("p").text("Each address works for one browser. The last one in the terminal of ");
      html.element("code", "assay serve").text(" is for the next.").close();
    } else {
      html.open("p").element("a", "Go to the runs", "href", "/runs").close();
    }
    return "<!doctype html>\n" + html.close(3);
  }

  private static String title(int status) {
    return switch (status) {
      case 401 -> "You are not logged in";
      case 403 -> "Refused";
      case 404 -> "Page not found";
      case 413, 507 -> "Too large";
      case 500 -> "Something went wrong";
      default -> "That did not work";
    };
  }
}
