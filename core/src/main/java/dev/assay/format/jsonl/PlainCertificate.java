package dev.assay.format.jsonl;

import dev.assay.format.LongList;
import dev.assay.history.History;
import dev.assay.history.RawScalars;
import dev.assay.history.Values;
import dev.assay.history.VersionCertificate;

/**
 * Reads a line of a certificate that is {@linkplain PlainJson plain}, and names only what is in the
 * history. What it names is looked up at once, without an object a version.
 */
final class PlainCertificate extends PlainJson {
  private static final byte[] KEY = word("\"key\"");
  private static final byte[] VERSIONS = word("\"versions\"");
  private static final byte[] PAIRS = word("\"pairs\"");
  private static final byte[] ORDER = word("\"order\"");
  private static final byte[] COMMITS = word("\"commits\"");
  private static final byte[] SNAPSHOT = word("\"snapshot\"");
  private static final byte[] SELECT = word("\"select\"");
  private static final byte[] UP_TO = word("\"upTo\"");
  private static final byte[] EXCEPT = word("\"except\"");
  private static final byte[] NULL = word("null");

  /** What a line says. */
  enum Form {
    VERSIONS,
    /** Each two items are a pair. */
    PAIRS,
    ORDER,
    COMMITS,
    SNAPSHOT,
    /** The line needs the JSON parser. */
    OTHER
  }

  private final History history;
  private final CertificateNames names;
  private final LongList items = new LongList();
  private int key;
  private int txn;
  private int op;
  private int upTo;

  // The version that was named last: a pair often begins where the one before ended.
  private int lastKey = -1;
  private long lastCode;
  private int lastWrite;

  PlainCertificate(History history, CertificateNames names) {
    this.history = history;
    this.names = names;
  }

  Form read(byte[] bytes, int from, int to) {
    begin(bytes, from, to);
    items.clear();
    try {
      take('{');
      Form form = readFields();
      take('}');
      finish();
      return form;
    } catch (NotPlain e) {
      return Form.OTHER;
    }
  }

  /** The key whose versions were read. */
  int key() {
    return key;
  }

  /** The writes of versions, transactions in order, or those that a snapshot leaves out. */
  LongList items() {
    return items;
  }

  /** The transaction a snapshot is of. */
  int transaction() {
    return txn;
  }

  /** The predicate operation a snapshot is of, or −1. */
  int operation() {
    return op;
  }

  /** The last transaction in a snapshot, or −1. */
  int upTo() {
    return upTo;
  }

  private Form readFields() throws NotPlain {
    if (takes(KEY)) {
      return readKey();
    }
    if (takes(SNAPSHOT)) {
      take(':');
      op = -1;
      txn = transaction(name());
      take(',');
      readVisible();
      return Form.SNAPSHOT;
    }
    if (takes(SELECT)) {
      readSelect();
      return Form.SNAPSHOT;
    }
    Form form = takes(ORDER) ? Form.ORDER : Form.COMMITS;
    if (form == Form.COMMITS) {
      take(COMMITS);
    }
    take(':');
    readTransactions();
    for (int i = 0; i < items.size(); i++) {
      if (names.isAborted((int) items.get(i))) {
        throw NotPlain.INSTANCE;
      }
    }
    return form;
  }

  private Form readKey() throws NotPlain {
    take(':');
    key = known(names.key(name()));
    take(',');
    boolean pairs = takes(PAIRS);
    if (!pairs) {
      take(VERSIONS);
    }
    take(':');
    take('[');
    if (!takes(']')) {
      do {
        if (pairs) {
          readPair();
        } else {
          items.add(version());
        }
      } while (takes(','));
      take(']');
    }
    return pairs ? Form.PAIRS : Form.VERSIONS;
  }

  private void readPair() throws NotPlain {
    take('[');
    int first = version();
    take(',');
    int second = version();
    take(']');
    if (first == second) {
      throw NotPlain.INSTANCE;
    }
    items.add(first);
    items.add(second);
  }

  private int version() throws NotPlain {
    long code = scalar();
    if (key != lastKey || code != lastCode) {
      int write = names.writeOf(key, code == RawScalars.NIL ? Values.NIL : (int) code);
      lastWrite = write == VersionCertificate.INITIAL ? write : known(write);
      lastKey = key;
      lastCode = code;
    }
    return lastWrite;
  }

  private void readSelect() throws NotPlain {
    take(':');
    op = known(names.predicate(string()));
    txn = history.transactionOf(op);
    take(',');
    take(SNAPSHOT);
    take(':');
    take('{');
    readVisible();
    take('}');
  }

  private void readVisible() throws NotPlain {
    take(UP_TO);
    take(':');
    upTo = takes(NULL) ? -1 : transaction(name());
    if (takes(',')) {
      take(EXCEPT);
      take(':');
      readTransactions();
    }
  }

  private void readTransactions() throws NotPlain {
    take('[');
    if (takes(']')) {
      return;
    }
    do {
      items.add(transaction(name()));
    } while (takes(','));
    take(']');
  }

  private int transaction(String name) throws NotPlain {
    return known(names.transaction(name));
  }

  private static int known(int number) throws NotPlain {
    if (number < 0) {
      throw NotPlain.INSTANCE;
    }
    return number;
  }

  /** An integer or a string, as people write it. */
  private String name() throws NotPlain {
    return isInteger() ? Long.toString(integer()) : string();
  }

  // A value that is not in the history has no code.

  @Override
  long named(long integer) throws NotPlain {
    return coded(history.values().find(integer));
  }

  @Override
  long named(Object value) throws NotPlain {
    return coded(history.values().find(value));
  }

  @Override
  long named(long[] vector, int size) throws NotPlain {
    return coded(history.values().find(vector, size));
  }

  private static long coded(int code) throws NotPlain {
    if (code == Values.UNKNOWN) {
      throw NotPlain.INSTANCE;
    }
    return code;
  }
}
