package dev.assay.cli;

/** The version of this build. */
final class Version {
  private Version() {}

  static String text() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
