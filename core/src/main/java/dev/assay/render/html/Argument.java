package dev.assay.render.html;

import dev.assay.explain.Explanation.Step;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The steps of an argument that fit on a page: outer ones first, then what they rest on, level by
 * level until there is no room for more.
 */
final class Argument {
  private final List<Shown> steps = new ArrayList<>();
  private final List<Shown> all = new ArrayList<>();
  private int omitted;

  /** A step on the page, and how many of those that it rests on are not. */
  static final class Shown {
    private final Step step;
    private final List<Shown> because = new ArrayList<>();
    private int omitted;

    private Shown(Step step) {
      this.step = step;
    }

    Step step() {
      return step;
    }

    List<Shown> because() {
      return because;
    }

    int omitted() {
      return omitted;
    }
  }

  Argument(List<Step> argument, int room) {
    Deque<Shown> open = new ArrayDeque<>();
    for (Step step : argument) {
      if (all.size() < room) {
        steps.add(show(step, open));
      } else {
        omitted += size(step);
      }
    }
    while (!open.isEmpty()) {
      Shown shown = open.remove();
      for (Step reason : shown.step.because()) {
        if (all.size() < room) {
          shown.because.add(show(reason, open));
        } else {
          shown.omitted += size(reason);
        }
      }
    }
  }

  private Shown show(Step step, Deque<Shown> open) {
    Shown shown = new Shown(step);
    all.add(shown);
    open.add(shown);
    return shown;
  }

  private static int size(Step step) {
    int size = 1;
    for (Step reason : step.because()) {
      size += size(reason);
    }
    return size;
  }

  /** The outer steps. */
  List<Shown> steps() {
    return steps;
  }

  /** All steps, outer ones first. */
  List<Shown> all() {
    return all;
  }

  /** How many outer steps, with all they rest on, are not shown. */
  int omitted() {
    return omitted;
  }
}
