package dev.assay.render;

/** Colours of terminal text, or none. */
enum Style {
  ERROR("1;31"),
  WARNING("1;33"),
  OK("1;32"),
  UNKNOWN("1;35"),
  NOTE("1;36"),
  STRONG("1"),
  FAINT("34");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  String paint(String text, boolean color) {
    return color ? "\u001b[" + code + "m" + text + "\u001b[0m" : text;
  }
}
