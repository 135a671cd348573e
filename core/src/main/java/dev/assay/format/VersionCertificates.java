package dev.assay.format;

import com.fasterxml.jackson.core.JsonToken;
import dev.assay.history.History;
import dev.assay.history.RawScalars;
import dev.assay.history.VersionCertificate;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads version certificates: JSON lines that give orders of versions, {@code
 * {"key":"x","versions":[1,2]}} all of them or {@code {"key":"x","pairs":[[1,2]]}} some, and an
 * expected serialization order, {@code {"order":["T1","T2"]}}. Everything is looked up in the
 * history it belongs to; what is not there is an error.
 */
public final class VersionCertificates {
  private final Input input;
  private final CertificateNames names;
  private final List<VersionCertificate.Chain> chains = new ArrayList<>();
  private final List<Integer> order = new ArrayList<>();
  private final Set<Integer> ordered = new HashSet<>();
  private final Set<String> fields = new HashSet<>();
  private LineReader lines;

  private VersionCertificates(Input input, History history) {
    this.input = input;
    this.names = new CertificateNames(history);
  }

  /** Reads the certificate of a history. */
  public static VersionCertificate read(Input input, History history) throws ParseException {
    try {
      return new VersionCertificates(input, history).read();
    } catch (IOException e) {
      throw input.explained(e);
    }
  }

  private VersionCertificate read() throws IOException, ParseException {
    try (InputStream in = input.open()) {
      lines = new LineReader(in);
      while (lines.next()) {
        String text =
            new String(
                lines.bytes(),
                lines.start(),
                Math.min(lines.end() - lines.start(), 64),
                java.nio.charset.StandardCharsets.UTF_8);
        if (!text.isBlank()) {
          readLine();
        }
      }
    }
    int[] places = order.stream().mapToInt(Integer::intValue).toArray();
    return new VersionCertificate(chains, places);
  }

  private void readLine() throws IOException, ParseException {
    RawScalars scalars = new RawScalars();
    JsonLine.read(input, lines, scalars, values -> readObject(values, scalars));
  }

  private void readObject(AssayJsonlValues values, RawScalars scalars)
      throws IOException, ParseException, AssayJsonlValues.Wrong {
    fields.clear();
    Object key = null;
    List<List<Object>> given = new ArrayList<>();
    boolean complete = false;
    while (values.nextField(fields)) {
      switch (values.field()) {
        case "key" -> key = scalars.get(values.scalar());
        case "versions" -> {
          complete = true;
          given.add(objects(values.scalars(), scalars));
        }
        case "pairs" -> readPairs(values, scalars, given);
        case "order" -> readOrder(objects(values.scalars(), scalars));
        case "select", "set" ->
            throw values.wrong(
                "\"key\" or \"order\"", "version sets of predicates are not supported yet");
        default -> throw values.wrong("\"key\" with \"versions\" or \"pairs\", or \"order\"");
      }
    }
    boolean hasOrder = fields.contains("versions") || fields.contains("pairs");
    if (hasOrder != fields.contains("key") || (!hasOrder && !fields.contains("order"))) {
      throw values.wrong(
          "\"key\" with \"versions\" or \"pairs\", or \"order\"",
          "{\"key\":\"x\",\"versions\":[1,2]} says that 1 was replaced by 2");
    }
    if (hasOrder) {
      addChains(key, given, complete);
    }
  }

  private static List<Object> objects(LongList raw, RawScalars scalars) {
    List<Object> objects = new ArrayList<>();
    for (int i = 0; i < raw.size(); i++) {
      objects.add(scalars.get(raw.get(i)));
    }
    return objects;
  }

  private static void readPairs(
      AssayJsonlValues values, RawScalars scalars, List<List<Object>> given)
      throws IOException, AssayJsonlValues.Wrong {
    values.expect(JsonToken.START_ARRAY, "an array of pairs");
    while (values.next() != JsonToken.END_ARRAY) {
      List<Object> pair = objects(values.scalars(), scalars);
      if (pair.size() != 2) {
        throw values.wrong("a pair of an earlier and a later version");
      }
      given.add(pair);
    }
  }

  private void readOrder(List<Object> ids) throws ParseException {
    for (Object id : ids) {
      int txn = names.transaction(id);
      if (txn < 0) {
        throw unknown(
            "the history has no transaction " + CertificateNames.text(id),
            "the ids of its transactions, as reports print them");
      }
      if (!ordered.add(txn)) {
        throw unknown("transaction " + CertificateNames.text(id) + " is listed twice", "it once");
      }
      order.add(txn);
    }
  }

  private void addChains(Object key, List<List<Object>> given, boolean complete)
      throws ParseException {
    int id = names.key(key);
    if (id < 0) {
      throw unknown("the history has no key " + CertificateNames.text(key), "a key of the history");
    }
    for (List<Object> versions : given) {
      List<Integer> writes = new ArrayList<>();
      Set<Integer> seen = new HashSet<>();
      for (Object value : versions) {
        int write = write(id, key, value);
        if (!seen.add(write)) {
          String version = CertificateNames.text(key) + " = " + CertificateNames.text(value);
          throw unknown(version + " is listed twice", "each version once");
        }
        writes.add(write);
      }
      chains.add(new VersionCertificate.Chain(id, writes, complete && given.size() == 1));
    }
  }

  private int write(int id, Object key, Object value) throws ParseException {
    int write = names.write(id, value);
    String version = CertificateNames.text(key) + " = " + CertificateNames.text(value);
    return switch (write) {
      case CertificateNames.UNKNOWN ->
          throw unknown("nobody wrote " + version, "values that were written to the key");
      case CertificateNames.AMBIGUOUS ->
          throw unknown(
              version + " was written more than once", "values that name one version of the key");
      case CertificateNames.ABORTED ->
          throw unknown(
              version + " was written by an aborted transaction only",
              "versions that were installed");
      case CertificateNames.UNORDERED ->
          throw unknown(
              CertificateNames.text(key) + " is neither a register nor a list",
              "versions of a register or a list");
      default -> write;
    };
  }

  private ParseException unknown(String found, String expected) {
    return ParseException.atLine(
        input.name(),
        lines.line(),
        ParseException.NONE,
        found,
        expected,
        "does this certificate belong to this history?");
  }
}
