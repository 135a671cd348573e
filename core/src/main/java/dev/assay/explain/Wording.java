package dev.assay.explain;

import dev.assay.check.Edge;
import dev.assay.history.Calls;
import dev.assay.history.History;
import dev.assay.history.Nodes;
import dev.assay.history.OpKind;
import dev.assay.history.Operation;
import dev.assay.history.OtherThan;
import dev.assay.history.Outcome;
import dev.assay.history.Values;
import dev.assay.level.EdgeKind;
import dev.assay.predicate.Condition;
import dev.assay.predicate.ConditionException;
import java.util.List;

/**
 * How reports write transactions, operations and values of one history: short, on one line, and
 * free of control characters whatever the input holds.
 */
public final class Wording {
  private static final int MAX_ELEMENTS = 10;
  private static final int SHOWN_FIRST = 3;
  private static final int SHOWN_LAST = 5;
  private static final int BRIEF_ELEMENTS = 5;
  private static final int MAX_SCALAR = 40;

  private final History history;
  private final Nodes nodes;
  private final Calls calls;

  public Wording(History history) {
    this.history = history;
    this.nodes = Nodes.of(history);
    this.calls = Calls.of(history);
  }

  /** The name of a transaction: {@code T71}; a name that is not a number is left unchanged. */
  public String name(int txn) {
    if (txn == Edge.INITIAL) {
      return "the initial state";
    }
    String label = clean(history.label(txn));
    return Character.isDigit(label.charAt(0)) || label.charAt(0) == '-' ? "T" + label : label;
  }

  /** The session of a transaction, and the node it ran on where there are several. */
  public String session(int txn) {
    return sessionAlone(txn) + onNode(txn);
  }

  /** The session of two transactions, and the node if both ran on one of several. */
  public String session(int txn, int other) {
    return onNode(txn).equals(onNode(other)) ? session(txn) : sessionAlone(txn);
  }

  private String sessionAlone(int txn) {
    return "session " + clean(history.sessionText(history.session(txn)));
  }

  /** {@code on replica 2}; empty where there is one node. */
  public String onNode(int txn) {
    String node = nodes.count() > 1 ? nodes.name(txn) : null;
    return node == null ? "" : " on " + clean(node);
  }

  /** Where in an application those of some operations come from that belong to a transaction. */
  public List<String> calls(int txn, List<Integer> operations) {
    return calls.of(txn, operations).stream().map(Wording::oneLine).toList();
  }

  public String key(int key) {
    return clean(history.keys().text(key));
  }

  /** What an edge is: {@code rw(x)}, or {@code rw(pred x)} where a predicate makes it. */
  public String edge(EdgeKind kind, int key, boolean byPredicate) {
    return key < 0 ? kind.id() : kind.id() + (byPredicate ? "(pred " : "(") + key(key) + ")";
  }

  /** The operation as in a listing: {@code read x -> [1 2]}. */
  public String operation(int op) {
    Operation o = history.operation(op);
    return o.kind().listed(keyOrCondition(o), value(o));
  }

  /** A condition as people write it; text that is not a condition is left unchanged. */
  private static String keyOrCondition(Operation o) {
    String text = String.valueOf(o.key());
    if (o.kind().isPredicate()) {
      try {
        text = Condition.parse(text).sentence();
      } catch (ConditionException e) {
        // Show the text itself.
      }
    }
    return clean(text);
  }

  /**
   * The operation as in a sentence: {@code read x = [1 2]}, {@code appended 5 to x}; of a condition
   * that failed {@code compared x with 5, which it was not}.
   */
  public String did(int op) {
    Operation o = history.operation(op);
    if (history.isOtherRead(op)) {
      return failed(key(history.key(op)), ((OtherThan) o.value()).value());
    }
    if (deletes(op)) {
      return "deleted " + key(history.key(op));
    }
    return o.kind().inSentence(keyOrCondition(o), value(o));
  }

  private static String failed(String key, Object value) {
    return value == null
        ? "found " + key + " present"
        : "compared " + key + " with " + clean(String.valueOf(value)) + ", which it was not";
  }

  /** Whether an operation makes a register absent. */
  private boolean deletes(int op) {
    return history.kind(op) == OpKind.WRITE && history.value(op) == Values.NIL;
  }

  /** The operation in a row of a story: {@code read x = [1 … 8 9]}, {@code append x 5}. */
  public String brief(int op) {
    Operation o = history.operation(op);
    if (history.isOtherRead(op)) {
      return did(op);
    }
    if (deletes(op)) {
      return "delete " + key(history.key(op));
    }
    String value = value(o, BRIEF_ELEMENTS, 1, 2);
    String key = keyOrCondition(o);
    return o.kind().isWrite() || o.kind().isPredicate()
        ? o.kind().listed(key, value)
        : o.kind().inSentence(key, value);
  }

  /** What the operation read or wrote: {@code x = 5}. */
  public String keyAndValue(int op) {
    return clean(String.valueOf(history.operation(op).key())) + " = " + value(op);
  }

  /** The value of an operation, shortened where it is long. */
  public String value(int op) {
    return value(history.operation(op));
  }

  /** A value by its code. */
  public String scalar(int code) {
    return clean(history.values().text(code));
  }

  /** Past tense of what a write does: wrote, appended, added, incremented. */
  static String past(OpKind kind) {
    return kind.isWrite() ? kind.past() : OpKind.WRITE.past();
  }

  /** A noun with its article: {@code an increment}. */
  static String article(String noun) {
    return ("aeiou".indexOf(noun.charAt(0)) >= 0 ? "an " : "a ") + noun;
  }

  /** How a transaction ended, as the end of a sentence; empty if it committed. */
  static String fate(Outcome outcome) {
    return switch (outcome) {
      case COMMITTED -> "";
      case ABORTED -> " and then aborted";
      case INDETERMINATE -> " in a transaction of unknown outcome";
    };
  }

  private static String value(Operation o) {
    return value(o, MAX_ELEMENTS, SHOWN_FIRST, SHOWN_LAST);
  }

  /** A value; of a list with more than {@code max} elements, only some first and last ones. */
  private static String value(Operation o, int max, int first, int last) {
    if (!o.known()) {
      return "?";
    }
    if (o.value() instanceof List<?> elements
        && (o.kind().readsSequence() || o.kind().isPredicate())) {
      boolean list = o.kind() == OpKind.LIST_READ;
      String shown = elements(elements, max, first, last);
      return list ? "[" + shown + "]" : "{" + shown + "}";
    }
    return o.value() == null ? "nil" : clean(o.value().toString());
  }

  private static String elements(List<?> elements, int max, int first, int last) {
    StringBuilder text = new StringBuilder();
    int size = elements.size();
    for (int i = 0; i < size; i++) {
      if (size > max && i == first) {
        text.append(" …");
        i = size - last;
      }
      Object element = elements.get(i);
      text.append(i == 0 ? "" : " ").append(element == null ? "nil" : clean(element.toString()));
    }
    return text.toString();
  }

  /** Text of the input made safe for a terminal: one line, no control characters, not too long. */
  public static String clean(String text) {
    boolean plain = text.length() <= MAX_SCALAR;
    for (int i = 0; i < text.length() && plain; i++) {
      plain = isPlain(text.charAt(i));
    }
    if (plain) {
      return text;
    }
    StringBuilder safe = new StringBuilder();
    int end = text.length() > MAX_SCALAR ? MAX_SCALAR - 1 : text.length();
    for (int i = 0; i < end; i++) {
      char c = text.charAt(i);
      safe.append(isPlain(c) ? String.valueOf(c) : String.format("\\u%04x", (int) c));
    }
    return end < text.length() ? safe.append('…').toString() : safe.toString();
  }

  /** Text in full, but on one line and without control characters: file names, notes. */
  public static String oneLine(String text) {
    StringBuilder safe = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      safe.append(Character.isISOControl(text.charAt(i)) ? '?' : text.charAt(i));
    }
    return safe.toString();
  }

  private static boolean isPlain(char c) {
    int type = Character.getType(c);
    return type != Character.CONTROL
        && type != Character.FORMAT
        && type != Character.LINE_SEPARATOR
        && type != Character.PARAGRAPH_SEPARATOR
        && type != Character.SURROGATE;
  }
}
