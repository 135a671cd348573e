package dev.assay.resolve;

import dev.assay.history.VersionCertificate;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the user gives in addition to a history.
 *
 * @param assumptions what is assumed about each key; {@link Assumption#INITIAL} is always among
 *     them
 * @param certificate version orders recovered from the database, {@link VersionCertificate#NONE}
 *     where there are none
 */
public record Given(Set<Assumption> assumptions, VersionCertificate certificate) {
  /** Nothing but the assumption that holds in every system. */
  public static final Given NOTHING = new Given(Assumption.DEFAULT, VersionCertificate.NONE);

  public Given {
    Set<Assumption> copy = EnumSet.of(Assumption.INITIAL);
    copy.addAll(assumptions);
    assumptions = Collections.unmodifiableSet(copy);
  }

  /** Whether this adds nothing to the history. */
  public boolean isNothing() {
    return certificate == VersionCertificate.NONE && assumptions.equals(NOTHING.assumptions);
  }

  public boolean assumes(Assumption assumption) {
    return assumptions.contains(assumption);
  }

  /** What is given, as the beginning of a sentence. */
  public String text() {
    String assumed =
        assumptions.stream()
            .filter(assumption -> !Assumption.DEFAULT.contains(assumption))
            .map(Assumption::id)
            .collect(Collectors.joining(", "));
    String certified = certificate.isEmpty() ? "" : "with the version certificate";
    String assuming = assumed.isEmpty() ? "" : "assuming " + assumed;
    return certified.isEmpty() || assuming.isEmpty()
        ? certified + assuming
        : certified + " and " + assuming;
  }

  /**
   * What an order from some source rests on besides the history, as a clause; empty for nothing.
   */
  public String clause(Reason.Source source) {
    String certified = ("the certificate " + certificate.name()).strip();
    return switch (source) {
      case INITIAL, TRACE -> "";
      case READ_MODIFY_WRITE -> "because it had read that version";
      case VERSION_NUMBER -> "because the version numbers say so";
      case CERTIFICATE -> "because " + certified + " says so";
      case TRANSACTION_ORDER ->
          certificate.order().length > 0
              ? "because the serialization order in " + certified + " says so"
              : assuming(Assumption.TRANSACTION_ORDER);
      case WRITES_FOLLOW_READS -> assuming(Assumption.WRITES_FOLLOW_READS);
      case SEQUENTIAL_KEYS -> assuming(Assumption.SEQUENTIAL_KEYS);
      case LINEARIZABLE_KEYS -> assuming(Assumption.LINEARIZABLE_KEYS);
      case TIMESTAMPS -> assuming(Assumption.TIMESTAMPS);
    };
  }

  private static String assuming(Assumption assumption) {
    return "assuming that " + assumption.meaning();
  }
}
