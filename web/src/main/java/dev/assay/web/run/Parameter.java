package dev.assay.web.run;

import dev.assay.collect.Planted;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Application;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.collect.workload.WorkloadKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A parameter of a workload: under the name of its option, with the default of its field. Each may
 * be given as a list, and then every combination is a run.
 */
public enum Parameter {
  ISOLATION("Isolation", "", Of.DATABASES, Parameter::isolation),
  STORE("Simulated store", "serializable", Of.SYNTHETIC, Parameter::store),
  WORKLOAD("Workload", "mixed", Of.BOTH, Parameter::workload),
  SESSIONS("Sessions", "10", Of.BOTH, text -> whole(text, 1, 10_000)),
  TRANSACTIONS("Transactions per session", "", Of.BOTH, text -> whole(text, 1, 10_000_000)),
  OPERATIONS("Operations per transaction", "1-4", Of.BOTH, Parameter::range),
  KEYS("Keys", "10", Of.BOTH, text -> whole(text, 1, 100_000_000)),
  READS("Share of reads", "0.5", Of.BOTH, Parameter::share),
  DISTRIBUTION("Distribution", "uniform", Of.BOTH, Parameter::distribution),
  WRITES_PER_KEY("Writes per key", "", Of.BOTH, text -> whole(text, 1, Integer.MAX_VALUE)),
  ABORTS("Share of aborts", "0", Of.BOTH, Parameter::share),
  SEED("Seed", "0", Of.BOTH, Parameter::seed),
  PLANT("Planted anomaly", "", Of.SYNTHETIC, Parameter::planted),
  RETRIES("Retries", "0", Of.DATABASES, text -> whole(text, 0, 1_000_000));

  /** Which sources of histories have the parameter. */
  public enum Of {
    DATABASES,
    SYNTHETIC,
    BOTH
  }

  private static final Pattern WHOLE = Pattern.compile("\\d{1,10}");
  private static final Pattern DECIMAL = Pattern.compile("0|1|[01]?\\.\\d{1,6}");
  private static final int MOST_VALUES = 100;

  private final String title;
  private final String standard;
  private final Of of;

  /** Says what is wrong with one value, or null. */
  private final UnaryOperator<String> problem;

  Parameter(String title, String standard, Of of, UnaryOperator<String> problem) {
    this.title = title;
    this.standard = standard;
    this.of = of;
    this.problem = problem;
  }

  /** The name of the option and of the field. */
  public String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public String title() {
    return title;
  }

  /** The value of a field that nobody filled; empty to leave it to the command. */
  public String standard() {
    return standard;
  }

  /** Whether all commands have the same default, so that it need not be written. */
  boolean isStandardEverywhere() {
    return switch (this) {
      case READS, DISTRIBUTION, ABORTS, SEED, RETRIES -> true;
      default -> false;
    };
  }

  /** Whether a source of histories has this parameter. */
  public boolean isFor(boolean synthetic) {
    return of == Of.BOTH || (of == Of.SYNTHETIC) == synthetic;
  }

  /** The values in a field. */
  public static List<String> values(String field) {
    List<String> values = new ArrayList<>();
    for (String item : field.split(",")) {
      if (!item.isBlank()) {
        values.add(item.strip());
      }
    }
    return values;
  }

  /** What is wrong with a field, or null. */
  String problem(String field) {
    List<String> values = values(field);
    if (values.size() > MOST_VALUES) {
      return "more than " + MOST_VALUES + " values";
    }
    for (String value : values) {
      String wrong = problem.apply(value);
      if (wrong != null) {
        return wrong;
      }
    }
    return null;
  }

  private static String whole(String text, long least, long most) {
    boolean fits = WHOLE.matcher(text).matches();
    fits = fits && Long.parseLong(text) >= least && Long.parseLong(text) <= most;
    return fits ? null : "'" + text + "' is not a whole number from " + least + " to " + most;
  }

  private static String range(String text) {
    String[] bounds = text.split("-", 2);
    for (String bound : bounds) {
      if (whole(bound, 1, 10_000) != null) {
        return "'" + text + "' is not a number or a range such as 2-8";
      }
    }
    boolean ordered = bounds.length == 1 || Long.parseLong(bounds[0]) <= Long.parseLong(bounds[1]);
    return ordered ? null : "'" + text + "' is a range whose end is before its beginning";
  }

  private static String share(String text) {
    boolean fits = DECIMAL.matcher(text).matches() && Double.parseDouble(text) <= 1;
    return fits ? null : "'" + text + "' is not a number from 0 to 1";
  }

  private static String seed(String text) {
    return text.matches("-?\\d{1,18}") ? null : "'" + text + "' is not a number";
  }

  /** Only the form of it: which levels there are depends on the database. */
  private static String isolation(String text) {
    return text.matches("[a-z][a-z-]{0,40}") ? null : "'" + text + "' is not an isolation level";
  }

  private static String store(String text) {
    List<String> known = new ArrayList<>();
    for (StoreLevel level : StoreLevel.values()) {
      known.add(level.id());
    }
    return oneOf(known, text);
  }

  private static String planted(String text) {
    return oneOf(Planted.ids(), text);
  }

  private static String distribution(String text) {
    List<String> known = new ArrayList<>();
    for (Distribution distribution : Distribution.values()) {
      known.add(distribution.id());
    }
    return oneOf(known, text);
  }

  private static String workload(String text) {
    return oneOf(workloads(false), text);
  }

  /** The workloads there are. */
  public static List<String> workloads(boolean synthetic) {
    List<String> known = new ArrayList<>();
    for (WorkloadKind kind : synthetic ? WorkloadKind.simulated() : WorkloadKind.values()) {
      known.add(kind.id());
    }
    if (!synthetic) {
      known.add(PredicateWorkload.ID);
      for (Application application : Application.values()) {
        known.add(application.id());
      }
    }
    return known;
  }

  static String oneOf(Iterable<String> known, String text) {
    for (String one : known) {
      if (one.equals(text)) {
        return null;
      }
    }
    return "'" + text + "' is none of " + String.join(", ", known);
  }
}
