package dev.assay.corpus;

import java.util.Optional;
import java.util.Set;

/** Where Elle claims what levels.md does not let us say, with the reason. */
enum ElleDifferences {
  A_VALUE_NOBODY_WROTE_IS_NO_VERSION(
      "Elle gives values that nobody wrote a place in the version order; levels.md calls a read of"
          + " one a thin-air read, which condemns adya-read-committed and up, and has no version",
      Set.of("scc-sort-bug-test", "lost-update-test", "checker-test / wfr"),
      Set.of(
          "not read-uncommitted",
          "not strong-session-read-uncommitted",
          "not strong-read-uncommitted",
          "cyclic-versions",
          "lost-update",
          "G-single-item",
          "G1c-process",
          "G1c-realtime",
          "G2-item")),
  A_REPEATED_ELEMENT_TELLS_NO_VERSION(
      "a read that shows an element twice is a duplicate-write, which condemns every level; which"
          + " version it saw nobody can tell",
      Set.of("checker-test / duplicated elements"),
      Set.of("G-single-item"));

  private final String reason;
  private final Set<String> names;
  private final Set<String> claims;

  ElleDifferences(String reason, Set<String> names, Set<String> claims) {
    this.reason = reason;
    this.names = names;
    this.claims = claims;
  }

  static Optional<ElleDifferences> find(ElleCase one, String claim) {
    for (ElleDifferences difference : values()) {
      if (difference.names.contains(one.name()) && difference.claims.contains(claim)) {
        return Optional.of(difference);
      }
    }
    return Optional.empty();
  }

  @Override
  public String toString() {
    return name() + ": " + reason;
  }
}
