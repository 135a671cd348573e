package dev.assay.explain;

import dev.assay.check.Edge;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.level.EdgeKind;
import dev.assay.type.DataType;
import java.util.ArrayList;
import java.util.List;

/** One sentence per edge: why {@code from} must come before {@code to}. */
final class EdgeSentences {
  private final History history;
  private final Wording wording;

  EdgeSentences(History history, Wording wording) {
    this.history = history;
    this.wording = wording;
  }

  String sentence(Edge edge) {
    return edge.premise().isEmpty() ? observed(edge) : observed(edge) + ", " + edge.premise();
  }

  private String observed(Edge edge) {
    String from = wording.name(edge.from());
    String to = wording.name(edge.to());
    return switch (edge.kind()) {
      case SO -> sessionOrder(edge, from, to);
      case RT -> from + " ended before " + to + " began" + onKey(edge);
      case TIMESTAMP -> "the database's own timestamps put " + from + " before " + to;
      case WR -> readDependency(edge, from, to);
      case WW -> writeDependency(edge, from, to);
      case RW -> antiDependency(edge, from, to);
      case CM -> commitOrder(edge, from, to);
    };
  }

  /** Where operations are checked one by one, session order also holds within a transaction. */
  private String sessionOrder(Edge edge, String from, String to) {
    return edge.from() == edge.to()
        ? from + " " + wording.did(edge.fromOp()) + " before it " + wording.did(edge.toOp())
        : from
            + " came before "
            + to
            + " in "
            + wording.session(edge.to(), edge.from())
            + onKey(edge);
  }

  /** Where an order matters on a single key only. */
  private String onKey(Edge edge) {
    return edge.key() < 0 ? "" : ", and both accessed " + wording.key(edge.key());
  }

  /** An order of versions, or what a read saw, that is assumed in order to be refuted. */
  String supposition(Edge edge) {
    if (edge.kind() == EdgeKind.WR) {
      return "suppose " + seen(edge) + wording.name(edge.from());
    }
    return "suppose "
        + wording.name(edge.from())
        + " wrote "
        + key(edge)
        + "before "
        + wording.name(edge.to());
  }

  /** An order of versions whose opposite is refuted by what it rests on. */
  String byContradiction(Edge edge) {
    return wording.name(edge.from())
        + " wrote "
        + key(edge)
        + "before "
        + wording.name(edge.to())
        + ": the reverse order would close a cycle too";
  }

  /** The only possible writer of what a read of a value written more than once saw. */
  String byElimination(Edge edge) {
    List<String> others = new ArrayList<>();
    for (Edge other : edge.because()) {
      others.add("from " + wording.name(other.from()));
    }
    return seen(edge)
        + wording.name(edge.from())
        + ", since it cannot have read it "
        + String.join(" or ", others);
  }

  /** What a read cannot have seen, because that would close a cycle. */
  String impossibleRead(Edge edge) {
    String reader = wording.name(edge.to());
    return "if "
        + reader
        + " had read "
        + wording.keyAndValue(edge.toOp())
        + " from "
        + wording.name(edge.from())
        + ", that would close a cycle too";
  }

  private String seen(Edge edge) {
    return wording.name(edge.to()) + " " + wording.did(edge.toOp()) + " from ";
  }

  private String readDependency(Edge edge, String from, String to) {
    if (edge.toOp() < 0) {
      return to + " read " + key(edge) + "from " + from;
    }
    String read = to + " " + wording.did(edge.toOp());
    if (edge.from() == Edge.INITIAL) {
      return isOfItems(edge.toOp()) ? read + ", without it" : read + ", the initial version";
    }
    if (edge.fromOp() < 0) {
      return read + ", which " + from + " wrote";
    }
    String did = Wording.past(history.kind(edge.fromOp()));
    if (history.kind(edge.toOp()).isPredicate()) {
      String version = wording.keyAndValue(edge.fromOp());
      return read + ", having seen " + version + ", which " + from + " " + did;
    }
    return !history.kind(edge.toOp()).type().hasElements()
        ? read + ", which " + from + " " + did
        : read + ", with " + wording.value(edge.fromOp()) + ", which " + from + " " + did;
  }

  private String writeDependency(Edge edge, String from, String to) {
    if (edge.toOp() < 0) {
      return to + " replaced the version of " + key(edge) + "that " + from + " wrote";
    }
    if (edge.from() == Edge.INITIAL || edge.fromOp() < 0) {
      if (isOfItems(edge.toOp())) {
        return to + " " + wording.did(edge.toOp()) + ", which had been without it";
      }
      String replaced = edge.from() == Edge.INITIAL ? "the initial version" : from + "'s version";
      return to + " " + wording.did(edge.toOp()) + ", after " + replaced;
    }
    OpKind kind = history.kind(edge.toOp());
    String first = from + " " + wording.did(edge.fromOp());
    return kind == OpKind.WRITE
        ? first + ", which " + to + " overwrote with " + wording.value(edge.toOp())
        : first + ", before " + to + " " + Wording.past(kind) + " " + wording.value(edge.toOp());
  }

  private String antiDependency(Edge edge, String from, String to) {
    if (edge.fromOp() < 0) {
      return from + " read a version of " + key(edge) + "that " + to + " overwrote";
    }
    String read = from + " " + wording.did(edge.fromOp());
    if (edge.toOp() < 0) {
      return read + ", which " + to + " overwrote";
    }
    OpKind written = history.kind(edge.toOp());
    if (!written.isWrite()) {
      String other = wording.keyAndValue(edge.toOp());
      String write = Wording.article(written.type().writeKind().verb());
      return read + " and " + to + " read " + other + ": " + write + " came between";
    }
    if (history.kind(edge.fromOp()).isPredicate()) {
      String unseen = wording.keyAndValue(edge.toOp());
      return read + ", without seeing " + unseen + ", which " + to + " wrote";
    }
    String value = wording.value(edge.toOp());
    if (written == OpKind.WRITE && !history.kind(edge.fromOp()).type().hasElements()) {
      return read + ", which " + to + " overwrote with " + value;
    }
    if (written == OpKind.WRITE) {
      return read + ", without " + wording.keyAndValue(edge.toOp()) + ", which " + to + " wrote";
    }
    String when = written == OpKind.APPEND ? (isNext(edge) ? " next" : " later") : "";
    return read + ", without " + value + ", which " + to + " " + Wording.past(written) + when;
  }

  /** Whether some longer read shows the appended element right after those this read saw. */
  private boolean isNext(Edge edge) {
    int sequence = history.value(edge.fromOp());
    if (!history.kind(edge.fromOp()).readsSequence() || sequence == Values.UNKNOWN) {
      return false;
    }
    Sequences sequences = history.sequences();
    int trace = sequences.trace(sequence);
    int length = sequences.length(sequence);
    return length < sequences.traceLength(trace)
        && sequences.traceElement(trace, length) == history.value(edge.toOp());
  }

  /**
   * The axioms of the weak levels have one shape: a transaction that reads x from {@code to}
   * although {@code from} also wrote x and is already visible puts {@code from} first.
   */
  private String commitOrder(Edge edge, String from, String to) {
    Edge read = forcingRead(edge);
    if (read == null) {
      return from + " must commit before " + to;
    }
    String key = wording.key(edge.key());
    String reader = wording.name(read.to());
    if (edge.to() == Edge.INITIAL) {
      boolean item = isOfItems(read.toOp());
      return reader
          + " follows "
          + from
          + ", which "
          + (item ? wording.did(missed(read.toOp(), edge.from())) : "wrote " + key)
          + ", yet read "
          + (item ? key + " without it: that" : "the initial version: it")
          + " must be the later one";
    }
    return from
        + " must commit before "
        + to
        + ": both wrote "
        + key
        + ", "
        + reader
        + " follows "
        + from
        + ", yet read "
        + key
        + " from "
        + to;
  }

  /** The read from {@code to} of the key a commit-order edge is about, or null. */
  static Edge forcingRead(Edge edge) {
    for (Edge reason : edge.because()) {
      boolean readOfTo = reason.kind() == EdgeKind.WR && reason.from() == edge.to();
      if (readOfTo && edge.key() >= 0 && reason.key() == edge.key()) {
        return reason;
      }
    }
    return null;
  }

  /**
   * A cycle with a single commit-order edge has a short story: the reader saw a version that a
   * transaction it follows had replaced. Null for other cycles.
   */
  String staleRead(List<Edge> cycle) {
    Edge forced = null;
    for (Edge edge : cycle) {
      if (edge.kind() == EdgeKind.CM) {
        if (forced != null) {
          return null;
        }
        forced = edge;
      }
    }
    Edge read = forced == null ? null : forcingRead(forced);
    if (read == null || read.toOp() < 0) {
      return null;
    }
    if (isOfItems(read.toOp())) {
      int missed = missed(read.toOp(), forced.from());
      return wording.name(read.to())
          + " "
          + wording.did(read.toOp())
          + " without "
          + wording.value(missed)
          + ", although it follows "
          + wording.name(forced.from())
          + ", which "
          + Wording.past(history.kind(missed))
          + " it";
    }
    String source =
        forced.to() == Edge.INITIAL
            ? ", the initial version"
            : " from " + wording.name(forced.to());
    return wording.name(read.to())
        + " "
        + wording.did(read.toOp())
        + source
        + ", although it follows "
        + wording.name(forced.from())
        + ", which replaced it";
  }

  private boolean isOfItems(int op) {
    return op >= 0 && history.kind(op).type().hasItems();
  }

  /** What a transaction wrote that a read shows to lack. */
  private int missed(int read, int by) {
    int missed = DataType.missed(history, read, by);
    if (missed < 0) {
      throw new IllegalStateException("the read lacks nothing that was written");
    }
    return missed;
  }

  private String key(Edge edge) {
    return edge.key() < 0 ? "" : wording.key(edge.key()) + " ";
  }
}
