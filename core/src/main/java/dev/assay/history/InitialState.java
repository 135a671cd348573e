package dev.assay.history;

import java.util.Arrays;

/**
 * The initial values that a history under construction declares: one for all registers, and others
 * for some keys. Values of other types begin empty or at 0, whatever is declared for all.
 */
final class InitialState {
  private long ofAll = RawScalars.NIL;
  private final LongIndex keys = new LongIndex();
  private long[] values = new long[8];

  /** A history whose declared values hold here too, for keys of the same name; null for none. */
  private History like;

  void ofAll(long rawValue) {
    ofAll = rawValue;
  }

  void of(long rawKey, long rawValue) {
    int index = keys.indexOf(rawKey);
    if (index >= values.length) {
      values = Arrays.copyOf(values, Math.multiplyExact(values.length, 2));
    }
    values[index] = rawValue;
  }

  void like(History other) {
    like = other;
    ofAll = other.zeroIsInitial() ? 0 : RawScalars.NIL;
  }

  /** Fills in the columns of a history whose operations are known. */
  void settle(Columns columns, Keys names, RawScalars scalars, Values codes) {
    columns.zeroIsInitial = ofAll == 0;
    boolean declaresAll = ofAll != 0 && ofAll != RawScalars.NIL;
    columns.initialOfAll = declaresAll ? codes.code(ofAll) : Values.UNKNOWN;
    boolean copies = like != null && like.columns.initial != null;
    if (!declaresAll && keys.size() == 0 && !copies) {
      return;
    }
    int[] initial = new int[names.count()];
    Arrays.fill(initial, Values.UNKNOWN);
    if (copies) {
      copy(initial, names, scalars, codes);
    }
    for (int i = 0; i < keys.size(); i++) {
      int key = names.find(keys.get(i));
      if (key >= 0) {
        boolean asOthers = !declaresAll && values[i] == ofAll;
        initial[key] = asOthers ? Values.UNKNOWN : codes.code(values[i]);
      } else {
        requireNoOtherType(scalars.get(keys.get(i)), names);
      }
    }
    columns.initial = initial;
    new Use(columns, names, codes).settle(declaresAll);
    if (Arrays.stream(initial).allMatch(value -> value == Values.UNKNOWN)) {
      columns.initial = null;
    }
  }

  private void copy(int[] initial, Keys names, RawScalars scalars, Values codes) {
    for (int key = 0; key < initial.length; key++) {
      int there = like.keys.find(names.get(key));
      int value = there < 0 ? Values.UNKNOWN : like.columns.initial[there];
      if (value != Values.UNKNOWN) {
        initial[key] = codes.code(scalars.of(like.values.get(value)));
      }
    }
  }

  /**
   * Rejects the wrong type of key: JSON field names are strings, so that "1" is easily written for
   * 1.
   */
  private static void requireNoOtherType(Object name, Keys names) {
    if (name instanceof String text && text.matches("-?[0-9]{1,18}")) {
      if (names.find((Object) Long.valueOf(text)) >= 0) {
        throw new InvalidHistoryException(
            "the initial state is of the key \"" + text + "\", a text, which nothing accesses",
            "the integer " + text + ", as in \"initial\":[[" + text + ",100]]");
      }
    }
  }

  /** Checks that declared values suit the operations on their keys. */
  private static final class Use {
    private final Columns columns;
    private final Keys names;
    private final Values codes;
    private final int[] initial;

    Use(Columns columns, Keys names, Values codes) {
      this.columns = columns;
      this.names = names;
      this.codes = codes;
      this.initial = columns.initial;
    }

    void settle(boolean declaresAll) {
      for (int op = 0; op < columns.kind.length; op++) {
        int key = columns.key[op];
        OpKind.Type type = OpKind.of(columns.kind[op]).type();
        switch (type) {
          case PREDICATE ->
              throw new InvalidHistoryException(
                  "it declares an initial state and has predicate operations",
                  "rows that a transaction of the history inserts");
          case REGISTER -> {
            if (declaresAll && initial[key] == Values.UNKNOWN) {
              initial[key] = columns.initialOfAll;
            }
          }
          default -> require(key, type, declaresAll);
        }
      }
    }

    /** Other types begin empty, or at 0, and cannot begin with anything else. */
    private void require(int key, OpKind.Type type, boolean declaresAll) {
      int value = initial[key];
      if (value == Values.UNKNOWN && declaresAll && type.isNumber()) {
        value = columns.initialOfAll;
      }
      boolean possible =
          value == Values.UNKNOWN || value == Values.NIL || (value == 0 && type.isNumber());
      if (!possible) {
        throw new InvalidHistoryException(
            "the initial value of %s is %s, and %s is a %s"
                .formatted(names.text(key), codes.text(value), names.text(key), type.noun()),
            type.isNumber()
                ? "0: %ss begin there".formatted(type.noun())
                : "null: %ss begin empty".formatted(type.noun()));
      }
    }
  }
}
