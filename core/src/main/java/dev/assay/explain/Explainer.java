package dev.assay.explain;

import dev.assay.check.Anomaly;
import dev.assay.check.Edge;
import dev.assay.check.Evidence;
import dev.assay.explain.Explanation.Step;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Turns the evidence found in one history into {@link Explanation}s. */
public final class Explainer {
  /** Maximum number of transactions named in a headline. */
  private static final int MAX_NAMED = 4;

  private final History history;
  private final Wording wording;
  private final EdgeSentences edges;
  private final ReadSentences reads;

  public Explainer(History history) {
    this.history = history;
    this.wording = new Wording(history);
    this.edges = new EdgeSentences(history, wording);
    this.reads = new ReadSentences(history, wording);
  }

  public Wording wording() {
    return wording;
  }

  /** The witness of an anomaly in words. */
  public Explanation explain(Anomaly anomaly, Evidence evidence) {
    return explain(anomaly.type(), evidence);
  }

  /** An instance of an anomaly in words. */
  public Explanation explain(AnomalyType type, Evidence evidence) {
    Set<Integer> operations = new TreeSet<>();
    List<Integer> transactions = collect(evidence, operations);
    boolean argued = !evidence.edges().isEmpty();
    return new Explanation(
        Shapes.name(type, evidence.edges())
            + ": "
            + (argued ? cycle(evidence) : reads.headline(type, evidence)),
        transactions,
        new ArrayList<>(operations),
        argued ? new EdgeSteps(edges).of(evidence.edges()) : operationSteps(evidence),
        shownBy(evidence.shownBy()));
  }

  /** An instance of an anomaly as one would tell it to somebody who knows no theory. */
  public Story story(AnomalyType type, Evidence evidence) {
    return new Stories(history, wording, edges, reads).of(type, evidence);
  }

  int transactionOf(int operation) {
    return history.transactionOf(operation);
  }

  /** The name people use for an instance of an anomaly. */
  public String name(AnomalyType type, Evidence evidence) {
    return Shapes.name(type, evidence.edges());
  }

  /** {@code T90 read x = [1 5] and y = [2 9], which fixes both orders (run.edn:181)}. */
  private String shownBy(List<Integer> reads) {
    Map<Integer, List<Integer>> byTransaction = new LinkedHashMap<>();
    for (int read : reads) {
      byTransaction
          .computeIfAbsent(history.transactionOf(read), txn -> new ArrayList<>())
          .add(read);
    }
    List<String> clauses = new ArrayList<>();
    byTransaction.forEach(
        (txn, shown) -> {
          List<String> did = new ArrayList<>();
          for (int read : shown) {
            did.add(did.isEmpty() ? wording.did(read) : wording.keyAndValue(read));
          }
          String place = Wording.oneLine(history.place(txn));
          clauses.add(wording.name(txn) + " " + listedPlainly(did) + " (" + place + ")");
        });
    if (clauses.isEmpty()) {
      return "";
    }
    String orders =
        switch (reads.size()) {
          case 1 -> "which fixes the order";
          case 2 -> "which fixes both orders";
          default -> "which fixes these orders";
        };
    return listedPlainly(clauses) + ", " + orders;
  }

  private static String listedPlainly(List<String> items) {
    return items.size() == 1 ? items.get(0) : listed(items);
  }

  /** One sentence for an edge. */
  public String sentence(Edge edge) {
    return edges.sentence(edge);
  }

  /** The transactions that the explanation of an instance names, in order of appearance. */
  public List<Integer> transactions(Evidence evidence) {
    return collect(evidence, new TreeSet<>());
  }

  private List<Integer> collect(Evidence evidence, Set<Integer> operations) {
    Set<Integer> transactions = new LinkedHashSet<>();
    operations.addAll(evidence.operations());
    collect(evidence.edges(), transactions, operations);
    Edge.forEachReason(evidence.edges(), edge -> collect(edge.because(), transactions, operations));
    for (int op : evidence.operations()) {
      transactions.add(history.transactionOf(op));
    }
    return new ArrayList<>(transactions);
  }

  private void collect(List<Edge> argument, Set<Integer> transactions, Set<Integer> operations) {
    for (Edge edge : argument) {
      addIfReal(edge.from(), transactions);
      addIfReal(edge.to(), transactions);
      addIfReal(edge.fromOp(), operations);
      addIfReal(edge.toOp(), operations);
    }
  }

  private static void addIfReal(int number, Set<Integer> numbers) {
    if (number >= 0) {
      numbers.add(number);
    }
  }

  /**
   * What each operation of the evidence did; the offending read, first in the evidence, is last.
   */
  private List<Step> operationSteps(Evidence evidence) {
    List<Integer> story = new ArrayList<>(evidence.operations());
    int offending = story.remove(0);
    story.add(offending);
    boolean oneTransaction = true;
    for (int op : story) {
      oneTransaction &= history.transactionOf(op) == history.transactionOf(offending);
    }
    if (oneTransaction) {
      story.sort(null);
    }
    List<Step> steps = new ArrayList<>();
    for (int op : story) {
      String number = String.valueOf(steps.size() + 1);
      String sentence = operationSentence(op);
      steps.add(new Step(number, null, List.of(op), false, sentence, List.of(), ""));
    }
    return steps;
  }

  private String operationSentence(int op) {
    int txn = history.transactionOf(op);
    int place = history.ordinal(txn, op) + 1;
    int size = history.ordinal(txn, history.endOp(txn));
    return wording.name(txn)
        + " "
        + wording.did(op)
        + " (operation "
        + place
        + " of "
        + size
        + ")"
        + Wording.fate(history.outcome(txn));
  }

  private String cycle(Evidence evidence) {
    String stale = edges.staleRead(evidence.edges());
    if (stale != null) {
      return stale;
    }
    Set<String> distinct = new LinkedHashSet<>();
    evidence.edges().forEach(edge -> distinct.add(wording.name(edge.from())));
    List<String> names = List.copyOf(distinct);
    Edge first = evidence.edges().get(0);
    Edge last = evidence.edges().get(evidence.edges().size() - 1);
    if (first.from() != last.to()) {
      return edges.sentence(last);
    }
    return switch (names.size()) {
      case 1 -> names.get(0) + " must come before itself";
      case 2 -> names.get(0) + " and " + names.get(1) + " must each come before the other";
      default ->
          (names.size() > MAX_NAMED ? names.size() + " transactions" : listed(names))
              + " form a cycle: each must come before the next";
    };
  }

  private static String listed(List<String> names) {
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " and " + names.get(last);
  }
}
