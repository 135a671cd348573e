package dev.assay.oracle;

/** A relation on a few transactions: row a holds the bits of all b with a related to b. */
final class Relation {
  private final long[] rows;

  Relation(int size) {
    rows = new long[size];
  }

  int size() {
    return rows.length;
  }

  void add(int a, int b) {
    rows[a] |= 1L << b;
  }

  boolean has(int a, int b) {
    return (rows[a] >>> b & 1) != 0;
  }

  Relation or(Relation other) {
    Relation result = new Relation(rows.length);
    for (int a = 0; a < rows.length; a++) {
      result.rows[a] = rows[a] | other.rows[a];
    }
    return result;
  }

  /** All (a, c) with a related to some b here and b to c there. */
  Relation then(Relation other) {
    Relation result = new Relation(rows.length);
    for (int a = 0; a < rows.length; a++) {
      for (int b = 0; b < rows.length; b++) {
        if (has(a, b)) {
          result.rows[a] |= other.rows[b];
        }
      }
    }
    return result;
  }

  /** The transitive closure. */
  Relation plus() {
    Relation result = or(new Relation(rows.length));
    for (int b = 0; b < rows.length; b++) {
      for (int a = 0; a < rows.length; a++) {
        if (result.has(a, b)) {
          result.rows[a] |= result.rows[b];
        }
      }
    }
    return result;
  }

  boolean isIrreflexive() {
    for (int a = 0; a < rows.length; a++) {
      if (has(a, a)) {
        return false;
      }
    }
    return true;
  }

  boolean isAcyclic() {
    return plus().isIrreflexive();
  }

  /** Whether an order, given as the place of each transaction, has every pair of this relation. */
  boolean isWithin(int[] place) {
    for (int a = 0; a < rows.length; a++) {
      for (int b = 0; b < rows.length; b++) {
        if (has(a, b) && place[a] >= place[b]) {
          return false;
        }
      }
    }
    return true;
  }
}
