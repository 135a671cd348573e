package dev.assay.explain;

import dev.assay.check.Edge;
import dev.assay.explain.Explanation.Step;
import dev.assay.level.EdgeKind;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The numbered sentences of one argument. An inferred edge that several others rest on is argued
 * for where it first appears, and referred to by number after that.
 */
final class EdgeSteps {
  private final EdgeSentences sentences;
  private final Map<Edge, String> argued = new IdentityHashMap<>();

  EdgeSteps(EdgeSentences sentences) {
    this.sentences = sentences;
  }

  List<Step> of(List<Edge> argument) {
    return steps("", argument, List.of());
  }

  /**
   * The steps of part of the argument.
   *
   * @param refuted the current suppositions: reversed orders and impossible reads
   */
  private List<Step> steps(String prefix, List<Edge> argument, List<Edge> refuted) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < argument.size(); i++) {
      Edge edge = argument.get(i);
      String number = number(prefix, i);
      steps.add(isInferred(edge) ? inferred(number, edge, refuted) : plain(number, edge, refuted));
    }
    return steps;
  }

  /** Whether an order, or what a read saw, is proven by refuting every alternative. */
  private static boolean isInferred(Edge edge) {
    return !edge.because().isEmpty()
        && edge.premise().isEmpty()
        && (edge.kind() == EdgeKind.WW || edge.kind() == EdgeKind.WR);
  }

  private Step plain(String number, Edge edge, List<Edge> refuted) {
    boolean supposed =
        edge.because().isEmpty() && refuted.stream().anyMatch(other -> isSame(other, edge));
    String sentence = supposed ? sentences.supposition(edge) : sentences.sentence(edge);
    return step(number, edge, supposed, sentence, steps(number, edge.because(), refuted), "");
  }

  private Step inferred(String number, Edge edge, List<Edge> refuted) {
    boolean read = edge.kind() == EdgeKind.WR;
    String sentence = read ? sentences.byElimination(edge) : sentences.byContradiction(edge);
    String before = argued.putIfAbsent(edge, number);
    if (before != null) {
      return step(number, edge, false, sentence, List.of(), before);
    }
    List<Step> because =
        read
            ? ruledOut(number, edge, refuted)
            : steps(number, edge.because(), with(refuted, opposite(edge)));
    return step(number, edge, false, sentence, because, "");
  }

  /** Why a read saw none of the other writers: the cycle that each would close. */
  private List<Step> ruledOut(String prefix, Edge read, List<Edge> refuted) {
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < read.because().size(); i++) {
      Edge other = read.because().get(i);
      String number = number(prefix, i);
      List<Step> because = steps(number, other.because(), with(refuted, other));
      steps.add(step(number, other, true, sentences.impossibleRead(other), because, ""));
    }
    return steps;
  }

  private static Step step(
      String number,
      Edge edge,
      boolean supposed,
      String sentence,
      List<Step> because,
      String sameAs) {
    Set<Integer> operations = new LinkedHashSet<>();
    for (int op : new int[] {edge.fromOp(), edge.toOp()}) {
      if (op >= 0) {
        operations.add(op);
      }
    }
    List<Integer> shown = new ArrayList<>(operations);
    return new Step(number, edge, shown, supposed, sentence, because, sameAs);
  }

  private static List<Edge> with(List<Edge> edges, Edge more) {
    List<Edge> all = new ArrayList<>(edges);
    all.add(more);
    return all;
  }

  private static Edge opposite(Edge order) {
    return Edge.of(order.to(), order.from(), order.kind(), order.key(), -1, -1);
  }

  private static boolean isSame(Edge one, Edge other) {
    return one.kind() == other.kind()
        && one.from() == other.from()
        && one.to() == other.to()
        && (one.kind() == EdgeKind.WW || one.toOp() == other.toOp());
  }

  private static String number(String prefix, int index) {
    return prefix.isEmpty() ? String.valueOf(index + 1) : prefix + letter(index, prefix);
  }

  /** Letters and numbers alternate: 2, 2b, 2b.1. */
  private static String letter(int index, String prefix) {
    boolean afterLetter = Character.isLetter(prefix.charAt(prefix.length() - 1));
    return afterLetter || index >= 26 ? "." + (index + 1) : String.valueOf((char) ('a' + index));
  }
}
