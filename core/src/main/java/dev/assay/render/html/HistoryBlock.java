package dev.assay.render.html;

import dev.assay.format.jsonl.AssayJsonl;
import dev.assay.format.jsonl.CertificateText;
import dev.assay.format.jsonl.HtmlReport;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.render.Escaping;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** A history inside the page, where {@link HtmlReport} finds it. */
final class HistoryBlock {
  private HistoryBlock() {}

  static Markup of(History history) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new AssayJsonl().write(history, bytes);
    return block(HtmlReport.BEGIN, bytes.toString(StandardCharsets.UTF_8));
  }

  /** The certificate of the history in the page. */
  static Markup of(VersionCertificate certificate, History history) {
    return block(HtmlReport.BEGIN_CERTIFICATE, CertificateText.of(certificate, history));
  }

  private static Markup block(String begin, String lines) {
    Markup html = new Markup();
    html.verbatim(begin).line();
    html.verbatim(escaped(lines));
    return html.verbatim(HtmlReport.END).line();
  }

  /** In JSON these characters occur inside strings only, where they have another spelling. */
  private static String escaped(String json) {
    StringBuilder safe = new StringBuilder(json.length());
    for (int i = 0; i < json.length(); i++) {
      char c = json.charAt(i);
      boolean unseen = c > '~' && !Character.isSurrogate(c) && !Escaping.isVisible(c);
      if (c == '<' || c == '>' || c == '&' || unseen) {
        safe.append(String.format("\\u%04x", (int) c));
      } else {
        safe.append(c);
      }
    }
    return safe.toString();
  }
}
