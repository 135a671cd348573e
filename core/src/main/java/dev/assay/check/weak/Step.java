package dev.assay.check.weak;

/** Labels of the edges of the graphs made for reports. */
final class Step {
  static final int SESSION = 0;
  static final int READ = 1;
  static final int VERSION = 2;
  static final int COMMIT = 3;

  private Step() {}
}
