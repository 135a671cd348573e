package dev.assay.check;

import dev.assay.level.AnomalyType;
import java.util.List;
import java.util.Locale;

/** The answer for one level. There are no probabilistic answers and no guesses. */
public sealed interface Verdict {
  /** What the answer rests on, in one clause. */
  String why();

  /** {@code holds}, {@code violated} or {@code unknown}. */
  String id();

  /** The history satisfies the level under some choice of everything that was not observed. */
  record Holds(String why) implements Verdict {
    @Override
    public String id() {
      return "holds";
    }
  }

  /** The history contains something the level forbids; the report's anomalies show it. */
  record Violated(List<AnomalyType> anomalies, String why) implements Verdict {
    public Violated {
      anomalies = List.copyOf(anomalies);
    }

    @Override
    public String id() {
      return "violated";
    }
  }

  /** Not decided, and the reason. */
  record Unknown(Reason reason, String why) implements Verdict {
    public static final Unknown TIMEOUT =
        new Unknown(Reason.TIMEOUT, Budget.RAN_OUT + "; see --timeout");
    public static final Unknown OUT_OF_MEMORY =
        new Unknown(Reason.MEMORY, "out of memory; give more with ASSAY_JAVA_OPTS=-Xmx16g");

    /** Whether more time or memory could have decided it. */
    public boolean isForLack() {
      return reason == Reason.TIMEOUT || reason == Reason.MEMORY;
    }

    @Override
    public String id() {
      return "unknown";
    }
  }

  /** Why a level could not be decided. */
  enum Reason {
    TIMEOUT,
    MEMORY,
    /** The history has no times. */
    NO_REALTIME,
    /** Values were written more than once, and not every choice of writers could be decided. */
    AMBIGUOUS,
    /** No checker of this version decides the level for such a history. */
    UNSUPPORTED;

    public String id() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }
}
