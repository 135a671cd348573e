package dev.assay.cli;

import java.time.Duration;

/** Durations as people write them: {@code 500ms}, {@code 60s}, {@code 10m}, {@code 1h}. */
final class Durations {
  private Durations() {}

  static Duration parse(String text) {
    int digits = 0;
    while (digits < text.length() && Character.isDigit(text.charAt(digits))) {
      digits++;
    }
    if (digits == 0 || digits > 9) {
      throw wrong(text);
    }
    long number = Long.parseLong(text.substring(0, digits));
    Duration duration =
        switch (text.substring(digits)) {
          case "ms" -> Duration.ofMillis(number);
          case "s", "" -> Duration.ofSeconds(number);
          case "m", "min" -> Duration.ofMinutes(number);
          case "h" -> Duration.ofHours(number);
          default -> throw wrong(text);
        };
    if (duration.isZero()) {
      throw new UsageException("'" + text + "' leaves no time at all; write 500ms, 60s, 10m or 1h");
    }
    // Budgets count in nanoseconds, which end after 292 years.
    if (duration.compareTo(Duration.ofDays(3650)) > 0) {
      throw new UsageException("'" + text + "' is longer than ten years");
    }
    return duration;
  }

  private static UsageException wrong(String text) {
    return new UsageException("'" + text + "' is not a duration; write 500ms, 60s, 10m or 1h");
  }
}
