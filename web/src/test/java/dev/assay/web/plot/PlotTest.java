package dev.assay.web.plot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.render.plot.Csv;
import dev.assay.render.plot.Plot;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

class PlotTest {
  private static final String HOSTILE = "<script>\"&'\u0000";

  @Test
  void everyPlotIsWellFormedWhateverItsNamesAre() throws Exception {
    List<Usage.Sample> samples = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      samples.add(
          new Usage.Sample(i * 100L, i < 500 ? HOSTILE : "b", i % 90, i << 20, 0, i, i % 7));
    }
    Map<String, Map<String, Long>> bars = new LinkedHashMap<>();
    bars.put(HOSTILE, Map.of(HOSTILE, 10L, "negative", -3L));
    for (Plot plot :
        List.of(
            new Usage(HOSTILE, samples, List.of(new Usage.Mark(700, HOSTILE))),
            new Usage("nothing", List.of(), List.of()),
            new StageBars("s", HOSTILE, bars),
            new StageBars("s", "nothing", Map.of()),
            curves(List.of(HOSTILE, "b"), 1, Double.NaN),
            curves(List.of("1", "2"), 0, 0),
            curves(List.of("1"), 1e12))) {
      Document document =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(plot.svg().getBytes(StandardCharsets.UTF_8)));
      assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
      assertThat(document.getElementsByTagName("script").getLength()).isZero();
      assertThat(plot.svg()).doesNotContain("NaN").doesNotContain("Infinity");
    }
  }

  private static Curves curves(List<String> values, double... numbers) {
    return new Curves(
        "c", "Title", "keys", values, "ms", List.of(new Curves.Series(HOSTILE, numbers)));
  }

  @Test
  void doubtfulPointsAreHollowAndSayWhy() {
    String[] doubts = {null, "cut short: fewer transactions than asked for"};
    Curves.Series series = new Curves.Series("assay", new double[] {3, 5}, doubts);
    Curves.Series other = new Curves.Series("other", new double[] {2, 4});
    Curves plot =
        new Curves("c", "Title", "sessions", List.of("2", "4"), "ms", List.of(series, other));
    String svg = plot.svg();
    assertThat(svg.split("mark hollow", -1)).hasSize(2);
    assertThat(svg).contains("sessions 4: 5 ms\ncut short: fewer transactions than asked for");
    assertThat(plot.csv())
        .isEqualTo(
            "sessions,assay (ms),other (ms),assay remark\n2,3.0,2.0,\n"
                + "4,5.0,4.0,cut short: fewer transactions than asked for\n");
  }

  @Test
  void valuesFarEnoughApartArePlacedToScale() {
    String svg = curves(List.of("0", "50", "100"), 1, 2, 3).svg();
    List<Double> places = new ArrayList<>();
    java.util.regex.Matcher mark =
        java.util.regex.Pattern.compile("class=\"mark\" d=\"M([0-9.]+) ").matcher(svg);
    while (mark.find() && places.size() < 3) {
      places.add(Double.parseDouble(mark.group(1)));
    }
    assertThat(places.get(1) - places.get(0)).isEqualTo(places.get(2) - places.get(1));
    assertThat(places.get(1)).isGreaterThan(places.get(0));
  }

  @Test
  void aSweepIsACurveForEachSubjectAndEachOtherValue() {
    List<RunConfig> configs = new ArrayList<>();
    List<Family.Point> points = new ArrayList<>();
    for (String distribution : List.of("uniform", "zipf")) {
      for (String sessions : List.of("5", "10", "20")) {
        RunConfig one = RunConfig.read(Map.of("distribution", distribution, "sessions", sessions));
        configs.add(one);
        points.add(new Family.Point(one, "assay", Double.parseDouble(sessions), null));
        points.add(new Family.Point(one, "other", 1, null));
      }
    }
    Plot plot =
        new Family(List.of(Parameters.DISTRIBUTION, Parameters.SESSIONS), configs)
            .curves("time", "Time", "ms", points)
            .orElseThrow();
    assertThat(plot.title()).isEqualTo("Time over sessions");
    assertThat(plot.csv().lines().toList())
        .startsWith(
            "sessions,\"assay, distribution uniform (ms)\",\"other, distribution uniform (ms)\","
                + "\"assay, distribution zipf (ms)\",\"other, distribution zipf (ms)\"",
            "5,5.0,1.0,5.0,1.0")
        .hasSize(4);
  }

  @Test
  void whatASpreadsheetWouldRunIsText() {
    Csv csv = new Csv(List.of("a", "b"));
    csv.row(List.of("=cmd()", "-1.5"));
    csv.row(List.of("a,\"b\"", "-x"));
    assertThat(csv.text()).isEqualTo("a,b\n'=cmd(),-1.5\n\"a,\"\"b\"\"\",'-x\n");
  }
}
