package dev.assay.check.linear;

import dev.assay.history.OpKind;

/** What a key holds after some of its parts have taken effect, one after the other. */
interface KeyState {
  /** The state before all parts. */
  static KeyState of(KeyParts parts) {
    OpKind.Type type = parts.history.kind(parts.ops[0]).type();
    return switch (type) {
      case REGISTER -> new RegisterState(parts);
      case LIST -> new ListState(parts);
      case SET -> new SetState(parts);
      case COUNTER -> new CounterState(parts);
      case PREDICATE -> throw new IllegalArgumentException("predicates are not on one key");
    };
  }

  /** Whether the results of all that must take effect fit together, as far as seen at once. */
  boolean isPossible();

  /** Lets a part take effect; false, without any effect, where that does not give its results. */
  boolean apply(int part);

  /**
   * Takes back the part that took effect last.
   *
   * @param before the {@link #code} before it did
   */
  void undo(int part, int before);

  /** What tells apart two states after the same parts. */
  int code();

  /** Whether the effect of a part can be gone without a trace once another one has followed. */
  boolean overwrites();

  /** Whether an optional part can be needed for the result of another part. */
  boolean canHelp(int part);
}
