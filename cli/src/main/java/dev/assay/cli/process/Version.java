package dev.assay.cli.process;

/** The version of this build. */
public final class Version {
  private Version() {}

  public static String text() {
    String version = Version.class.getPackage().getImplementationVersion();
    return version == null ? "development" : version;
  }
}
