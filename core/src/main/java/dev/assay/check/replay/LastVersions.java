package dev.assay.check.replay;

/** The last versions before a cut of a window, which are carried over it. */
public interface LastVersions {
  /** For each register the write of its last version before a cut, or −1. */
  int[] lastVersions(int cut);

  /** The writes of a list or set before a cut, in the order in which its elements are. */
  int[] elements(int key, int cut);
}
