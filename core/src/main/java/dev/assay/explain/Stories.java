package dev.assay.explain;

import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.explain.Explanation.Step;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.level.AnomalyType;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tells what happened in the usual shapes: who read what, and why that cannot be. Cycles of other
 * shapes are told step by step.
 */
final class Stories {
  /** The edges of the longest cycle with a well-known shape. */
  private static final int MOST_EDGES = 4;

  private final History history;
  private final Wording wording;
  private final EdgeSentences sentences;
  private final ReadSentences reads;

  Stories(History history, Wording wording, EdgeSentences sentences, ReadSentences reads) {
    this.history = history;
    this.wording = wording;
    this.sentences = sentences;
    this.reads = reads;
  }

  Story of(AnomalyType type, Evidence evidence) {
    String name = Shapes.name(type, evidence.edges());
    if (evidence.edges().isEmpty()) {
      return ofReads(type, name, evidence);
    }
    Story story = known(type, name, evidence.edges());
    return story == null ? argued(type, name, evidence) : story;
  }

  // ---- single reads

  private Story ofReads(AnomalyType type, String name, Evidence evidence) {
    return new Story(
        name,
        reads.headline(type, evidence),
        transactionsOf(evidence.operations()),
        sorted(evidence.operations()),
        List.of(),
        ReadConclusions.conclusion(type),
        ReadConclusions.likeness(type));
  }

  private List<Integer> transactionsOf(List<Integer> operations) {
    Set<Integer> transactions = new LinkedHashSet<>();
    operations.forEach(op -> transactions.add(history.transactionOf(op)));
    return List.copyOf(transactions);
  }

  private static List<Integer> sorted(List<Integer> operations) {
    return List.copyOf(new TreeSet<>(operations));
  }

  // ---- cycles with a well-known shape

  /** The story of a cycle whose shape has one; else null. */
  private Story known(AnomalyType type, String name, List<Edge> edges) {
    if (edges.size() > MOST_EDGES) {
      return null;
    }
    boolean shown = edges.stream().allMatch(Stories::isShownByOperations);
    if (!shown || edges.stream().anyMatch(edge -> edge.from() == Edge.INITIAL)) {
      return null;
    }
    for (int first = 0; first < edges.size(); first++) {
      List<Edge> turned = new ArrayList<>(edges);
      Collections.rotate(turned, -first);
      String kinds = String.join(" ", turned.stream().map(edge -> edge.kind().id()).toList());
      Story story =
          switch (kinds) {
            case "rw rw" -> missedEachOther(type, name, turned.get(0), turned.get(1));
            case "rw ww" -> overwrote(name, turned.get(0), turned.get(1));
            case "wr rw" -> half(name, turned.get(0), turned.get(1));
            case "rt rw", "so rw" -> stale(name, turned.get(0), turned.get(1));
            case "wr wr" -> sawEachOther(name, turned);
            case "ww ww" -> mixed(name, turned.get(0), turned.get(1));
            case "wr rw wr rw" -> fork(name, turned);
            default -> null;
          };
      if (story != null) {
        return story;
      }
    }
    return null;
  }

  private static boolean isShownByOperations(Edge edge) {
    boolean order = edge.kind() == EdgeKind.SO || edge.kind() == EdgeKind.RT;
    return order || edge.fromOp() >= 0 && edge.toOp() >= 0;
  }

  private Story missedEachOther(AnomalyType type, String name, Edge one, Edge other) {
    String both = pair(one.from(), other.from());
    List<Edge> edges = List.of(one, other);
    if (type.isByPredicate()) {
      return plain(
          name,
          both + " each looked before the other wrote, and saw nothing of it",
          edges,
          "Whichever ran second should have found what the other wrote.",
          "Like two people who each find the room free and both book it.");
    }
    if (one.key() == other.key()) {
      return lostUpdate(name, edges);
    }
    return plain(
        name,
        both + " each read what the other then changed",
        edges,
        "No serial order explains both reads: the second would see the first's write.",
        "Like two doctors who each see the other on call, and both go home.");
  }

  private Story lostUpdate(String name, List<Edge> edges) {
    Edge one = edges.get(0);
    Edge other = edges.get(1);
    boolean same = wording.did(one.fromOp()).equals(wording.did(other.fromOp()));
    String key = wording.key(one.key());
    boolean replaces = history.kind(one.toOp()) == OpKind.WRITE;
    return plain(
        name,
        pair(one.from(), other.from())
            + " both "
            + (same ? wording.did(one.fromOp()) : "read " + key)
            + ", and each changed it without seeing the other's change",
        edges,
        replaces
            ? "The change that came first is lost."
            : "Whichever came second should have seen the other's change.",
        "Like two deposits that start from the same balance: one of them is gone.");
  }

  /** A transaction read a version, another replaced it, and the first wrote over that. */
  private Story overwrote(String name, Edge miss, Edge order) {
    if (miss.key() != order.key()) {
      return null;
    }
    String reader = wording.name(miss.from());
    String writer = wording.name(miss.to());
    return plain(
        name,
        reader
            + " changed "
            + wording.key(miss.key())
            + " after "
            + writer
            + " did, but had read it from before that",
        List.of(miss, order),
        writer + "'s change is lost: " + reader + " wrote over it unseen.",
        "Like two deposits that start from the same balance: one of them is gone.");
  }

  private Story half(String name, Edge seen, Edge missed) {
    String reader = wording.name(seen.to());
    String writer = wording.name(seen.from());
    String what =
        seen.key() == missed.key() && history.kind(seen.toOp()) == history.kind(missed.fromOp())
            ? reader
                + " read "
                + wording.key(seen.key())
                + " both before and after "
                + writer
                + " changed it"
            : reader
                + " saw "
                + writer
                + "'s change of "
                + wording.key(seen.key())
                + " but not its change of "
                + wording.key(missed.key());
    return plain(
        name,
        what,
        List.of(seen, missed),
        "Its reads are from two different moments: before " + writer + " and after it.",
        "Like a bank transfer seen half done.");
  }

  private Story stale(String name, Edge order, Edge missed) {
    String reader = wording.name(order.to());
    String writer = wording.name(order.from());
    boolean session = order.kind() == EdgeKind.SO;
    String after =
        session
            ? " came after " + writer + " in " + wording.session(order.to(), order.from())
            : " began after " + writer + " had ended";
    return plain(
        name,
        reader + after + ", yet did not see its change",
        List.of(order, missed),
        "The read is out of date.",
        session
            ? "Like posting a comment, reloading the page, and not finding it."
            : "Like reading yesterday's price after today's was published.");
  }

  private Story sawEachOther(String name, List<Edge> edges) {
    return plain(
        name,
        pair(edges.get(0).from(), edges.get(1).from()) + " each read what the other wrote",
        edges,
        "Each would have to run before the other: one read what was not committed yet.",
        "");
  }

  private Story mixed(String name, Edge one, Edge other) {
    if (one.key() == other.key()) {
      return null;
    }
    return plain(
        name,
        wording.name(one.to())
            + " wrote "
            + wording.key(one.key())
            + " last, and "
            + wording.name(other.to())
            + " wrote "
            + wording.key(other.key())
            + " last",
        List.of(one, other),
        "Their writes are interleaved: the result is a mix of both.",
        "Like a car sold to one buyer and invoiced to another.");
  }

  private Story fork(String name, List<Edge> edges) {
    Edge one = edges.get(0);
    Edge other = edges.get(2);
    return plain(
        name,
        sawOnly(one, other) + ", and " + sawOnly(other, one),
        edges,
        "The two readers disagree on which of the writes came first.",
        "Like two followers who see two posts in opposite orders.");
  }

  private String sawOnly(Edge seen, Edge missed) {
    return wording.name(seen.to())
        + " saw "
        + wording.name(seen.from())
        + "'s write but not "
        + wording.name(missed.from())
        + "'s";
  }

  private Story plain(
      String name, String what, List<Edge> edges, String conclusion, String likeness) {
    Set<Integer> transactions = new LinkedHashSet<>();
    Set<Integer> operations = new TreeSet<>();
    for (Edge edge : edges) {
      transactions.add(edge.from());
      transactions.add(edge.to());
      operations.add(edge.fromOp());
      operations.add(edge.toOp());
    }
    operations.remove(-1);
    List<Integer> listed = List.copyOf(transactions);
    List<Integer> shown = List.copyOf(operations);
    return new Story(name, what, listed, shown, List.of(), conclusion, likeness);
  }

  private String pair(int one, int other) {
    return wording.name(one) + " and " + wording.name(other);
  }

  // ---- other cycles

  private Story argued(AnomalyType type, String name, Evidence evidence) {
    List<Edge> edges = evidence.edges();
    String stale = sentences.staleRead(edges);
    if (stale != null) {
      return staleByCommits(type, name, stale, edges);
    }
    Edge first = edges.get(0);
    Edge last = edges.get(edges.size() - 1);
    if (first.from() != last.to()) {
      return steps(name, sentences.sentence(last), edges, "");
    }
    List<Edge> misses = edges.stream().filter(edge -> edge.kind() == EdgeKind.RW).toList();
    if (misses.size() == 1) {
      return missedThePast(name, edges, misses.get(0));
    }
    long size = edges.stream().mapToInt(Edge::from).distinct().count();
    String what =
        size == 2
            ? pair(first.from(), last.from()) + " cannot be put in one order"
            : size + " transactions cannot be put in one order";
    String conclusion =
        type == AnomalyType.CYCLIC_CAUSALITY
            ? "An effect came before its cause."
            : wording.name(first.from()) + " would have to run before itself.";
    return steps(name, what, edges, conclusion);
  }

  /** A read missed a write that must come before it. */
  private Story missedThePast(String name, List<Edge> cycle, Edge missed) {
    List<Edge> turned = new ArrayList<>(cycle);
    Collections.rotate(turned, -cycle.indexOf(missed) - 1);
    String reader = wording.name(missed.from());
    String writer = wording.name(missed.to());
    return steps(
        name,
        sentences.sentence(missed) + "; yet " + writer + " must come before " + reader,
        turned.subList(0, turned.size() - 1),
        reader + " would have to run before " + writer + " and after it.");
  }

  /** A reader saw a version although it follows the transaction that had replaced it. */
  private Story staleByCommits(AnomalyType type, String name, String stale, List<Edge> cycle) {
    List<Edge> why = new ArrayList<>();
    String what = stale;
    for (Edge edge : cycle) {
      if (edge.kind() == EdgeKind.CM) {
        Edge read = EdgeSentences.forcingRead(edge);
        what = sawHalf(edge, read, stale);
        edge.because().stream()
            .filter(reason -> reason != read && reason.from() != Edge.INITIAL)
            .forEach(why::add);
      }
    }
    cycle.stream()
        .filter(edge -> edge.kind() != EdgeKind.CM && edge.from() != Edge.INITIAL)
        .forEach(why::add);
    boolean part =
        switch (type) {
          case FRACTURED_READ_CO, FRACTURED_READ_CM, NON_MONOTONIC_READ_CO, NON_MONOTONIC_READ_CM ->
              true;
          default -> false;
        };
    return new Story(
        name,
        what,
        List.of(),
        List.of(),
        new EdgeSteps(sentences).of(why),
        part
            ? "It saw part of what came before it, and not the rest."
            : "It saw an effect without its cause.",
        part
            ? "Like a bank transfer seen half done."
            : "Like seeing the answer to a message but not the message.");
  }

  /** What a reader saw and missed of one transaction, if it saw anything of it; else as given. */
  private String sawHalf(Edge forced, Edge read, String otherwise) {
    for (Edge seen : forced.because()) {
      boolean direct = seen.kind() == EdgeKind.WR && seen.from() == forced.from();
      if (direct && seen.to() == read.to() && seen.key() >= 0 && seen.key() != read.key()) {
        return wording.name(seen.to())
            + " saw "
            + wording.name(seen.from())
            + "'s change of "
            + wording.key(seen.key())
            + " but not its change of "
            + wording.key(read.key())
            + ", and "
            + wording.did(read.toOp())
            + (read.from() == Edge.INITIAL
                ? ", the initial version, instead"
                : " from " + wording.name(read.from()) + " instead");
      }
    }
    return otherwise;
  }

  private Story steps(String name, String what, List<Edge> edges, String conclusion) {
    List<Step> steps = new EdgeSteps(sentences).of(edges);
    return new Story(name, what, List.of(), List.of(), steps, conclusion, "");
  }
}
