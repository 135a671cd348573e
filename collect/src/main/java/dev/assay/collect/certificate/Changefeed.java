package dev.assay.collect.certificate;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.assay.collect.db.Table;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Understands the messages of a CockroachDB changefeed with the option {@code updated}: a table, a
 * key such as {@code [1]}, and a value such as {@code {"after":{"k":1,"val":3,"ver":77},
 * "updated":"1532377312562986715.0000000000"}}, whose {@code after} is null for a deletion. A
 * message may come more than once and messages of different keys in any order; changes of one
 * timestamp are those of one transaction.
 */
final class Changefeed {
  private static final JsonFactory JSON = new JsonFactory();

  /** What a message says. */
  private static final class Message {
    final Map<String, Long> after = new HashMap<>();
    boolean deleted;
    BigDecimal updated;
  }

  /** By timestamp and key. */
  private final TreeMap<BigDecimal, TreeMap<Long, Object>> changes = new TreeMap<>();

  private final List<BigDecimal> timestamps = new ArrayList<>();

  void accept(String table, String key, String value) throws CertificateException {
    if (table == null) {
      // A resolved timestamp: nothing of a row.
      return;
    }
    try {
      long number = key(key);
      Message message = message(value);
      if (message.updated == null || (message.after.isEmpty() && !message.deleted)) {
        throw new IllegalArgumentException("neither a row nor a deletion");
      }
      Object version = null;
      if (!message.deleted) {
        boolean row = table.endsWith(Table.ROWS.sqlName());
        version =
            row ? List.of(column(message, "val"), column(message, "ver")) : column(message, "v");
      }
      changes.computeIfAbsent(message.updated, t -> new TreeMap<>()).put(number, version);
    } catch (IOException | IllegalArgumentException e) {
      throw new CertificateException(
          "the changefeed has an unknown message: " + key + " " + value, e);
    }
  }

  private static long key(String text) throws IOException {
    try (JsonParser json = JSON.createParser(text == null ? "" : text)) {
      if (json.nextToken() != JsonToken.START_ARRAY || !json.nextToken().isNumeric()) {
        throw new IllegalArgumentException("not a key");
      }
      return json.getLongValue();
    }
  }

  private static Message message(String text) throws IOException {
    Message message = new Message();
    try (JsonParser json = JSON.createParser(text == null ? "" : text)) {
      if (json.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("not an object");
      }
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String field = json.currentName();
        JsonToken token = json.nextToken();
        if (field.equals("updated")) {
          message.updated = new BigDecimal(json.getText());
        } else if (field.equals("after") && token == JsonToken.VALUE_NULL) {
          message.deleted = true;
        } else if (field.equals("after") && token == JsonToken.START_OBJECT) {
          readColumns(json, message.after);
        } else {
          json.skipChildren();
        }
      }
    }
    return message;
  }

  private static void readColumns(JsonParser json, Map<String, Long> columns) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String column = json.currentName();
      if (json.nextToken() == JsonToken.VALUE_NUMBER_INT) {
        columns.put(column, json.getLongValue());
      } else {
        json.skipChildren();
      }
    }
  }

  private static Long column(Message message, String name) {
    Long value = message.after.get(name);
    if (value == null) {
      throw new IllegalArgumentException("no column " + name);
    }
    return value;
  }

  /**
   * What was read, in the order of timestamps.
   *
   * @param ids the ids of transactions by the timestamps that sessions got for them
   */
  CommitLog log(Map<String, String> ids) throws CertificateException {
    Map<BigDecimal, String> marks = new HashMap<>();
    for (Map.Entry<String, String> entry : ids.entrySet()) {
      marks.put(timestamp(entry.getKey()), entry.getValue());
    }
    CommitLog log = new CommitLog();
    timestamps.clear();
    changes.forEach(
        (timestamp, ofKeys) -> {
          log.begin();
          log.mark(marks.get(timestamp.stripTrailingZeros()));
          ofKeys.forEach(log::version);
          log.commit(timestamps.size());
          timestamps.add(timestamp);
        });
    return log;
  }

  /** A transaction sees what has its timestamp or an earlier one. */
  Snapshots snapshots() {
    return (text, own) -> {
      BigDecimal timestamp = timestamp(text);
      int upTo = 0;
      int end = timestamps.size();
      while (upTo < end) {
        int middle = (upTo + end) >>> 1;
        if (timestamps.get(middle).compareTo(timestamp) <= 0) {
          upTo = middle + 1;
        } else {
          end = middle;
        }
      }
      boolean ownIsLast = own >= 0 && own == upTo - 1;
      int[] except = own >= 0 && own < upTo - 1 ? new int[] {own} : new int[0];
      return new Snapshots.Visible(ownIsLast ? own : upTo, except);
    };
  }

  private static BigDecimal timestamp(String text) throws CertificateException {
    try {
      return new BigDecimal(text).stripTrailingZeros();
    } catch (NumberFormatException e) {
      throw new CertificateException("'" + text + "' is not a timestamp of CockroachDB", e);
    }
  }
}
