package dev.assay.history;

import java.util.List;

/**
 * Hash codes of scalars for one run of the program. They differ from run to run, so that no file
 * can be made of scalars that all collide.
 */
final class ScalarHash {
  private static final long SEED = System.nanoTime() * 0x9E3779B97F4A7C15L;
  private static final long FACTOR = 0xD6E8FEB86659FD93L;

  private ScalarHash() {}

  static int of(Object scalar) {
    if (scalar instanceof String text) {
      return of(text);
    }
    if (scalar instanceof IntegerVector vector) {
      return vector.scalarHash();
    }
    if (scalar instanceof Double number) {
      return folded(mixed(SEED, Double.doubleToLongBits(number)));
    }
    if (scalar instanceof Number number) {
      // The text identifies all others.
      return of(number.toString());
    }
    if (scalar instanceof List<?> list) {
      long hash = SEED;
      for (Object element : list) {
        hash = mixed(hash, element == null ? 0 : of(element));
      }
      return folded(hash);
    }
    if (scalar instanceof OtherThan other) {
      return folded(mixed(SEED, other.value() == null ? 0 : of(other.value())));
    }
    if (scalar instanceof Versioned versioned) {
      Object value = versioned.value();
      return folded(mixed(mixed(SEED, value == null ? 0 : of(value)), versioned.version()));
    }
    return scalar instanceof Keyword keyword ? ~of(keyword.name()) : scalar.hashCode();
  }

  private static int of(String text) {
    long hash = SEED;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FACTOR;
      hash ^= hash >>> 32;
    }
    return folded(hash);
  }

  static int of(long[] integers, int size) {
    long hash = SEED;
    for (int i = 0; i < size; i++) {
      hash = mixed(hash, integers[i]);
    }
    return folded(hash);
  }

  private static long mixed(long hash, long next) {
    long product = (hash ^ next) * FACTOR;
    return product ^ (product >>> 32);
  }

  private static int folded(long hash) {
    return (int) (hash ^ (hash >>> 32));
  }
}
