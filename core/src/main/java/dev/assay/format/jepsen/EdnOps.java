package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;

/**
 * Reads Jepsen operations written in EDN, straight from bytes: field names and micro-operation
 * names are compared as bytes, and integers go into columns without ever being objects.
 */
final class EdnOps {
  private static final List<String> FIELDS =
      List.of("type", "f", "value", "process", "time", "index", "error");

  private static final long[] FIELD_CODES = FIELDS.stream().mapToLong(EdnScanner::code).toArray();

  private static final long INVOKE = EdnScanner.code("invoke");
  private static final long OK = EdnScanner.code("ok");
  private static final long READ = EdnScanner.code("r");
  private static final long WRITE = EdnScanner.code("w");
  private static final long APPEND = EdnScanner.code("append");
  private static final long TXN = EdnScanner.code("txn");
  private static final long NIL = EdnScanner.code("nil");

  private static final String MICRO_OP = "a micro-operation such as [:append 1 2], [:r 1 nil]";

  private static final String PREDICATE_READ = "a predicate read such as [:rp [:mod 2 0] {:x 2}]";

  private final EdnScanner scanner;
  private final EdnScalars values;
  private final RawScalars scalars;

  /** Whether the micro-operation being read is a deletion. */
  private boolean deletes;

  EdnOps(EdnScanner scanner, RawScalars scalars) {
    this.scanner = scanner;
    this.scalars = scalars;
    this.values = new EdnScalars(scanner, scalars);
  }

  // ---- an operation

  /** Reads the map that begins here. */
  void read(JepsenOp op) throws IOException, ParseException {
    long line = scanner.formLine();
    long column = scanner.formColumn();
    op.clear(line, column);
    scanner.skip();
    int seen = 0;
    while (true) {
      int c = scanner.next();
      if (c == '}') {
        scanner.skip();
        return;
      }
      int field = fieldName(c, line, column);
      if (isClosing(scanner.next())) {
        throw scanner.oddMap(line, column);
      }
      if (field >= 0) {
        if ((seen & 1 << field) != 0) {
          throw scanner.error(
              "a second :" + FIELDS.get(field) + " in one operation",
              "each field once",
              "look for a missing } before this line");
        }
        seen |= 1 << field;
      }
      field(field, op);
    }
  }

  private static boolean isClosing(int c) {
    return c == '}' || c == ']' || c == ')';
  }

  /** Reads a field's name; its number in {@link #FIELDS} or −1 for a field of no interest. */
  private int fieldName(int c, long line, long column) throws IOException, ParseException {
    switch (c) {
      case ':' -> {
        scanner.skip();
        scanner.token();
        return fieldNumber(scanner.tokenCode());
      }
      case EdnScanner.EOF -> throw scanner.unclosed('{', line, column);
      case '{', '[', '(', '#', ']', ')' ->
          throw scanner.error(
              scanner.snippet(),
              "the name of a field such as :type, or }",
              "look for a missing } or value in the operation that begins on line " + line);
      default -> {
        scanner.skipForm();
        return -1;
      }
    }
  }

  private static int fieldNumber(long code) {
    for (int i = 0; i < FIELD_CODES.length; i++) {
      if (FIELD_CODES[i] == code) {
        return i;
      }
    }
    return -1;
  }

  private void field(int field, JepsenOp op) throws IOException, ParseException {
    switch (field) {
      case 0 -> type(op);
      case 1 -> function(op);
      case 2 -> value(op);
      case 3 -> process(op);
      case 4 -> op.time = JepsenOp.orAbsent(integerOrSkip());
      case 5 -> op.index = JepsenOp.orAbsent(integerOrSkip());
      case 6 -> error(op);
      default -> scanner.skipForm();
    }
  }

  private long integerOrSkip() throws IOException, ParseException {
    if (scanner.integer()) {
      return scanner.value();
    }
    return values.read() instanceof Long wide ? wide : -1;
  }

  /** Reads the next form as the operation's type. */
  void type(JepsenOp op) throws IOException, ParseException {
    if (scanner.next() == ':') {
      scanner.skip();
      scanner.token();
      if (scanner.tokenCode() == OK) {
        op.type = JepsenOp.Type.OK;
        return;
      }
      if (scanner.tokenCode() == INVOKE) {
        op.type = JepsenOp.Type.INVOKE;
        return;
      }
      typeNamed(op, scanner.tokenText());
    } else {
      Object name = values.read();
      typeNamed(op, name instanceof String text ? text : String.valueOf(name));
    }
  }

  private void typeNamed(JepsenOp op, String name) {
    op.type = JepsenOp.Type.of(name);
    if (op.type == null) {
      op.problem(
          scanner.error(
              "an operation of type " + name, ":invoke, :ok, :fail or :info as :type", null));
    }
  }

  /** Reads the next form as what the operation does. */
  void function(JepsenOp op) throws IOException, ParseException {
    if (scanner.next() == ':') {
      scanner.skip();
      scanner.token();
      if (scanner.tokenCode() != TXN) {
        op.otherFunction = ":" + scanner.tokenText();
      }
    } else {
      Object name = values.read();
      boolean transaction = name == null || "txn".equals(name);
      op.otherFunction = transaction ? null : String.valueOf(name);
    }
  }

  /** Reads the next form as the operation's process. */
  void process(JepsenOp op) throws IOException, ParseException {
    scanner.next();
    if (scanner.integer()) {
      op.process = scanner.value();
      return;
    }
    Object process = values.read();
    if (process == null || process instanceof Long || process instanceof BigInteger) {
      op.process = scalars.of(process);
    } else {
      boolean named = !(process instanceof EdnScalars.Unsupported);
      op.otherProcess = named ? process.toString() : "unnamed";
    }
  }

  private void error(JepsenOp op) throws IOException, ParseException {
    if (scanner.next() == '"') {
      op.error = values.string();
      return;
    }
    scanner.capture();
    scanner.skipForm();
    String text = scanner.captured();
    op.error = text.equals("nil") ? null : text;
  }

  // ---- its value

  /** Reads the next form as the operation's value: nil or a vector of micro-operations. */
  void value(JepsenOp op) throws IOException, ParseException {
    int open = scanner.next();
    boolean vector = open == '[' || open == '(';
    if (!vector || (SingleOps.isFunction(op.otherFunction) && !isTransaction())) {
      noTransaction(op, open);
      return;
    }
    op.hasValue = true;
    long line = scanner.formLine();
    long column = scanner.formColumn();
    scanner.skip();
    for (int c = scanner.next(); c != EdnScanner.closing(open); c = scanner.next()) {
      if (c == EdnScanner.EOF) {
        throw scanner.unclosed(open, line, column);
      }
      if (c == '[' || c == '(') {
        microOp(op, c);
      } else {
        op.problem(scanner.error(scanner.snippet() + " in a transaction", MICRO_OP, null));
        scanner.skipForm();
      }
    }
    scanner.skip();
  }

  /** Whether the vector that begins here begins with a vector. */
  private boolean isTransaction() throws IOException, ParseException {
    int second = scanner.peekSecond();
    return second == '[' || second == '(';
  }

  private void noTransaction(JepsenOp op, int first) throws IOException, ParseException {
    String found = first == 'n' ? "" : scanner.snippet();
    long line = scanner.formLine();
    long column = scanner.formColumn();
    boolean set = first == '#' && scanner.peekSecond() == '{';
    boolean init = ":init".equals(op.otherFunction);
    boolean map = first == '{' && (init || SingleOps.isFunction(op.otherFunction));
    boolean maps = (first == '[' || first == '(') && scanner.peekSecond() == '{';
    Object value = set ? values.set() : map ? values.map() : maps ? values.maps() : values.read();
    if (value instanceof Map<?, ?> rows && init) {
      // Elle's closed predicates begin with a transaction that writes all rows.
      rows.forEach((key, row) -> op.ops.add(OpKind.WRITE, scalars.of(key), scalars.of(row)));
      op.hasValue = true;
      op.otherFunction = null;
    } else if (value != null) {
      op.hasValue = true;
      op.hasForm = !(value instanceof EdnScalars.Unsupported);
      op.form = value;
      op.problem(
          scanner.errorAt(
              line,
              column,
              "the value " + (found.isEmpty() ? value : found),
              "a vector of micro-operations such as [[:append 1 2] [:r 1 nil]]",
              "Assay reads transactions of :r, :w, :append, :add and :inc micro-operations"));
    }
  }

  private void microOp(JepsenOp op, int open) throws IOException, ParseException {
    long line = scanner.formLine();
    long column = scanner.formColumn();
    scanner.skip();
    OpKind kind = microOpKind(op, open);
    if (kind == OpKind.SELECT) {
      predicateRead(op, open, line, column);
    } else if (kind != null && more(open, line, column)) {
      long key = values.raw(op);
      boolean hasValue = more(open, line, column);
      if (kind == OpKind.READ) {
        if (hasValue) {
          result(op, key);
        } else {
          op.ops.add(kind, key, RawScalars.NIL);
        }
      } else if (hasValue) {
        long value = values.raw(op);
        if (kind == OpKind.INCREMENT && !(scalars.get(value) instanceof Long)) {
          op.problem(
              scanner.errorAt(
                  line,
                  column,
                  "an increment by " + scalars.get(value),
                  "an integer of at most 64 bits",
                  null));
        }
        op.ops.add(kind, key, value);
      } else if (deletes) {
        op.ops.add(kind, key, RawScalars.NIL);
      } else {
        op.problem(scanner.errorAt(line, column, "a write of nothing", MICRO_OP, null));
      }
    } else if (kind != null) {
      op.problem(scanner.errorAt(line, column, "a micro-operation on no key", MICRO_OP, null));
    }
    while (more(open, line, column)) {
      op.problem(
          scanner.errorAt(
              line, column, "a micro-operation of more than three forms", MICRO_OP, null));
      scanner.skipForm();
    }
    scanner.skip();
  }

  /** Reads a predicate and the rows it saw; one whose result was never seen says nothing. */
  private void predicateRead(JepsenOp op, int open, long line, long column)
      throws IOException, ParseException {
    Object predicate = more(open, line, column) ? values.read() : null;
    String condition = ClosedPredicates.condition(predicate);
    if (condition == null) {
      op.problem(
          scanner.errorAt(
              line,
              column,
              "a predicate read that Assay cannot evaluate",
              PREDICATE_READ + ", with :true, [:= n] or [:mod m n]",
              null));
      return;
    }
    boolean seen = more(open, line, column) && scanner.peek() == '{';
    Object rows = seen ? values.map() : null;
    if (rows instanceof Map<?, ?> found) {
      found.forEach(
          (key, value) -> {
            op.ops.element(scalars.of(key));
            op.ops.element(scalars.of(value));
          });
      op.ops.select(condition);
    } else if (seen) {
      op.problem(scanner.errorAt(line, column, "rows that are not scalars", PREDICATE_READ, null));
    } else if (more(open, line, column) && values.read() != null) {
      op.problem(scanner.errorAt(line, column, "a result that is not a map", PREDICATE_READ, null));
    }
  }

  private boolean more(int open, long line, long column) throws IOException, ParseException {
    int c = scanner.next();
    if (c == EdnScanner.EOF) {
      throw scanner.unclosed(open, line, column);
    }
    return c != EdnScanner.closing(open);
  }

  /** The kind of micro-operation; null, and a problem noted, where its name is not known. */
  private OpKind microOpKind(JepsenOp op, int open) throws IOException, ParseException {
    deletes = false;
    int c = scanner.next();
    if (c == EdnScanner.closing(open) || c == EdnScanner.EOF) {
      op.problem(scanner.error("an empty micro-operation", MICRO_OP, null));
      return null;
    }
    if (c == ':') {
      scanner.skip();
      scanner.token();
      if (scanner.tokenCode() == READ) {
        return OpKind.READ;
      }
      if (scanner.tokenCode() == APPEND) {
        return OpKind.APPEND;
      }
      if (scanner.tokenCode() == WRITE) {
        return OpKind.WRITE;
      }
      String name = scanner.tokenText();
      deletes = name.equals("delete");
      return known(MicroOps.kind(name), ":" + name, op);
    }
    Object name = values.read();
    return known(name instanceof String text ? MicroOps.kind(text) : null, name, op);
  }

  private OpKind known(OpKind kind, Object name, JepsenOp op) {
    if (kind == null) {
      op.problem(
          scanner.error(
              "a micro-operation named " + (name == null ? "nil" : name),
              ":r, :w, :append, :add or :inc as its name",
              null));
    }
    return kind;
  }

  /** Reads the result of a read of this key. */
  private void result(JepsenOp op, long key) throws IOException, ParseException {
    int open = scanner.next();
    boolean set = open == '#' && scanner.peekSecond() == '{';
    if (open != '[' && open != '(' && !set) {
      if (open == 'n') {
        scanner.token();
        boolean nil = scanner.tokenCode() == NIL;
        op.ops.add(OpKind.READ, key, nil ? RawScalars.NIL : scalars.of(scanner.tokenText()));
      } else {
        op.ops.add(OpKind.READ, key, values.raw(op));
      }
      return;
    }
    long line = scanner.formLine();
    long column = scanner.formColumn();
    scanner.skip();
    if (set) {
      scanner.skip();
    }
    MicroOps ops = op.ops;
    while (true) {
      scanner.integers(ops);
      if (!more(open, line, column)) {
        break;
      }
      ops.element(values.raw(op));
    }
    scanner.skip();
    ops.add(set ? OpKind.SET_READ : OpKind.LIST_READ, key, RawScalars.NIL);
  }
}
