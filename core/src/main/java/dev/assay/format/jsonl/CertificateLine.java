package dev.assay.format.jsonl;

import com.fasterxml.jackson.core.JsonToken;
import dev.assay.format.LongList;
import dev.assay.format.jsonl.AssayJsonlValues.Wrong;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The fields of one line of a certificate, with names not yet looked up. */
final class CertificateLine {
  private static final String FORMS =
      "\"key\" with \"versions\" or \"pairs\", \"order\", \"commits\", \"select\" with \"set\" or"
          + " \"snapshot\", or \"snapshot\" with \"upTo\"";

  private final AssayJsonlValues values;
  private final RawScalars scalars;
  private final Set<String> fields = new HashSet<>();

  /** The fields of a snapshot that is an object, or null. */
  private Set<String> inner;

  Object key;

  /** All versions of the key in order, or where there are pairs too some of them; or null. */
  List<Object> versions;

  final List<List<Object>> pairs = new ArrayList<>();
  List<Object> order = List.of();
  List<Object> commits = List.of();
  String select;
  Map<String, Object> set;

  /** The transaction a snapshot is of, where it is not that of one operation. */
  Object transaction;

  boolean isSnapshot;
  Object upTo;
  List<Object> except = List.of();
  List<Object> also = List.of();

  private CertificateLine(AssayJsonlValues values, RawScalars scalars) {
    this.values = values;
    this.scalars = scalars;
  }

  static CertificateLine read(AssayJsonlValues values, RawScalars scalars)
      throws IOException, Wrong {
    CertificateLine line = new CertificateLine(values, scalars);
    while (values.nextField(line.fields)) {
      line.readField(values.field());
    }
    line.check();
    return line;
  }

  /** Whether the versions are all there are. */
  boolean isComplete() {
    return pairs.isEmpty();
  }

  private void readField(String field) throws IOException, Wrong {
    switch (field) {
      case "key" -> key = scalars.get(values.scalar());
      case "versions" -> versions = versions();
      case "pairs" -> readPairs();
      case "order" -> order = objects();
      case "commits" -> commits = objects();
      case "select" -> select = values.text("a predicate operation such as \"T7#2\"");
      case "set" -> readSet();
      case "snapshot" -> {
        isSnapshot = true;
        if (values.token() == JsonToken.START_OBJECT) {
          inner = new HashSet<>();
          while (values.nextField(inner)) {
            readSnapshotField(values.field());
          }
        } else {
          transaction = scalars.get(values.scalar());
        }
      }
      default -> readSnapshotField(field);
    }
  }

  private void readSnapshotField(String field) throws IOException, Wrong {
    switch (field) {
      case "upTo" -> upTo = scalars.get(values.scalar());
      case "except" -> except = objects();
      case "also" -> also = objects();
      default -> throw values.wrong(FORMS);
    }
  }

  private List<Object> versions() throws IOException, Wrong {
    values.expect(JsonToken.START_ARRAY, "an array of versions");
    List<Object> versions = new ArrayList<>();
    while (values.next() != JsonToken.END_ARRAY) {
      versions.add(version());
    }
    return versions;
  }

  private Object version() throws IOException, Wrong {
    return values.objectOr("by", CertificateNames.WrittenBy::new);
  }

  private void readPairs() throws IOException, Wrong {
    values.expect(JsonToken.START_ARRAY, "an array of pairs");
    while (values.next() != JsonToken.END_ARRAY) {
      List<Object> pair = versions();
      if (pair.size() != 2) {
        throw values.wrong("a pair of an earlier and a later version");
      }
      pairs.add(pair);
    }
  }

  private void readSet() throws IOException, Wrong {
    values.expect(JsonToken.START_OBJECT, "an object of keys and their versions");
    set = new LinkedHashMap<>();
    Set<String> keys = new HashSet<>();
    while (values.nextField(keys)) {
      set.put(values.field(), version());
    }
  }

  private List<Object> objects() throws IOException, Wrong {
    LongList raw = values.scalars();
    List<Object> objects = new ArrayList<>(raw.size());
    for (int i = 0; i < raw.size(); i++) {
      objects.add(scalars.get(raw.get(i)));
    }
    return objects;
  }

  /** Exactly one of the forms. */
  private void check() throws Wrong {
    boolean ordersKey = fields.contains("versions") || fields.contains("pairs");
    boolean looks = select != null ? (set != null) != isSnapshot : set == null;
    boolean ofTransaction = isSnapshot && select == null;
    int forms =
        (ordersKey ? 1 : 0)
            + (fields.contains("order") ? 1 : 0)
            + (fields.contains("commits") ? 1 : 0)
            + (select != null || ofTransaction ? 1 : 0);
    boolean bounded = isSnapshot ? isBounded(ofTransaction) : !saysWhatIsSeen(fields);
    if (select != null && isSnapshot && !bounded) {
      throw values.wrong(
          "a snapshot such as {\"upTo\":\"T4\"}", "{\"upTo\":null} says that nothing was seen");
    }
    if (ordersKey != fields.contains("key") || !looks || !bounded || forms != 1) {
      throw values.wrong(FORMS, "{\"key\":\"x\",\"versions\":[1,2]} says that 1 was replaced by 2");
    }
  }

  /** An empty bound would mean that nothing was seen, which must be written as {@code null}. */
  private boolean isBounded(boolean ofTransaction) {
    if (ofTransaction) {
      return transaction != null && inner == null && fields.contains("upTo");
    }
    return inner != null && inner.contains("upTo") && !saysWhatIsSeen(fields);
  }

  private static boolean saysWhatIsSeen(Set<String> given) {
    return given.contains("upTo") || given.contains("except") || given.contains("also");
  }
}
