package dev.assay.cli.serve;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Route;
import dev.assay.collect.runs.RunStatus;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What does not run to its end: stopped batches, lost connections, strangers, wrong addresses. */
class InterruptionsTest extends AtABrowser {
  private static final List<String> TWO_LONG_RUNS =
      List.of("source", "database", "database", "h2", "sessions", "2,3", "duration", "600s");

  @Test
  void aBatchIsStoppedCheckedAndRunAgain() throws Exception {
    String first = served.submit(TWO_LONG_RUNS.toArray(String[]::new));
    served.await(first, RunStatus.RUNNING);
    page.navigate(address("/batches/" + first));
    assertThat(page.locator("main")).containsText("0 of 2 runs are done");
    // How far the first is: its end is known, and so is the time left.
    page.locator("table.runs tbody a").first().click();
    assertThat(page.locator(".now progress[value]")).isVisible();
    assertThat(page.locator(".now")).containsText(Pattern.compile("recording, .* committed"));
    page.navigate(address("/batches/" + first));
    page.locator("table.runs tbody a").last().click();
    assertThat(page.locator(".now")).containsText("Waiting in the queue: 1 run before this one");

    page.navigate(address("/batches/" + first));
    page.getByText("Stop", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("main")).containsText("2 of 2 runs are done");
    assertThat(page.locator("table.runs .pill.stopped")).hasCount(2);

    page.getByText("Rerun", new Page.GetByTextOptions().setExact(true)).click();
    page.waitForURL(Pattern.compile(".*/batches/(?!" + first + ").*"));
    assertThat(page.locator("main")).containsText("0 of 2 runs are done");
    assertThat(page.locator(".machine").first()).containsText("Assay");
    page.getByText("Stop", new Page.GetByTextOptions().setExact(true)).click();
    assertThat(page.locator("main")).containsText("2 of 2 runs are done");

    // What the first had recorded by then is worth a verdict.
    page.navigate(address("/runs/" + first));
    page.getByText("Check what was recorded").click();
    assertThat(page.locator(".head h1")).containsText("recorded");
    assertThat(page.locator(".head h1 .pill")).hasText(Pattern.compile("Healthy|Buggy|Unknown"));
  }

  @Test
  void chipsFollowTheTable() throws Exception {
    String id = served.submit("source", "database", "database", "h2", "duration", "600s");
    page.navigate(address("/runs"));
    assertThat(page.locator(".chip.running")).containsText("1");
    served.await(id, RunStatus.RUNNING);
    served.client().post("/runs/" + id + "/stop", "do", "stop");
    assertThat(page.locator(".chip.stopped")).containsText("1");
    assertThat(page.locator(".chip.running")).hasCount(0);
    assertThat(page.locator("table.runs .pill.stopped")).hasCount(1);
  }

  @Test
  void aLostConnectionIsSaidAndFoundAgain() throws Exception {
    String id = served.submit("source", "database", "database", "h2", "duration", "600s");
    served.await(id, RunStatus.RUNNING);
    page.route("**/live", Route::abort);
    page.navigate(address("/runs/" + id));
    Locator lost = page.locator("#lost");
    assertThat(lost).isVisible();
    assertThat(lost).containsText("The connection to assay serve is lost");
    page.unroute("**/live");
    assertThat(lost).isHidden();
    served.close();
    assertThat(lost).isVisible();
    complaints.removeIf(one -> one.contains("ERR_"));
  }

  @Test
  void strangersAndWrongAddressesGetPagesThatSayWhatToDo() {
    Page stranger = newPage();
    stranger.navigate(address("/runs"));
    assertThat(stranger.locator("h1")).hasText("You are not logged in");
    assertThat(stranger.locator("main")).containsText("assay serve");
    assertThat(isStyled(stranger)).isTrue();
    stranger.context().close();
    page.navigate(address("/runs/no-such-run"));
    assertThat(page.locator("h1")).hasText("Page not found");
    assertThat(isStyled(page)).isTrue();
    page.getByText("Go to the runs").click();
    assertThat(page.locator("h1")).hasText("Runs");
    assertThat(complaints).allMatch(one -> one.contains("40"));
    complaints.clear();
  }

  /** Whether the style sheet of the page is in force, which its own policy could forbid. */
  private static boolean isStyled(Page shown) {
    return (boolean)
        shown.evaluate(
            "() => parseFloat(getComputedStyle(document.querySelector('main')).borderRadius) > 0");
  }
}
