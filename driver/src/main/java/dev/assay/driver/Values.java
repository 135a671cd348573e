package dev.assay.driver;

import java.util.Arrays;

/** The parameters of a statement as they were set. */
final class Values implements Condition.Parameters {
  private Object[] all = new Object[0];

  void set(String method, Object[] arguments) {
    if (!(arguments[0] instanceof Integer index) || index < 1) {
      return;
    }
    if (index >= all.length) {
      all = Arrays.copyOf(all, index + 8);
    }
    all[index] = method.equals("setNull") ? null : arguments[1];
  }

  void clear() {
    all = new Object[0];
  }

  Values copy() {
    Values copy = new Values();
    copy.all = all.clone();
    return copy;
  }

  @Override
  public Object get(int index) {
    return index < all.length ? all[index] : UNKNOWN;
  }
}
