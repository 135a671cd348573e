package dev.assay.driver;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is known of a recording beside its transactions. Each fact is a list of texts, so that it
 * can be kept in the same file as they are, and the recording of a program that was killed can be
 * finished by another.
 */
final class Notes {
  /** The kinds of facts, with what follows the kind. */
  enum Fact {
    /** A name and a text. */
    METADATA,
    /** The id below which transactions ended before the recording began. */
    FIRST_ID,
    /** A table and the names of its columns that conditions may be about. */
    TABLE,
    /** A table and a column that a condition is about. */
    CONDITION,
    /** A table whose rows may have changed unseen, or {@code *} for all, and why. */
    OPEN,
    /** A table of which rows may have been deleted unseen, or {@code *} for all. */
    DELETED,
    /** A transaction, by session and start, that is about to delete rows, and of which tables. */
    DELETING,
    /** The name of an isolation level. */
    ISOLATION,
    /** A method with what it does, and where. */
    CALL,
    /** A statement that was not seen, with the reason. */
    UNSEEN
  }

  /** Maximum number of statements that are named because they were not seen. */
  private static final int MAX_UNSEEN = 50;

  private static final int MAX_CALLS = 5;

  final Map<String, List<String>> tables = new TreeMap<>();
  final Map<String, Set<String>> conditionColumns = new TreeMap<>();
  final Map<String, String> metadata = new LinkedHashMap<>();

  /** Tables whose rows may have changed unseen, and why; {@code *} for all. */
  final Map<String, String> open = new TreeMap<>();

  /** Tables of which rows may have been deleted unseen; {@code *} for all. */
  final Set<String> deleted = new TreeSet<>();

  /** Transactions that were about to delete rows and have not been written yet. */
  final Map<String, List<String>> deleting = new TreeMap<>();

  /** Transactions with ids below this ended before the recording began; null if unknown. */
  Long firstId;

  private final Set<String> isolations = new TreeSet<>();
  private final Map<String, Set<String>> calls = new TreeMap<>();
  private final Map<String, Integer> unseen = new LinkedHashMap<>();

  /** Takes note of a fact; false if it was known. */
  boolean add(Fact fact, List<String> texts) {
    String first = texts.get(0);
    return switch (fact) {
      case METADATA -> !texts.get(1).equals(metadata.put(first, texts.get(1)));
      case FIRST_ID -> {
        firstId = Long.parseLong(first);
        yield true;
      }
      case TABLE -> tables.putIfAbsent(first, texts.subList(1, texts.size())) == null;
      case CONDITION ->
          conditionColumns.computeIfAbsent(first, table -> new TreeSet<>()).add(texts.get(1));
      case OPEN -> open.putIfAbsent(first, texts.get(1)) == null;
      case DELETED -> deleted.add(first);
      case DELETING -> deleting.put(first, texts.subList(1, texts.size())) == null;
      case ISOLATION -> isolations.add(first);
      case CALL -> {
        Set<String> at = calls.computeIfAbsent(first, name -> new LinkedHashSet<>());
        yield at.size() < MAX_CALLS && at.add(texts.get(1));
      }
      case UNSEEN -> {
        boolean named = unseen.size() < MAX_UNSEEN || unseen.containsKey(first);
        yield unseen.merge(named ? first : "other statements", 1, Integer::sum) == 1;
      }
    };
  }

  /** A fact as a line of a file. */
  static String line(Fact fact, List<String> texts) {
    List<String> fields = new ArrayList<>(List.of(fact.name()));
    texts.forEach(text -> fields.add(Json.quoted(text)));
    return String.join(String.valueOf(Part.FIELD), fields);
  }

  /** Takes note of the fact of a line. */
  void read(String line) {
    List<String> fields = Arrays.asList(line.split(String.valueOf(Part.FIELD), -1));
    List<String> texts = fields.subList(1, fields.size()).stream().map(Json::text).toList();
    add(Fact.valueOf(fields.get(0)), texts);
  }

  /** Puts everything that is for people into the metadata. */
  void describe() {
    metadata.put("recorder", "assay-driver");
    metadata.put("isolation", String.join(", ", isolations));
    calls.forEach((name, at) -> metadata.put(name, String.join(", ", at)));
    if (unseen.isEmpty()) {
      return;
    }
    int count = unseen.values().stream().mapToInt(Integer::intValue).sum();
    metadata.put(
        "note.unseen",
        count
            + " executions of "
            + unseen.size()
            + " statements were not seen or only in part; the metadata unseen.1 and so on name"
            + " them");
    int number = 0;
    for (Map.Entry<String, Integer> entry : unseen.entrySet()) {
      metadata.put("unseen." + ++number, entry.getValue() + " × " + entry.getKey());
    }
  }
}
