package dev.assay.render;

import dev.assay.check.LostWrites;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import dev.assay.history.RecordedFault;
import dev.assay.history.RunActivity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What people want to know first of a run with faults: what was lost, and how the store fared. */
public final class RunNews {
  /** A promotion may end this long after the last write that it loses. */
  private static final long NEAR_NANOS = 5_000_000_000L;

  private final RunActivity activity;
  private final LostWrites.Lost lost;
  private final List<RecordedFault> faults;

  private RunNews(RunActivity activity, LostWrites.Lost lost, List<RecordedFault> faults) {
    this.activity = activity;
    this.lost = lost;
    this.faults = faults;
  }

  public static RunNews of(CheckResult result) {
    return new RunNews(result.activity(), result.lost(), RecordedFault.of(result.history()));
  }

  public RunActivity activity() {
    return activity;
  }

  public List<RecordedFault> faults() {
    return faults;
  }

  LostWrites.Lost lost() {
    return lost;
  }

  /** How many writes were lost, when, and at which fault; empty if none was. */
  public String lostWrites() {
    if (lost == null) {
      return "";
    }
    boolean one = lost.count() == 1;
    String text =
        Plain.count(lost.count(), "acknowledged write") + (one ? " was lost" : " were lost");
    if (activity == null || activity.isEmpty() || lost.first() == History.ABSENT) {
      return text + ".";
    }
    String first = seconds(lost.first());
    String last = seconds(lost.last());
    text +=
        first.equals(last) ? ", at " + first : ", acknowledged between " + first + " and " + last;
    return text + cause() + ".";
  }

  /** The fault that writes were lost at: a promotion if there was one, else the last to overlap. */
  private String cause() {
    String cause = "";
    int promotions = 0;
    boolean promoted = false;
    for (RecordedFault fault : faults) {
      promotions += fault.isFailover() ? 1 : 0;
      boolean before = fault.begin() <= lost.last() + (fault.isFailover() ? NEAR_NANOS : 0);
      boolean after = fault.end() == History.ABSENT || fault.end() >= lost.first();
      if (fault.isFailover() && before && fault.begin() >= lost.first()) {
        cause = ", at the promotion of replica " + promotions;
        promoted = true;
      } else if (before && after && !promoted) {
        cause = ", during the " + Wording.oneLine(fault.what());
      }
    }
    return cause;
  }

  /** One line for each fault: when it was, and whether transactions committed meanwhile. */
  public List<String> availability() {
    List<String> lines = new ArrayList<>();
    for (RecordedFault fault : faults) {
      RunActivity.Availability fared = activity == null ? null : activity.during(fault, faults);
      if (fared != null) {
        lines.add(line(fault, fared));
      }
    }
    return lines;
  }

  private String line(RecordedFault fault, RunActivity.Availability fared) {
    String until = fault.end() == History.ABSENT ? " on" : " to " + seconds(fault.end());
    String text =
        "%s, %s%s: available %s of the time, %s committed a second"
            .formatted(
                Wording.oneLine(fault.what()),
                (fault.end() == History.ABSENT ? "from " : "") + seconds(fault.begin()),
                until,
                percent(fared.available()),
                Plain.number(Math.round(fared.perSecond())));
    if (!Double.isNaN(fared.perSecondElsewhere())) {
      text +=
          " (%s without faults)".formatted(Plain.number(Math.round(fared.perSecondElsewhere())));
    }
    return text;
  }

  static String percent(double share) {
    return Math.round(100 * share) + " %";
  }

  private String seconds(long nanos) {
    return String.format(Locale.ROOT, "%.1f s", Math.max(0, activity.seconds(nanos)));
  }
}
