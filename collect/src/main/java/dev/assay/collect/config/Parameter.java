package dev.assay.collect.config;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Something that a run can be asked for. {@link Parameters} has them all.
 *
 * @param <T> the type of its values
 */
public final class Parameter<T> {
  /** What a parameter is about. */
  public enum Group {
    /** Which database, store or file. */
    TARGET,
    /** What clients do; may vary within a sweep. */
    WORKLOAD,
    /** How a workload is run on a database. */
    RECORDING,
    /** What becomes of a run that is judged while it goes on. */
    LIVE,
    /** What to decide, and by which means. */
    CHECK,
    /** What Assay itself notes about a run. */
    RECORD
  }

  private static final int MOST_VALUES = 100;

  private final String id;
  private final Group group;
  private final ValueType<T> type;
  private final Set<Source> sources = EnumSet.allOf(Source.class);
  private final Map<Use, String> standard = new EnumMap<>(Use.class);
  private final Map<Use, Supplier<List<String>>> choices = new EnumMap<>(Use.class);
  private final Map<Use, String> otherwise = new EnumMap<>(Use.class);
  private String title = "";
  private String hint = "";
  private String label = "";
  private String help = "";
  private String shortName;

  Parameter(String id, Group group, ValueType<T> type) {
    this.id = id;
    this.group = group;
    this.type = type;
  }

  // ---- the columns of the table

  Parameter<T> of(Set<Source> those) {
    sources.retainAll(those);
    return this;
  }

  /** The label of the form field, and a hint beside it. */
  Parameter<T> field(String newTitle, String newHint) {
    title = newTitle;
    hint = newHint;
    return this;
  }

  /** The placeholder for the value, and what the option means; "…" is replaced by the choices. */
  Parameter<T> option(String newLabel, String newHelp) {
    label = newLabel;
    help = newHelp;
    return this;
  }

  Parameter<T> shortName(String name) {
    shortName = name;
    return this;
  }

  /** The same default everywhere. */
  Parameter<T> standard(String value) {
    return standard(value, value, value);
  }

  Parameter<T> standard(String run, String generate, String bench) {
    standard(Use.RUN, run);
    standard(Use.GENERATE, generate);
    return standard(Use.BENCH, bench);
  }

  private Parameter<T> standard(Use use, String value) {
    if (value != null) {
      standard.put(use, value);
    }
    return this;
  }

  /** What happens without a value, for parameters without a default. */
  Parameter<T> otherwise(Use use, String what) {
    otherwise.put(use, what);
    return this;
  }

  /** Narrows the choices for one use. */
  Parameter<T> choices(Use use, Supplier<List<String>> names) {
    choices.put(use, names);
    return this;
  }

  // ---- reading the table

  /** The name of the option, the form field and the field in files. */
  public String id() {
    return id;
  }

  public Group group() {
    return group;
  }

  /** The label of the form field. */
  public String title() {
    return title;
  }

  /** The names of the option, the short one first. */
  public String[] optionNames() {
    return shortName == null ? new String[] {"--" + id} : new String[] {"-" + shortName, "--" + id};
  }

  /** The placeholder for the value of the option; empty for an option without a value. */
  public String label(boolean list) {
    if (!list || isFlag()) {
      return label;
    }
    return label + (label.length() == 1 ? "[," + label + "...]" : "[,...]");
  }

  /** Whether commands have it as an option. */
  public boolean isOption() {
    return !help.isEmpty();
  }

  /** Whether the option has no value. */
  public boolean isFlag() {
    return isOption() && label.isEmpty();
  }

  /** Whether the web form has it. */
  public boolean isField() {
    return !title.isEmpty() || sources.equals(Set.of(Source.UPLOAD));
  }

  public boolean isFor(Source source) {
    return sources.contains(source);
  }

  public Set<Source> sources() {
    return EnumSet.copyOf(sources);
  }

  /** The default, or null. */
  public String standard(Use use) {
    return standard.get(use);
  }

  /** The default for people, or what happens without a value; null where there is neither. */
  public String described(Use use) {
    return standard.getOrDefault(use, otherwise.get(use));
  }

  /** Whether commands share the default, so that it need not be written on a command line. */
  public boolean hasOneDefault() {
    String run = standard.get(Use.RUN);
    return run != null && (run.equals(standard.get(Use.GENERATE)) || !isFor(Source.SYNTHETIC));
  }

  /** The names to choose from; empty if values are not names. */
  public List<String> choices(Use use) {
    return choices.containsKey(use) ? choices.get(use).get() : type.choices();
  }

  /** The hint beside the form field. */
  public String hint() {
    String names = String.join(", ", choices(Use.RUN));
    return hint.isEmpty() ? names : hint.replace("…", names);
  }

  /** The help of the option, with its default; a line for each line. */
  public String[] help(Use use) {
    String standard = described(use);
    String text = help.replace("…", listed(choices(use)));
    boolean lines = text.contains("\n");
    String added = standard == null ? "" : " (default: " + standard + ")";
    text = lines ? text.replaceFirst("\n", (added + ":\n").replace("$", "\\$")) : text + added;
    return (text + ".").split("\n");
  }

  private static String listed(List<String> names) {
    if (names.size() < 2) {
      return String.join("", names);
    }
    int last = names.size() - 1;
    return String.join(", ", names.subList(0, last)) + " or " + names.get(last);
  }

  // ---- values

  /** The value of a field of a file. */
  T read(Object json, Use use) {
    if (json instanceof String text && choices.containsKey(use)) {
      return type.parse(Names.known(id, text, choices(use)));
    }
    return type.read(json);
  }

  /** The value of a text; {@link UsageException} names the option and what is wrong. */
  public T parse(String text, Use use) {
    String problem = problem(text, use);
    if (problem != null) {
      throw new UsageException("--" + id + ": " + problem);
    }
    return read(text, use);
  }

  /** What is wrong with a text, or null. */
  public String problem(String text, Use use) {
    try {
      read(text, use);
      return null;
    } catch (UsageException | IllegalArgumentException e) {
      return e.getMessage();
    }
  }

  /** What is wrong with a list of values, or null. */
  public String problemOfList(List<String> values, Use use) {
    if (values.size() > MOST_VALUES) {
      return "more than " + MOST_VALUES + " values";
    }
    return values.stream()
        .map(value -> problem(value, use))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  @Override
  public String toString() {
    return id;
  }
}
