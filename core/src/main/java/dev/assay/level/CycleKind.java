package dev.assay.level;

/** The kinds of cycles in Adya's graph, by the dependencies they use; worst first. */
public enum CycleKind {
  /** Only ww. */
  G0(EdgeKind.WW.bit()),
  /** Also wr. */
  G1C(G0.dependencies | EdgeKind.WR.bit()),
  /** Exactly one rw. */
  SINGLE(G1C.dependencies | EdgeKind.RW.bit()),
  /** Two or more rw, no two adjacent. */
  NONADJACENT(SINGLE.dependencies),
  /** Two or more rw, some adjacent. */
  G2(SINGLE.dependencies);

  private final int dependencies;

  CycleKind(int dependencies) {
    this.dependencies = dependencies;
  }

  /** The set of kinds of dependencies it may use. */
  public int dependencies() {
    return dependencies;
  }
}
