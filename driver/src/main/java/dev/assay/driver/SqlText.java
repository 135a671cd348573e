package dev.assay.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The words of a statement that are in no parentheses, strings, quoted names or comments. Hidden
 * columns are put between them, so that the rest of the statement stays as it was written.
 */
final class SqlText {
  private static final Pattern LAST_NAME =
      Pattern.compile(
          "(\"(?:[^\"]|\"\")*\"|`[^`]*`|[\\w$]+)\\s*$", Pattern.UNICODE_CHARACTER_CLASS);

  private record Word(String text, int start, int end) {}

  private final String sql;
  private final boolean mysql;
  private final List<Word> words = new ArrayList<>();
  private int end;

  /**
   * Looks at a statement.
   *
   * @param mysql whether backslashes escape, comments do not nest and {@code #} begins one
   */
  SqlText(String sql, boolean mysql) {
    this.sql = sql;
    this.mysql = mysql;
    scan();
  }

  /**
   * A word in capitals, or an empty text where there are not that many. One that follows a full
   * stop begins with it.
   */
  String word(int index) {
    return index < words.size() ? words.get(index).text : "";
  }

  int size() {
    return words.size();
  }

  /** Where the first FROM begins that ends a list of columns, or −1. */
  int from() {
    for (int i = 1; i < words.size(); i++) {
      // As in: a IS DISTINCT FROM b, or a AS from.
      if (word(i).equals("FROM") && !word(i - 1).equals("DISTINCT") && !word(i - 1).equals("AS")) {
        return words.get(i).start;
      }
    }
    return -1;
  }

  /** Whether something follows a semicolon. */
  boolean isSeveral() {
    for (int i = 0; i + 1 < words.size(); i++) {
      if (word(i).equals(";")) {
        return true;
      }
    }
    return false;
  }

  /** The first words of all statements of which this one consists. */
  List<Integer> beginnings() {
    List<Integer> beginnings = new ArrayList<>();
    for (int i = 0; i < words.size(); i++) {
      if (!word(i).equals(";") && (i == 0 || word(i - 1).equals(";"))) {
        beginnings.add(i);
      }
    }
    return beginnings;
  }

  /** Whether there is such a word anywhere, in parentheses too. */
  boolean mentions(String... any) {
    for (String one : any) {
      if (Pattern.compile("(?i)\\b" + one + "\\b").matcher(sql).find()) {
        return true;
      }
    }
    return false;
  }

  /** The name at the end as it is written, with its quotes. */
  String lastName() {
    Matcher name = LAST_NAME.matcher(trimmed());
    return name.find() ? name.group(1) : word(size() - 1);
  }

  /** The statement without what follows its last word. */
  String trimmed() {
    boolean semicolon = !words.isEmpty() && word(words.size() - 1).equals(";");
    return sql.substring(0, semicolon ? words.get(words.size() - 1).start : end);
  }

  private void scan() {
    int depth = 0;
    for (int i = 0; i < sql.length(); ) {
      char c = sql.charAt(i);
      int next = skip(i);
      if (next > i) {
        boolean comment = c == '-' || c == '/' || c == '#';
        end = comment ? end : next;
        i = next;
      } else if (depth == 0 && Character.isJavaIdentifierStart(c)) {
        int start = i;
        while (i < sql.length() && Character.isJavaIdentifierPart(sql.charAt(i))) {
          i++;
        }
        String word = sql.substring(start, i).toUpperCase(Locale.ROOT);
        boolean member = start > 0 && sql.charAt(start - 1) == '.';
        words.add(new Word(member ? "." + word : word, start, i));
        end = i;
      } else {
        depth += c == '(' ? 1 : c == ')' ? -1 : 0;
        if (c == ';' || c == '{') {
          words.add(new Word(String.valueOf(c), i, i + 1));
        }
        i++;
        end = Character.isWhitespace(c) ? end : i;
      }
    }
  }

  /** Whether a quote follows an E that is not the end of a word, such as LIKE. */
  private boolean isEscapeString(int quote) {
    return quote > 0
        && "eE".indexOf(sql.charAt(quote - 1)) >= 0
        && (quote == 1 || !Character.isJavaIdentifierPart(sql.charAt(quote - 2)));
  }

  /** Comments are in comments, as the standard has it. */
  private int endOfComment(int from) {
    int depth = 1;
    int i = from + 2;
    while (i < sql.length() && depth > 0) {
      if (sql.startsWith("*/", i)) {
        depth--;
        i += 2;
      } else if (!mysql && sql.startsWith("/*", i)) {
        depth++;
        i += 2;
      } else {
        i++;
      }
    }
    return i;
  }

  /** The end of a string, quoted name or comment that begins here; the same place if none does. */
  private int skip(int from) {
    char c = sql.charAt(from);
    if (c == '\'' || c == '"' || c == '`') {
      boolean escapes = c != '`' && mysql || c == '\'' && isEscapeString(from);
      int i = from + 1;
      while (i < sql.length() && sql.charAt(i) != c) {
        i += escapes && sql.charAt(i) == '\\' ? 2 : 1;
      }
      return Math.min(i + 1, sql.length());
    }
    if (sql.startsWith("--", from) || mysql && c == '#') {
      int line = sql.indexOf('\n', from);
      return line < 0 ? sql.length() : line + 1;
    }
    if (sql.startsWith("/*", from)) {
      return endOfComment(from);
    }
    if (c == '$') {
      int tag = sql.indexOf('$', from + 1);
      if (tag > 0 && sql.substring(from + 1, tag).matches("\\w*")) {
        int close = sql.indexOf(sql.substring(from, tag + 1), tag + 1);
        return close < 0 ? sql.length() : close + tag + 1 - from;
      }
    }
    return from;
  }
}
