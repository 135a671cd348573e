package dev.assay.web.page;

/** What all pages have around them. */
final class Layout {
  private Layout() {}

  /** Begins a page; the content follows and {@link #end} closes it. */
  static Html begin(String title, String here, Asset... scripts) {
    Html html = new Html();
    html.open("html", "lang", "en").open("head");
    html.single("meta", "charset", "utf-8");
    html.single("meta", "name", "viewport", "content", "width=device-width, initial-scale=1");
    html.single("meta", "name", "color-scheme", "content", "light dark");
    html.element("title", title + " · Assay");
    html.single("link", "rel", "stylesheet", "href", Asset.REPORT_STYLE.href());
    html.single("link", "rel", "stylesheet", "href", Asset.STYLE.href());
    html.single("link", "rel", "icon", "href", "data:,");
    html.element("script", "", "src", Asset.SCRIPT.href(), "defer", "");
    for (Asset script : scripts) {
      html.element("script", "", "src", script.href(), "defer", "");
    }
    html.close();
    html.open("body").open("header", "class", "top");
    html.element("a", "Assay", "class", "brand", "href", "/");
    html.open("nav", "aria-label", "Pages");
    item(html, "/runs", "Runs", here);
    item(html, "/new", "New run", here);
    item(html, "/bugs", "Bugs", here);
    return html.close(2).open("main", "id", "main");
  }

  private static void item(Html html, String href, String title, String here) {
    html.element("a", title, "href", href, "aria-current", href.equals(here) ? "page" : null);
  }

  static String end(Html html) {
    html.close();
    html.element("div", "", "id", "tip", "role", "status", "hidden", "");
    html.element("div", "", "id", "lost", "role", "alert", "hidden", "");
    return "<!doctype html>\n" + html.close(2);
  }
}
