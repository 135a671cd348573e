package dev.assay.check.adya;

/** The kinds of cycles in Adya's graph, by the dependencies they use; worst first. */
enum CycleKind {
  /** Only ww. */
  G0(AdyaGraph.WW),
  /** Also wr. */
  G1C(AdyaGraph.WW | AdyaGraph.WR),
  /** Exactly one rw. */
  SINGLE(G1C.kinds | AdyaGraph.RW),
  /** Two or more rw, no two adjacent. */
  NONADJACENT(G1C.kinds | AdyaGraph.RW),
  /** Two or more rw, some adjacent. */
  G2(G1C.kinds | AdyaGraph.RW);

  private final int kinds;

  CycleKind(int kinds) {
    this.kinds = kinds;
  }

  /** The kinds of dependencies it may use. */
  int kinds() {
    return kinds;
  }

  /** What the edges of a cycle, in order and given as kinds, make it. */
  static CycleKind of(int[] cycle) {
    int antiDependencies = 0;
    boolean adjacent = false;
    boolean reads = false;
    for (int i = 0; i < cycle.length; i++) {
      boolean anti = cycle[i] == AdyaGraph.RW;
      antiDependencies += anti ? 1 : 0;
      adjacent |= anti && cycle[(i + 1) % cycle.length] == AdyaGraph.RW;
      reads |= cycle[i] == AdyaGraph.WR;
    }
    if (antiDependencies == 0) {
      return reads ? G1C : G0;
    }
    if (antiDependencies == 1) {
      return SINGLE;
    }
    return adjacent ? G2 : NONADJACENT;
  }
}
