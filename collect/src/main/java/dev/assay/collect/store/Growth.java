package dev.assay.collect.store;

/** How arrays grow. */
final class Growth {
  private Growth() {}

  static int of(int size) {
    return Math.addExact(size, Math.max(size >>> 1, 16));
  }
}
