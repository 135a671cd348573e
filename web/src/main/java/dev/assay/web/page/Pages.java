package dev.assay.web.page;

/** Pages without their own class. */
public final class Pages {
  private Pages() {}

  /** A page that says one thing. */
  public static String message(String title, String text) {
    return Layout.message(title, text);
  }
}
