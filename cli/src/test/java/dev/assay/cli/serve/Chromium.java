package dev.assay.cli.serve;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The system's own Chromium, without a window. */
final class Chromium implements AutoCloseable {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  private final Playwright playwright;
  private final Browser browser;

  Chromium() {
    // The driver must use what is installed, and fetch nothing.
    playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--no-first-run"));
    if (System.getProperty("user.name").equals("root")) {
      flags.add("--no-sandbox");
    }
    browser =
        playwright
            .chromium()
            .launch(new BrowserType.LaunchOptions().setExecutablePath(program()).setArgs(flags));
  }

  private static Path program() {
    for (String folder : System.getenv("PATH").split(File.pathSeparator)) {
      for (String name : NAMES) {
        Path program = Path.of(folder, name);
        if (Files.isExecutable(program)) {
          return program;
        }
      }
    }
    throw new IllegalStateException(
        "Chromium is needed; install it with: sudo apt-get install -y chromium");
  }

  /** A page with nothing behind it: no cookies, no history. */
  Page page() {
    Page page =
        browser
            .newContext(
                new Browser.NewContextOptions().setViewportSize(1280, 860).setAcceptDownloads(true))
            .newPage();
    // The machine may have other things to do.
    page.setDefaultTimeout(180_000);
    return page;
  }

  @Override
  public void close() {
    browser.close();
    playwright.close();
  }
}
