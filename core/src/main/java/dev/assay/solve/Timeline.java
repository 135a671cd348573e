package dev.assay.solve;

import dev.assay.graph.IntList;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

/**
 * Guesses when events happened from the expected distances of some of them, by least squares with
 * errors relative to the expected distance. That is a system of linear equations, solved by
 * conjugate gradients (Hestenes and Stiefel, 1952).
 */
final class Timeline {
  private static final int MAX_ITERATIONS = 1_000;
  private static final double PRECISION = 1e-8;

  private final int things;
  private final IntList from = new IntList(64);
  private final IntList to = new IntList(64);
  private double[] length = new double[64];

  Timeline(int things) {
    this.things = things;
  }

  /** Expects an event this long after another. */
  void expect(int first, int second, double later) {
    if (from.size() == length.length) {
      length = Arrays.copyOf(length, 2 * length.length);
    }
    length[from.size()] = later;
    from.add(first);
    to.add(second);
  }

  /**
   * The time of each event. Events that are not connected with the rest are around 0.
   *
   * @param expired once true, the iteration stops with the current estimate
   */
  double[] solve(BooleanSupplier expired) {
    int edges = from.size();
    double[] weight = new double[edges];
    double[] diagonal = new double[things];
    double[] residual = new double[things];
    for (int e = 0; e < edges; e++) {
      weight[e] = 1 / (length[e] * length[e]);
      diagonal[from.get(e)] += weight[e];
      diagonal[to.get(e)] += weight[e];
      residual[from.get(e)] -= weight[e] * length[e];
      residual[to.get(e)] += weight[e] * length[e];
    }
    double[] moment = new double[things];
    double[] scaled = new double[things];
    double[] direction = new double[things];
    double[] image = new double[things];
    double size = scale(residual, diagonal, scaled);
    System.arraycopy(scaled, 0, direction, 0, things);
    double enough = size * PRECISION;
    for (int i = 0; i < MAX_ITERATIONS && size > enough && !expired.getAsBoolean(); i++) {
      apply(weight, direction, image);
      double step = size / product(direction, image);
      for (int t = 0; t < things; t++) {
        moment[t] += step * direction[t];
        residual[t] -= step * image[t];
      }
      double next = scale(residual, diagonal, scaled);
      double share = next / size;
      size = next;
      for (int t = 0; t < things; t++) {
        direction[t] = scaled[t] + share * direction[t];
      }
    }
    return moment;
  }

  private void apply(double[] weight, double[] direction, double[] image) {
    Arrays.fill(image, 0);
    for (int e = 0; e < weight.length; e++) {
      double difference = weight[e] * (direction[to.get(e)] - direction[from.get(e)]);
      image[to.get(e)] += difference;
      image[from.get(e)] -= difference;
    }
  }

  /** Divides by the diagonal; the product of both. */
  private static double scale(double[] residual, double[] diagonal, double[] scaled) {
    for (int t = 0; t < scaled.length; t++) {
      scaled[t] = diagonal[t] > 0 ? residual[t] / diagonal[t] : 0;
    }
    return product(residual, scaled);
  }

  private static double product(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
