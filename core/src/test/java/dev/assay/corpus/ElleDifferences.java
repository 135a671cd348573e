package dev.assay.corpus;

import java.util.Optional;
import java.util.Set;

/** Where Elle claims what levels.md does not let us say, with the reason. */
enum ElleDifferences {
  FUTURE_READ_IS_NO_MATTER_OF_PL_2(
      "Elle counts future-read among what PL-2 forbids; levels.md has adya-read-committed forbid"
          + " thin-air, aborted and intermediate reads and dirty updates, and only read-committed"
          + " and monotonic-atomic-view also future reads",
      Set.of("internal-cases-test / future read internal"),
      Set.of(
          "not adya-read-committed",
          "not strong-session-adya-read-committed",
          "not strong-adya-read-committed"));

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
