package dev.assay.render.html;

import dev.assay.render.CheckResult;
import dev.assay.render.Golden;
import dev.assay.render.Sample;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class HtmlGoldenTest {
  /** The page without its style and script, which are files of their own. */
  private static String page(CheckResult... results) throws IOException {
    StringBuilder out = new StringBuilder();
    HtmlRenderer renderer = new HtmlRenderer("1.0", out);
    for (CheckResult result : results) {
      String command = "assay check " + result.file();
      renderer.add(result, new HtmlRenderer.Extras(result.history(), command));
    }
    renderer.finish();
    return out.toString()
        .replace(Resource.STYLE.text(), "STYLE")
        .replace(Resource.SCRIPT.text(), "SCRIPT")
        .replace(Resource.policy(), "POLICY");
  }

  @Test
  void aViolationAsAPage() throws IOException {
    Golden.check("violated.html", page(Sample.writeSkew()));
  }

  @Test
  void anInferredStepAsAPage() throws IOException {
    Golden.check("commit-order.html", page(Sample.commitOrder()));
  }

  @Test
  void severalResultsAsOnePage() throws IOException {
    Golden.check("several.html", page(Sample.ok(), Sample.unknown()));
  }
}
