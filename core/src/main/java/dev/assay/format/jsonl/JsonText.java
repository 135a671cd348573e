package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** JSON as compact text: no spaces, fields in the order given, numbers as they were written. */
final class JsonText {
  private static final String HEX = "0123456789abcdef";

  private JsonText() {}

  /** A string with its quotes; only what must be escaped is. */
  static void quote(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          boolean paired =
              Character.isHighSurrogate(c)
                  && i + 1 < text.length()
                  && Character.isLowSurrogate(text.charAt(i + 1));
          if (paired) {
            out.append(c).append(text.charAt(++i));
          } else if (c < ' ' || Character.isSurrogate(c)) {
            escape(out, c);
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static void escape(StringBuilder out, char c) {
    out.append("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      out.append(HEX.charAt(c >> shift & 15));
    }
  }

  /** The value that begins at the parser's current token, which is left at its last token. */
  static String compact(JsonParser parser) throws IOException {
    StringBuilder out = new StringBuilder();
    int depth = 0;
    boolean comma = false;
    do {
      JsonToken token = parser.currentToken();
      boolean closes = token == JsonToken.END_OBJECT || token == JsonToken.END_ARRAY;
      if (comma && !closes) {
        out.append(',');
      }
      comma = true;
      switch (token) {
        case FIELD_NAME -> {
          quote(out, parser.currentName());
          out.append(':');
          comma = false;
        }
        case VALUE_STRING -> quote(out, parser.getText());
        case START_OBJECT, START_ARRAY -> {
          out.append(parser.getText());
          depth++;
          comma = false;
        }
        default -> out.append(parser.getText());
      }
      if (closes) {
        depth--;
      }
    } while (depth > 0 && parser.nextToken() != null);
    return out.toString();
  }
}
