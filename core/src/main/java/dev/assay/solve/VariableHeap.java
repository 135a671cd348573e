package dev.assay.solve;

import dev.assay.graph.IntList;
import java.util.Arrays;

/** A heap of variables by their recent activity in conflicts, the most active first. */
final class VariableHeap {
  private static final double RESCALE = 1e100;
  private static final double DECAY = 0.95;

  private double[] activity = new double[64];
  private int[] index = new int[64];
  private final IntList heap = new IntList(64);
  private double increment = 1;
  private int variables;

  /** Adds the next variable. */
  void addVariable() {
    if (variables == activity.length) {
      activity = Arrays.copyOf(activity, variables * 2);
      index = Arrays.copyOf(index, variables * 2);
    }
    index[variables] = Polygraph.NONE;
    insert(variables++);
  }

  boolean isEmpty() {
    return heap.size() == 0;
  }

  void insert(int variable) {
    if (index[variable] == Polygraph.NONE) {
      index[variable] = heap.size();
      heap.add(variable);
      siftUp(index[variable]);
    }
  }

  int removeBusiest() {
    int top = heap.get(0);
    int last = heap.removeLast();
    index[top] = Polygraph.NONE;
    if (last != top) {
      heap.set(0, last);
      index[last] = 0;
      siftDown(0);
    }
    return top;
  }

  void bump(int variable) {
    activity[variable] += increment;
    if (activity[variable] > RESCALE) {
      for (int v = 0; v < variables; v++) {
        activity[v] /= RESCALE;
      }
      increment /= RESCALE;
    }
    if (index[variable] != Polygraph.NONE) {
      siftUp(index[variable]);
    }
  }

  void decay() {
    increment /= DECAY;
  }

  private void siftUp(int from) {
    int at = from;
    int variable = heap.get(at);
    while (at > 0 && activity[heap.get((at - 1) >> 1)] < activity[variable]) {
      move(heap.get((at - 1) >> 1), at);
      at = (at - 1) >> 1;
    }
    move(variable, at);
  }

  private void siftDown(int from) {
    int at = from;
    int variable = heap.get(at);
    while (2 * at + 1 < heap.size()) {
      int child = 2 * at + 1;
      if (child + 1 < heap.size() && activity[heap.get(child + 1)] > activity[heap.get(child)]) {
        child++;
      }
      if (activity[heap.get(child)] <= activity[variable]) {
        break;
      }
      move(heap.get(child), at);
      at = child;
    }
    move(variable, at);
  }

  private void move(int variable, int to) {
    heap.set(to, variable);
    index[variable] = to;
  }
}
