package dev.assay.format.jsonl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class HtmlReportTest {
  private static final String HEAD =
      "<!DOCTYPE html>\n" + HtmlReport.MARK + "1.0\">\n" + HtmlReport.WITH_HISTORY + "1\">\n";
  private static final String BLOCK =
      HtmlReport.BEGIN
          + "\n{\"assay\":1,\"initial\":null}\n{\"session\":1,\"ops\":[[\"w\",\"x\",1]]}\n"
          + HtmlReport.END
          + "\n";

  private static History read(String page) throws ParseException {
    return Formats.read(Input.of("x.html", page.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void theHistoryBetweenTheMarksIsRead() throws ParseException {
    History history = read(HEAD + "<p>text</p>\n" + BLOCK + "<p>more</p>\n");
    assertThat(history.transactionCount()).isEqualTo(1);
    assertThat(history.origin().format()).isEqualTo("html-report");
    assertThat(history.place(0)).isEqualTo("x.html:7");
  }

  @Test
  void mistakesNameTheLineOfThePage() {
    String page = HEAD + BLOCK.replace("\"w\"", "\"what\"");
    assertThatThrownBy(() -> read(page))
        .isInstanceOfSatisfying(
            ParseException.class, e -> assertThat(e.place()).startsWith("x.html:6"));
  }

  @Test
  void aPageCutShortIsRefused() {
    String page = HEAD + BLOCK;
    String inside = page.substring(0, page.indexOf(HtmlReport.END));
    assertThatThrownBy(() -> read(inside)).hasMessageContaining("ends inside the history");
    assertThatThrownBy(() -> read(HEAD)).hasMessageContaining("is a report without its history");
  }

  @Test
  void aPageOnSeveralHistoriesIsRefused() {
    assertThatThrownBy(() -> read(HEAD + BLOCK + BLOCK))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("several histories");
  }

  @Test
  void aPageThatFoundNothingSaysSo() {
    String page = "<!DOCTYPE html>\n" + HtmlReport.MARK + "1.0\">\n";
    assertThatThrownBy(() -> read(page))
        .isInstanceOf(ParseException.class)
        .hasMessageContaining("without a history");
  }

  @Test
  void otherPagesAreNotOurs() {
    assertThatThrownBy(() -> read("<!DOCTYPE html>\n<p>hello</p>\n"))
        .hasMessageContaining("is not in a format that Assay reads");
  }
}
