package dev.assay.corpus;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.zip.GZIPInputStream;

/**
 * One recorded answer of Elle.
 *
 * @param name where in Elle's tests the history is from
 * @param workload {@code list-append}, {@code rw-register} or {@code closed-predicate}
 * @param models the consistency models asked for
 * @param assumptions what Elle was allowed to assume of keys, by our names
 * @param transactionOrder for the assumption of that name, the place of each operation index
 * @param history jepsen-json
 * @param valid {@code true}, {@code false}, {@code unknown}, or {@code error}
 * @param anomalies what Elle found
 * @param not the models it says the history does not have
 * @param unstable whether Elle answers differently from run to run
 */
record ElleCase(
    String name,
    String workload,
    List<String> models,
    Set<String> assumptions,
    Map<String, Object> transactionOrder,
    String history,
    String valid,
    List<String> anomalies,
    Set<String> not,
    boolean unstable) {
  private static final JsonFactory JSON = new JsonFactory();

  static List<ElleCase> read(InputStream gzipped) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(gzipped), StandardCharsets.UTF_8))) {
      List<ElleCase> cases = new ArrayList<>();
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        cases.add(parse(line));
      }
      return cases;
    }
  }

  private static ElleCase parse(String line) throws IOException {
    Map<String, Object> fields = new LinkedHashMap<>();
    try (JsonParser parser = JSON.createParser(line)) {
      parser.nextToken();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String field = parser.currentName();
        parser.nextToken();
        if (field.equals("history")) {
          // Cut out as it stands, so that our own reader gets to see it.
          int start = (int) parser.currentTokenLocation().getCharOffset();
          parser.skipChildren();
          int end = (int) parser.currentLocation().getCharOffset();
          fields.put(field, line.substring(start, end));
        } else {
          fields.put(field, value(parser));
        }
      }
    }
    Map<String, Object> options = object(fields.get("options"));
    Map<String, Object> expected = object(fields.get("expected"));
    Set<String> not = new TreeSet<>(strings(expected.get("not")));
    not.addAll(strings(expected.get("also_not")));
    return new ElleCase(
        (String) fields.get("name"),
        (String) fields.get("workload"),
        strings(options.get("consistency-models")),
        ElleNames.ASSUMPTIONS.entrySet().stream()
            .filter(e -> options.getOrDefault(e.getKey(), false) != Boolean.FALSE)
            .map(Map.Entry::getValue)
            .collect(Collectors.toCollection(TreeSet::new)),
        object(options.get("transaction-order")),
        (String) fields.get("history"),
        expected.containsKey("error") ? "error" : String.valueOf(expected.get("valid")),
        strings(expected.get("anomaly_types")),
        not,
        fields.containsKey("unstable"));
  }

  private static Object value(JsonParser parser) throws IOException {
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String field = parser.currentName();
          parser.nextToken();
          object.put(field, value(parser));
        }
        yield object;
      }
      case START_ARRAY -> {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          array.add(value(parser));
        }
        yield array;
      }
      case VALUE_TRUE, VALUE_FALSE -> parser.getBooleanValue();
      case VALUE_NUMBER_INT -> parser.getLongValue();
      case VALUE_NULL -> null;
      default -> parser.getText();
    };
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(Object value) {
    return value == null ? Map.of() : (Map<String, Object>) value;
  }

  private static List<String> strings(Object value) {
    return value == null ? List.of() : ((List<?>) value).stream().map(String::valueOf).toList();
  }

  /** The same for cases that differ only in what was asked. */
  String subject() {
    return assumptions + " " + transactionOrder + " " + history;
  }

  @Override
  public String toString() {
    String assuming = assumptions.isEmpty() ? "" : " assuming " + String.join(", ", assumptions);
    return name + assuming;
  }
}
