package dev.assay.type;

/** The values of all keys of one type while transactions run one after another. */
public interface TypeStore {
  /** Applies a write; returns the action that takes it back. */
  Runnable write(int op);

  /** Whether a read, whose value is known, returned the current value. */
  boolean agrees(int read);
}
