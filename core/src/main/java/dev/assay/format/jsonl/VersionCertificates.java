package dev.assay.format.jsonl;

import dev.assay.format.Input;
import dev.assay.format.LineReader;
import dev.assay.format.LongList;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.RawScalars;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.VersionSet;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads version certificates: JSON lines that give orders of versions, {@code
 * {"key":"x","versions":[1,2]}} all of them or {@code {"key":"x","pairs":[[1,2]]}} some, what
 * predicate operations looked at, and an expected serialization order, {@code
 * {"order":["T1","T2"]}}. Everything is looked up in the history it belongs to; what is not there
 * is an error.
 */
public final class VersionCertificates {
  private final Input input;
  private final History history;
  private final CertificateNames names;
  private final PlainCertificate plain;
  private final List<VersionCertificate.Chain> chains = new ArrayList<>();
  private final Places order;
  private final Places commits;
  private final Map<Integer, VersionSet> ofOperation = new HashMap<>();
  private final Map<Integer, VersionSet> ofTransaction = new HashMap<>();

  /** Snapshots wait for the order of commits, which may come later in the file. */
  private final List<OpenSnapshot> open = new ArrayList<>();

  /** The keys of which all versions have been given. */
  private final BitSet ordered = new BitSet();

  private LineReader lines;

  /** Transactions in an order, each once. */
  private static final class Places {
    private final int[] transactions;

    /** For each transaction one more than its place, or 0. */
    private final int[] following;

    private int size;

    Places(History history) {
      transactions = new int[history.transactionCount()];
      following = new int[transactions.length];
    }

    /** Puts a transaction last; false where it has a place. */
    boolean add(int txn) {
      if (following[txn] != 0) {
        return false;
      }
      transactions[size++] = txn;
      following[txn] = size;
      return true;
    }

    /** Puts all of these last, or none where one of them has a place or is there twice. */
    boolean addAll(LongList all) {
      int before = size;
      for (int i = 0; i < all.size(); i++) {
        if (!add((int) all.get(i))) {
          while (size > before) {
            following[transactions[--size]] = 0;
          }
          return false;
        }
      }
      return true;
    }

    /** The place of a transaction, or −1. */
    int of(int txn) {
      return following[txn] - 1;
    }

    int[] array() {
      return Arrays.copyOf(transactions, size);
    }
  }

  private record OpenSnapshot(
      long line, int txn, int op, int upTo, List<Integer> except, List<Integer> also) {}

  private VersionCertificates(Input input, History history) {
    this.input = input;
    this.history = history;
    this.order = new Places(history);
    this.commits = new Places(history);
    this.names = new CertificateNames(history);
    this.plain = new PlainCertificate(history, names);
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
        if (!lines.isBlank()) {
          readLine();
        }
      }
    }
    for (OpenSnapshot snapshot : open) {
      close(snapshot);
    }
    return new VersionCertificate(
        input.name(), chains, order.array(), commits.array(), ofOperation, ofTransaction);
  }

  private void readLine() throws IOException, ParseException {
    PlainCertificate.Form form = plain.read(lines.bytes(), lines.start(), lines.end());
    boolean read =
        switch (form) {
          case OTHER -> false;
          case SNAPSHOT -> !repeats() && open.add(plainSnapshot());
          case PAIRS -> {
            addPairs(plain.key(), plain.items());
            yield true;
          }
          case VERSIONS -> !repeats() && isNew(plain.key()) && chains.add(plainChain());
          case ORDER -> order.addAll(plain.items());
          case COMMITS -> commits.addAll(plain.items());
        };
    if (!read) {
      // It says what is wrong, or what is unusual.
      readAnyLine();
    }
  }

  /** Whether no earlier line gave all versions of the key. */
  private boolean isNew(int key) {
    return !ordered.get(key);
  }

  private VersionCertificate.Chain plainChain() {
    ordered.set(plain.key());
    return new VersionCertificate.Chain(plain.key(), plainItems(), true);
  }

  private OpenSnapshot plainSnapshot() {
    return new OpenSnapshot(
        lines.line(),
        plain.transaction(),
        plain.operation(),
        plain.upTo(),
        plainItems(),
        List.of());
  }

  /** Whether a plain line lists something twice. */
  private boolean repeats() {
    if (plain.items().size() < 2) {
      return false;
    }
    LongIndex seen = new LongIndex();
    for (int i = 0; i < plain.items().size(); i++) {
      if (seen.indexOf(plain.items().get(i)) < i) {
        return true;
      }
    }
    return false;
  }

  private List<Integer> plainItems() {
    List<Integer> all = new ArrayList<>(plain.items().size());
    for (int i = 0; i < plain.items().size(); i++) {
      all.add((int) plain.items().get(i));
    }
    return all;
  }

  private void readAnyLine() throws IOException, ParseException {
    RawScalars scalars = new RawScalars();
    JsonLine.read(
        input.name(), lines, scalars, values -> add(CertificateLine.read(values, scalars)));
  }

  private void add(CertificateLine line) throws ParseException {
    if (line.versions != null) {
      addVersions(line.key, line.versions, line.isComplete());
    }
    if (!line.pairs.isEmpty()) {
      addPairs(line.key, line.pairs);
    }
    addPlaces(line.order, order);
    addPlaces(line.commits, commits);
    if (line.set != null) {
      addListed(line.select, line.set);
    } else if (line.isSnapshot) {
      addSnapshot(line);
    }
  }

  private void addPlaces(List<Object> ids, Places places) throws ParseException {
    for (Object id : ids) {
      if (!places.add(committed(id))) {
        throw unknown(
            "transaction " + CertificateNames.text(id) + " is listed twice",
            "each transaction once");
      }
    }
  }

  private int transaction(Object id) throws ParseException {
    int txn = names.transaction(id);
    if (txn < 0) {
      throw unknown(
          "the history has no transaction " + CertificateNames.text(id),
          "the ids of its transactions, as reports print them");
    }
    return txn;
  }

  /** A transaction that may have committed; of one that aborted it cannot be said. */
  private int committed(Object id) throws ParseException {
    int txn = transaction(id);
    if (names.isAborted(txn)) {
      throw unknown(
          "transaction " + CertificateNames.text(id) + " aborted", "transactions that took effect");
    }
    return txn;
  }

  // ---- version sets

  private int predicate(String name) throws ParseException {
    int op = names.predicate(name);
    if (op < 0) {
      throw unknown(
          "the history has no predicate operation " + name,
          "a transaction and the number of its operation from 0, such as T7#2");
    }
    return op;
  }

  private void addListed(String select, Map<String, Object> set) throws ParseException {
    Map<Integer, Integer> writes = new HashMap<>();
    for (Map.Entry<String, Object> entry : set.entrySet()) {
      int key = key(entry.getKey());
      writes.put(key, write(key, entry.getKey(), entry.getValue()));
    }
    add(ofOperation, predicate(select), new VersionSet.Listed(writes), select);
  }

  private void add(Map<Integer, VersionSet> sets, int of, VersionSet set, Object name)
      throws ParseException {
    if (sets.putIfAbsent(of, set) != null) {
      throw unknown(
          "the version set of " + CertificateNames.text(name) + " is given twice",
          "one version set for each operation");
    }
  }

  private void addSnapshot(CertificateLine line) throws ParseException {
    int op = line.select == null ? -1 : predicate(line.select);
    int txn = op < 0 ? transaction(line.transaction) : history.transactionOf(op);
    int upTo = line.upTo == null ? -1 : transaction(line.upTo);
    Set<Integer> seen = new HashSet<>();
    List<Integer> except = transactions(line.except, seen);
    List<Integer> also = transactions(line.also, seen);
    for (Object id : line.also) {
      committed(id);
    }
    open.add(new OpenSnapshot(lines.line(), txn, op, upTo, except, also));
  }

  /** Looks transactions up, none of which may have been seen before. */
  private List<Integer> transactions(List<Object> ids, Set<Integer> seen) throws ParseException {
    List<Integer> all = new ArrayList<>();
    for (Object id : ids) {
      int txn = transaction(id);
      if (!seen.add(txn)) {
        throw unknown(
            "transaction " + CertificateNames.text(id) + " is listed twice",
            "it once, in \"except\" or in \"also\"");
      }
      all.add(txn);
    }
    return all;
  }

  private void close(OpenSnapshot snapshot) throws ParseException {
    int visible = 0;
    if (snapshot.upTo >= 0) {
      int place = commits.of(snapshot.upTo);
      if (place < 0) {
        throw ParseException.atLine(
            input.name(),
            snapshot.line,
            ParseException.NONE,
            "transaction " + history.label(snapshot.upTo) + " is not among the commits",
            "a line {\"commits\":[…]} with every transaction that committed",
            "does this certificate belong to this history?");
      }
      visible = place + 1;
    }
    VersionSet set = new VersionSet.Snapshot(visible, snapshot.except, snapshot.also);
    if (snapshot.op >= 0) {
      add(ofOperation, snapshot.op, set, history.label(snapshot.txn));
    } else {
      add(ofTransaction, snapshot.txn, set, history.label(snapshot.txn));
    }
  }

  // ---- orders of versions

  private int key(Object key) throws ParseException {
    int id = names.key(key);
    if (id < 0) {
      throw unknown("the history has no key " + CertificateNames.text(key), "a key of the history");
    }
    return id;
  }

  private void addVersions(Object key, List<Object> versions, boolean complete)
      throws ParseException {
    int id = key(key);
    if (complete && !isNew(id)) {
      throw unknown(
          "the versions of " + CertificateNames.text(key) + " are given twice", "them once");
    }
    List<Integer> writes = new ArrayList<>();
    Set<Integer> seen = new HashSet<>();
    for (Object value : versions) {
      int write = write(id, key, value);
      if (!seen.add(write)) {
        throw listedTwice(key, value);
      }
      writes.add(write);
    }
    chains.add(new VersionCertificate.Chain(id, writes, complete));
    ordered.set(id, complete || !isNew(id));
  }

  private void addPairs(Object key, List<List<Object>> pairs) throws ParseException {
    int id = key(key);
    LongList writes = new LongList();
    for (List<Object> pair : pairs) {
      int first = write(id, key, pair.get(0));
      int second = write(id, key, pair.get(1));
      if (first == second) {
        throw listedTwice(key, pair.get(1));
      }
      writes.add(first);
      writes.add(second);
    }
    addPairs(id, writes);
  }

  /** Adds each two writes; a pair that begins with the end of the one before continues it. */
  private void addPairs(int key, LongList writes) {
    int[] chain = new int[writes.size()];
    int size = 0;
    for (int i = 0; i < writes.size(); i += 2) {
      int first = (int) writes.get(i);
      if (size > 0 && chain[size - 1] != first) {
        chains.add(VersionCertificate.Chain.of(key, Arrays.copyOf(chain, size)));
        size = 0;
      }
      if (size == 0) {
        chain[size++] = first;
      }
      chain[size++] = (int) writes.get(i + 1);
    }
    if (size > 0) {
      chains.add(VersionCertificate.Chain.of(key, Arrays.copyOf(chain, size)));
    }
  }

  private ParseException listedTwice(Object key, Object value) {
    String version = CertificateNames.text(key) + " = " + CertificateNames.text(value);
    return unknown(version + " is listed twice", "each version once");
  }

  private int write(int id, Object key, Object value) throws ParseException {
    int write = names.write(id, value);
    String version = CertificateNames.text(key) + " = " + CertificateNames.text(value);
    return switch (write) {
      case CertificateNames.UNKNOWN ->
          throw unknown("no transaction wrote " + version, "values that were written to the key");
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
