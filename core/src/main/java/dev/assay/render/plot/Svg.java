package dev.assay.render.plot;

import dev.assay.render.Escaping;
import java.util.List;
import java.util.Locale;

/**
 * Writes SVG. Every text and attribute is escaped on its way. Looks are attributes, so that a file
 * on its own is complete; pages recolour by class.
 */
public final class Svg {
  /** The palette of Okabe and Ito, which people with colour blindness can distinguish. */
  public static final List<String> COLOURS =
      List.of(
          "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f6a00", "#666666",
          "#4b3b9c", "#a3322e", "#8fb339", "#c9a27e", "#b07cc6", "#006b75", "#d3225b", "#93b1c4");

  public static final List<String> DASHES =
      List.of("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "1 2", "6 2 1 2");

  private static final String FONT = "system-ui, -apple-system, 'Segoe UI', sans-serif";

  private final StringBuilder out = new StringBuilder();

  public Svg(String title, int width, int height) {
    out.append("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" role=\"img\"");
    attribute("aria-label", title);
    attribute("viewBox", "0 0 " + width + " " + height);
    attribute("width", width);
    attribute("height", height);
    attribute("font-family", FONT);
    attribute("font-size", 12);
    out.append('>');
    rect(0, 0, width, height, "paper", "#ffffff", null);
  }

  public Svg line(double x1, double y1, double x2, double y2, String kind, String colour) {
    out.append("<line");
    attribute("class", kind);
    attribute("x1", x1);
    attribute("y1", y1);
    attribute("x2", x2);
    attribute("y2", y2);
    attribute("stroke", colour);
    out.append("/>");
    return this;
  }

  public Svg path(String d, String kind, String colour, String dash) {
    out.append("<path");
    attribute("class", kind);
    attribute("d", d);
    attribute("fill", "none");
    attribute("stroke", colour);
    attribute("stroke-width", "1.8");
    attribute("stroke-linejoin", "round");
    if (!dash.isEmpty()) {
      attribute("stroke-dasharray", dash);
    }
    out.append("/>");
    return this;
  }

  public Svg rect(
      double x, double y, double width, double height, String kind, String fill, String tip) {
    out.append("<rect");
    attribute("class", kind);
    attribute("x", x);
    attribute("y", y);
    attribute("width", Math.max(0, width));
    attribute("height", Math.max(0, height));
    attribute("fill", fill);
    return close("rect", tip);
  }

  /** A shaded stretch, so light that what is drawn over it stays legible. */
  public Svg band(double x, double y, double width, double height, String fill, String tip) {
    out.append("<rect");
    attribute("class", "band");
    attribute("x", x);
    attribute("y", y);
    attribute("width", Math.max(0, width));
    attribute("height", height);
    attribute("fill", fill);
    attribute("fill-opacity", "0.13");
    return close("rect", tip);
  }

  /** A mark of one of a few shapes, which distinguish series without colour. */
  public Svg mark(double x, double y, int shape, String colour, String tip) {
    return mark(x, y, shape, colour, tip, false);
  }

  /**
   * A mark that may be hollow.
   *
   * @param hollow whether what it stands for is to be taken with care
   */
  public Svg mark(double x, double y, int shape, String colour, String tip, boolean hollow) {
    String d =
        switch (shape % 4) {
          case 0 -> "M%s %sm-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0z";
          case 1 -> "M%s %sm-4 -4h8v8h-8z";
          case 2 -> "M%s %sm0 -5l5 9h-10z";
          default -> "M%s %sm0 -5l5 5l-5 5l-5 -5z";
        };
    out.append("<path");
    attribute("class", hollow ? "mark hollow" : "mark");
    attribute("d", d.formatted(text(x), text(y)));
    attribute("fill", hollow ? "#ffffff" : colour);
    if (hollow) {
      attribute("stroke", colour);
      attribute("stroke-width", "1.5");
    }
    return close("path", tip);
  }

  /** An area that shows nothing but answers when it is pointed at. */
  public Svg hover(double x, double y, double width, double height, String tip) {
    out.append("<rect");
    attribute("class", "hover");
    attribute("x", x);
    attribute("y", y);
    attribute("width", width);
    attribute("height", height);
    attribute("fill", "#000000");
    attribute("fill-opacity", "0");
    return close("rect", tip);
  }

  /** Text; the anchor is start, middle or end. */
  public Svg text(double x, double y, String anchor, String kind, String text) {
    out.append("<text");
    attribute("class", kind);
    attribute("x", x);
    attribute("y", y);
    attribute("text-anchor", anchor);
    attribute("fill", kind.equals("title") ? "#1b1f24" : "#57606a");
    if (kind.equals("title")) {
      attribute("font-weight", "600");
      attribute("font-size", 13);
    }
    out.append('>');
    Escaping.escape(text, false, out);
    out.append("</text>");
    return this;
  }

  /** The name of the vertical axis, from bottom to top. */
  public Svg upright(double x, double y, String text) {
    out.append("<text class=\"label\" fill=\"#57606a\" text-anchor=\"middle\"");
    attribute("transform", "translate(" + text(x) + " " + text(y) + ") rotate(-90)");
    out.append('>');
    Escaping.escape(text, false, out);
    out.append("</text>");
    return this;
  }

  private Svg close(String element, String tip) {
    if (tip == null) {
      out.append("/>");
    } else {
      attribute("data-tip", tip);
      out.append("><title>");
      Escaping.escape(tip, false, out);
      out.append("</title></").append(element).append('>');
    }
    return this;
  }

  public String end() {
    return out.append("</svg>").toString();
  }

  private void attribute(String name, double value) {
    attribute(name, text(value));
  }

  private void attribute(String name, String value) {
    out.append(' ').append(name).append("=\"");
    Escaping.escape(value, true, out);
    out.append('"');
  }

  public static String text(double value) {
    if (value == Math.rint(value) && Math.abs(value) < 1e9) {
      return Long.toString((long) value);
    }
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
