package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.parquet.ByteOut;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Scalars in columns of text: as JSON, but for strings that begin with a letter, which stand for
 * themselves. So {@code x} is a string, and {@code 1}, {@code "1"}, {@code null} and {@code [1,2]}
 * are what they are in JSON.
 */
final class PlainText {
  private static final int SAFE_DIGITS = 18;

  private PlainText() {}

  /** A scalar as text. */
  static String of(Object scalar) {
    if (scalar instanceof String text && standsForItself(text)) {
      return text;
    }
    StringBuilder json = new StringBuilder();
    AssayJsonlWriter.scalar(json, scalar);
    return json.toString();
  }

  private static boolean standsForItself(String text) {
    if (text.isEmpty() || !isLetter(text.charAt(0)) || isWord(text)) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) < ' ' || Character.isSurrogate(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetter(int c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
  }

  /** Whether a text is a value in JSON. */
  private static boolean isWord(String text) {
    return text.equals("null") || text.equals("true") || text.equals("false");
  }

  /**
   * Adds a text of a column as JSON.
   *
   * @return whether it is a text that means something
   */
  static boolean addJson(byte[] bytes, int from, int length, ByteOut out) throws IOException {
    if (isInteger(bytes, from, length)) {
      out.add(bytes, from, length);
      return true;
    }
    String text = new String(bytes, from, length, StandardCharsets.UTF_8);
    if (length > 0 && isLetter(bytes[from]) && !isWord(text)) {
      StringBuilder quoted = new StringBuilder();
      JsonText.quote(quoted, text);
      out.add(quoted.toString());
      return true;
    }
    try (JsonParser parser = AssayJsonlReader.JSON.createParser(text)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        return false;
      }
      String compact = JsonText.compact(parser);
      out.add(compact);
      return parser.nextToken() == null;
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  private static boolean isInteger(byte[] bytes, int from, int length) {
    int start = length > 1 && bytes[from] == '-' ? 1 : 0;
    boolean isZero = length - start == 1;
    if (length == start || length > SAFE_DIGITS || !isZero && bytes[from + start] == '0') {
      return false;
    }
    for (int i = start; i < length; i++) {
      if (bytes[from + i] < '0' || bytes[from + i] > '9') {
        return false;
      }
    }
    return true;
  }
}
