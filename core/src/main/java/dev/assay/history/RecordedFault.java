package dev.assay.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A fault that was injected while a history was recorded. In a history these are metadata: {@code
 * fault.1} is {@code partition of replica 1 at 5000000000 ns}, and {@code fault.1.end} says the
 * same with {@code until}.
 *
 * @param what the kind and the node, such as {@code partition of replica 1}
 * @param begin by the clock of the recording, in nanoseconds
 * @param end the same; {@link History#ABSENT} for one that does not end
 */
public record RecordedFault(String what, long begin, long end) {
  /** What names of metadata on faults begin with. */
  public static final String PREFIX = "fault.";

  private static final String END = ".end";
  private static final Pattern BEGIN = Pattern.compile("(?s)(.{1,80}) at (\\d{1,18}) ns");
  private static final Pattern UNTIL = Pattern.compile("(?s).{1,80} until (\\d{1,18}) ns");
  private static final String FAILOVER = "failover of ";

  /** The faults in the metadata of a history, in the order of time. */
  public static List<RecordedFault> of(History history) {
    List<RecordedFault> faults = new ArrayList<>();
    for (Map.Entry<String, String> entry : history.metadata().entrySet()) {
      Matcher begin = BEGIN.matcher(entry.getValue());
      if (entry.getKey().startsWith(PREFIX) && begin.matches()) {
        String last = history.metadata().getOrDefault(entry.getKey() + END, "");
        Matcher until = UNTIL.matcher(last);
        long end = until.matches() ? Long.parseLong(until.group(1)) : History.ABSENT;
        faults.add(new RecordedFault(begin.group(1), Long.parseLong(begin.group(2)), end));
      }
    }
    faults.sort(Comparator.comparingLong(RecordedFault::begin));
    return faults;
  }

  /** Whether a replica took the place of the primary, which is gone for good. */
  public boolean isFailover() {
    return what.startsWith(FAILOVER);
  }
}
