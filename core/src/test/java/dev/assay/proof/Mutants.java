package dev.assay.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.proof.Argument.Step;
import dev.assay.proof.Argument.Steps;
import dev.assay.proof.Graph.Edge;
import dev.assay.resolve.Given;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.regex.Pattern;

/** Proofs with a mistake in them, which the verifier must refuse. */
public final class Mutants {
  private static final Verdict HOLDS = new Verdict.Holds("so it is claimed");
  private static final Verdict VIOLATED = new Verdict.Violated(List.of(), "so it is claimed");

  /** The beginning of a read that has a result, and the whole of most of them. */
  private static final Pattern READ_OF_KEY =
      Pattern.compile("\\[\"r[lsc]?\",(\\d+|\"[^\"]*\"|\\{[^{}]*\\}),");

  private static final Pattern READ =
      Pattern.compile(READ_OF_KEY + "(\\[[^\\[\\]]*\\]|\\w+|\\{[^{}]*\\}|\"[^\"]*\")\\]");

  private String history;
  private Proof proof;
  private int refused;

  /** How many were refused. */
  public int refused() {
    return refused;
  }

  /** Tries mutants of the proof of a report, which rests on what is given. */
  public void tryAll(Report report, Given given) {
    proof = Proofs.of(report, given, Budget.unlimited());
    history = Verifier.text(report.history());
    for (Proof.Claim claim : proof.claims()) {
      if (claim.isProven()) {
        claimTheOpposite(claim);
        if (claim.verdict() instanceof Verdict.Holds && !claim.level().id().startsWith("cut")) {
          orders(claim, proof.orders().get(claim.proof()));
        } else if (proof.arguments().size() > 0
            && claim.verdict() instanceof Verdict.Violated
            && proof.arguments().get(claim.proof()) instanceof Steps steps) {
          arguments(claim, steps);
        }
      }
    }
    anotherHistory(report);
  }

  /** What is violated has no order, and what holds no argument against it. */
  private void claimTheOpposite(Proof.Claim claim) {
    boolean holds = claim.verdict() instanceof Verdict.Holds;
    int others = holds ? proof.arguments().size() : proof.orders().size();
    for (int i = 0; i < others; i++) {
      Verdict opposite = holds ? VIOLATED : HOLDS;
      refuse(
          new Proof.Claim(claim.level(), opposite, i, claim.given(), null),
          proof.orders(),
          proof.arguments());
    }
  }

  private void orders(Proof.Claim claim, Proof.Order right) {
    int[] order = right.order();
    if (order.length < 2) {
      return;
    }
    int[] twice = order.clone();
    twice[0] = order[1];
    refuseOrder(claim, right, twice);
    refuseOrder(claim, right, Arrays.copyOf(order, order.length - 1));
    int[] more = Arrays.copyOf(order, order.length + 1);
    more[order.length] = proof.transactions() * 1_000;
    refuseOrder(claim, right, more);
  }

  private void refuseOrder(Proof.Claim claim, Proof.Order right, int[] wrong) {
    List<Proof.Order> orders = new ArrayList<>(proof.orders());
    orders.set(claim.proof(), new Proof.Order(right.from(), wrong));
    refuse(claim, orders, proof.arguments());
  }

  private void arguments(Proof.Claim claim, Steps right) {
    List<Step> steps = right.steps();
    refuseSteps(claim, steps.subList(0, steps.size() - 1));
    for (int i = 0; i < steps.size(); i++) {
      Step step = steps.get(i);
      boolean shownOnce =
          Collections.frequency(steps.stream().map(Step::pair).toList(), step.pair()) == 1;
      if (step.pair() != null && shownOnce) {
        List<Step> fewer = new ArrayList<>(steps);
        fewer.remove(i);
        refuseSteps(claim, fewer);
      }
      for (int e = 0; e < step.cycle().size(); e++) {
        Edge edge = step.cycle().get(e);
        List<Edge> dropped = new ArrayList<>(step.cycle());
        dropped.remove(e);
        refuseCycle(claim, steps, i, dropped);
        List<Edge> swapped = new ArrayList<>(step.cycle());
        swapped.set(e, new Edge(edge.kind(), edge.to(), edge.from(), edge.op(), edge.version()));
        refuseCycle(claim, steps, i, swapped);
      }
    }
  }

  private void refuseCycle(Proof.Claim claim, List<Step> steps, int i, List<Edge> cycle) {
    List<Step> mutant = new ArrayList<>(steps);
    mutant.set(i, new Step(steps.get(i).pair(), steps.get(i).assumptions(), cycle, null));
    refuseSteps(claim, mutant);
  }

  private void refuseSteps(Proof.Claim claim, List<Step> steps) {
    List<Argument> arguments = new ArrayList<>(proof.arguments());
    arguments.set(claim.proof(), new Steps(steps));
    refuse(claim, proof.orders(), arguments);
  }

  private void refuse(Proof.Claim claim, List<Proof.Order> orders, List<Argument> arguments) {
    Proof mutant =
        new Proof(proof.transactions(), proof.given(), orders, arguments, List.of(claim));
    String text = ProofWriter.text(mutant);
    assertThat(Verifier.answers(history, text))
        .as("%s\n%s", history, text)
        .singleElement()
        .asString()
        .contains(": refused: ");
    refused++;
  }

  /** A history with one transaction less, or in which nothing was ever read. */
  private void anotherHistory(Report report) {
    String text = ProofWriter.text(proof);
    String shorter = history.substring(0, history.lastIndexOf('\n', history.length() - 2) + 1);
    String without = READ.matcher(history).replaceAll("[\"r\",$1]");
    boolean nothingRead = !READ_OF_KEY.matcher(without).find();
    for (String answer : Verifier.answers(shorter, text)) {
      if (!answer.contains(": unknown: ")) {
        assertThat(answer).contains(": refused: ");
        refused++;
      }
    }
    for (String answer : Verifier.answers(without, text)) {
      // What is given stays, whatever was read, and so do the numbers of versions.
      boolean byReads =
          nothingRead
              && proof.unproven() == 0
              && proof.given().get(0).isNothing()
              && !report.history().hasVersionNumbers();
      if (answer.contains(": violated: ") && byReads) {
        assertThat(answer).as("%s\n%s", without, text).contains(": refused: ");
        refused++;
      }
    }
    assertThat(report.history().transactionCount()).isEqualTo(proof.transactions());
  }
}
