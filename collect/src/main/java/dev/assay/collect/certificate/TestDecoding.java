package dev.assay.collect.certificate;

import dev.assay.collect.db.Table;
import java.util.HashMap;
import java.util.Map;

/**
 * Understands the lines of PostgreSQL's output plugin {@code test_decoding}: {@code BEGIN 742},
 * {@code table public.assay_rows: UPDATE: k[bigint]:1 val[bigint]:3 ver[bigint]:77}, {@code COMMIT
 * 742}, and messages that sessions left in the log.
 */
final class TestDecoding {
  /** The prefix of Assay's messages. */
  static final String PREFIX = "assay";

  /** The message after which nothing more is of interest. */
  static final String END = "end";

  private static final String MESSAGE = "message: transactional: 1 prefix: " + PREFIX + ", sz: ";
  private static final String CONTENT = " content:";
  private static final long EPOCH = 1L << 32;

  private final CommitLog log;
  private final long base;
  private final Map<String, String> columns = new HashMap<>();
  private boolean ended;

  /**
   * @param log what to fill
   * @param base a transaction id near those to come: lines have only the lower half of an id
   */
  TestDecoding(CommitLog log, long base) {
    this.log = log;
    this.base = base;
  }

  /** Whether the end was seen. */
  boolean hasEnded() {
    return ended;
  }

  void accept(String line) throws CertificateException {
    try {
      if (line.startsWith("BEGIN ")) {
        log.begin();
      } else if (line.startsWith("COMMIT ")) {
        log.commit(fullId(Long.parseLong(line.substring("COMMIT ".length()).strip())));
      } else if (line.startsWith("table ")) {
        change(line);
      } else if (line.startsWith(MESSAGE)) {
        String content = line.substring(line.indexOf(CONTENT) + CONTENT.length());
        ended |= content.equals(END);
        log.mark(content.equals(END) ? null : content);
      }
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new CertificateException("PostgreSQL's log has an unknown line: " + line, e);
    }
  }

  /** The lower half of the id, given the upper half that puts it nearest to the base. */
  private long fullId(long id) {
    long full = (base & -EPOCH) | id;
    if (full - base > EPOCH / 2) {
      return full - EPOCH;
    }
    return base - full > EPOCH / 2 ? full + EPOCH : full;
  }

  private void change(String line) {
    int name = line.indexOf(": ");
    String table = line.substring(line.lastIndexOf('.', name) + 1, name);
    int action = line.indexOf(": ", name + 2);
    String what = line.substring(name + 2, action);
    if (table.equals(Table.ROWS.sqlName())) {
      read(line, action + 2);
      if (what.equals("DELETE")) {
        log.version(number("k"), null);
      } else {
        log.row(number("k"), number("val"), number("ver"));
      }
    } else if (table.equals(Table.REGISTER.sqlName())) {
      read(line, action + 2);
      log.version(number("k"), number("v"));
    } else if (table.equals(Table.LIST.sqlName())) {
      read(line, action + 2);
      log.list(number("k"), columns.get("v"));
    }
  }

  private long number(String column) {
    return Long.parseLong(columns.get(column));
  }

  /** Reads {@code name[type]:value} after {@code name[type]:value}; texts are in quotes. */
  private void read(String line, int start) {
    columns.clear();
    int at = start;
    while (at < line.length()) {
      int type = line.indexOf('[', at);
      int colon = line.indexOf("]:", type);
      String name = line.substring(at, type);
      at = colon + 2;
      int end;
      if (line.charAt(at) == '\'') {
        end = line.indexOf('\'', at + 1);
        columns.put(name, line.substring(at + 1, end));
        end++;
      } else {
        end = line.indexOf(' ', at);
        end = end < 0 ? line.length() : end;
        columns.put(name, line.substring(at, end));
      }
      at = end + 1;
    }
  }
}
