package dev.assay.web.run;

import dev.assay.collect.certificate.WhiteBox;
import dev.assay.collect.db.Database;
import dev.assay.collect.db.Databases;
import dev.assay.collect.record.FaultPlan;
import dev.assay.collect.workload.PredicateShares;
import dev.assay.collect.workload.PredicateWorkload;
import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.infer.Assumption;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What somebody asks for on the configuration page: the fields of the form, checked one by one, and
 * the runs that they come to. No value reaches a command line that did not pass a check here.
 */
public final class RunRequest {
  public static final String DATABASE = "database";
  public static final String JDBC = "jdbc";
  public static final String SYNTHETIC = "synthetic";
  public static final String UPLOAD = "upload";

  /** The methods that may be asked for beside those of the plug-in folder. */
  public static final List<String> OUR_CHECKERS =
      List.of("assay", "weak-levels", "known-orders", "strong-levels");

  /** The value of a box that is ticked. */
  public static final String YES = "yes";

  /** What may be assumed beyond what always is. */
  public static final List<String> ASSUMPTIONS =
      Stream.of(Assumption.values())
          .filter(one -> !Assumption.DEFAULT.contains(one))
          .map(Assumption::id)
          .toList();

  /** The ways to write. */
  public static final List<String> WRITES = List.of("upsert", "update");

  /** The formats of histories that may be sent. */
  public static final List<String> FORMATS = Formats.all().stream().map(HistoryFormat::id).toList();

  static final int MOST_RUNS = 500;

  /** Options that take no value. */
  static final List<String> FLAGS = List.of("for-update", "white-box");

  /** Options of all commands that check, in the order of their help. */
  static final List<String> JUDGING =
      List.of("level", "expect", "infer", "max-witnesses", "anomaly", "threads", "timeout");

  /** Options of {@code run} that are the same in all runs, in the order of its help. */
  static final List<String> WAYS =
      List.of("duration", "shares", "writes", "for-update", "white-box");

  private static final Pattern VERSION = Pattern.compile("\\d[0-9A-Za-z.-]{0,29}");
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.@-]{0,63}");
  private static final Pattern TIME = Pattern.compile("([1-9]\\d{0,5})(ms|s|m|h)");
  private static final Pattern MEMORY = Pattern.compile("[1-9]\\d{0,4}[mg]");
  private static final Pattern COUNT = Pattern.compile("[1-9]\\d{0,2}");
  private static final Pattern NOTE = Pattern.compile("[^\\p{Cntrl}]{0,100}");

  private final Map<String, String> fields;
  private final Map<String, String> problems = new LinkedHashMap<>();
  private final Collection<String> plugins;
  private final List<Map<String, String>> runs = new ArrayList<>();

  private RunRequest(Map<String, String> fields, Collection<String> plugins) {
    this.fields = fields;
    this.plugins = plugins;
  }

  /**
   * Looks at a form.
   *
   * @param form its fields; those that nobody knows are ignored
   * @param plugins the names of the checkers in the plug-in folder
   */
  public static RunRequest of(Map<String, String> form, Collection<String> plugins) {
    RunRequest request = new RunRequest(Map.copyOf(form), plugins);
    request.check();
    if (request.problems.isEmpty()) {
      request.combine();
    }
    return request;
  }

  /** What is wrong, by the name of the field; empty where nothing is. */
  public Map<String, String> problems() {
    return problems;
  }

  /** The configuration of each run, what does not vary first. */
  public List<Map<String, String>> runs() {
    return runs;
  }

  /** The names of the parameters that have more than one value. */
  public List<String> varied() {
    List<String> varied = new ArrayList<>();
    for (Parameter parameter : parameters()) {
      if (values(parameter).size() > 1) {
        varied.add(parameter.id());
      }
    }
    return varied;
  }

  String field(String name) {
    return fields.getOrDefault(name, "").strip();
  }

  String source() {
    return field("source").isEmpty() ? DATABASE : field("source");
  }

  /** Whether a database is asked. */
  boolean isLive() {
    return source().equals(DATABASE) || source().equals(JDBC);
  }

  boolean isSynthetic() {
    return source().equals(SYNTHETIC);
  }

  List<String> checkers() {
    List<String> checkers = Parameter.values(field("checkers"));
    return checkers.isEmpty() ? List.of(OUR_CHECKERS.get(0)) : checkers;
  }

  private List<Parameter> parameters() {
    List<Parameter> parameters = new ArrayList<>();
    if (!source().equals(UPLOAD)) {
      for (Parameter parameter : Parameter.values()) {
        if (parameter.isFor(isSynthetic())) {
          parameters.add(parameter);
        }
      }
    }
    return parameters;
  }

  private List<String> values(Parameter parameter) {
    List<String> values = Parameter.values(field(parameter.id()));
    if (values.isEmpty()) {
      String standard = parameter.standard();
      // The simulated stores have no mixed workload.
      boolean mixed = parameter == Parameter.WORKLOAD && isSynthetic();
      values = Parameter.values(mixed ? Parameter.workloads(true).get(0) : standard);
    }
    if (parameter == Parameter.ISOLATION && database() != null) {
      if (values.equals(List.of("all"))) {
        return database().isolations().stream().map(one -> one.name()).toList();
      }
      return values.isEmpty() ? List.of(database().strongest().name()) : values;
    }
    return values;
  }

  private Database database() {
    if (field("database").isEmpty() && source().equals(JDBC)) {
      String url = field("url");
      return url.startsWith("jdbc:") ? Databases.byUrl(url) : null;
    }
    return Databases.byId(field("database").isEmpty() ? "h2" : field("database")).orElse(null);
  }

  private void check() {
    switch (source()) {
      case DATABASE -> checkDatabase();
      case JDBC -> checkJdbc();
      case UPLOAD -> {
        if (field("upload").isEmpty()) {
          problems.put("upload", "choose a file first");
        }
        // What the files were called; shown, and nothing else.
        pattern("label", NOTE, "a name of up to 100 characters");
        pattern("certificate-label", NOTE, "a name of up to 100 characters");
        oneOf("format", FORMATS);
      }
      case SYNTHETIC -> {}
      default -> problems.put("source", "choose where the history comes from");
    }
    for (Parameter parameter : parameters()) {
      String problem = parameter.problem(field(parameter.id()));
      if (problem != null) {
        problems.put(parameter.id(), problem);
      }
    }
    if (isSynthetic()) {
      for (String workload : values(Parameter.WORKLOAD)) {
        require(
            "workload",
            Parameter.oneOf(Parameter.workloads(true), workload) == null,
            "simulated stores run " + String.join(", ", Parameter.workloads(true)));
      }
    }
    pattern("duration", TIME, "a time such as 500ms, 10s or 1m");
    if (isLive()) {
      checkWays();
    }
    pattern("max-witnesses", COUNT, "a number from 1 to 999");
    pattern("threads", COUNT, "a number from 1 to 999");
    for (String anomaly : Parameter.values(field("anomaly"))) {
      boolean known = AnomalyType.find(anomaly).isPresent();
      require("anomaly", known, "there is no anomaly '" + anomaly + "'; assay explain lists them");
    }
    for (String assumption : Parameter.values(field("infer"))) {
      String problem = Parameter.oneOf(ASSUMPTIONS, assumption);
      require("infer", problem == null, problem);
    }
    pattern("timeout", TIME, "a time such as 30s, 10m or 1h");
    pattern("memory", MEMORY, "an amount such as 512m or 4g");
    checkLevels();
    for (String checker : checkers()) {
      boolean known = OUR_CHECKERS.contains(checker) || plugins.contains(checker);
      require("checkers", known, "there is no checker '" + checker + "'");
    }
  }

  private void checkDatabase() {
    Database database = database();
    boolean ours = database != null && database.isEmbedded();
    require("database", ours, "choose a database that Assay starts itself");
    pattern("version", VERSION, "a version such as 12.3.0");
    if (ours) {
      checkIsolation(database);
    }
  }

  private void checkJdbc() {
    Database database = database();
    String[] urls = field("url").split("\\s+");
    for (String url : urls) {
      String problem = JdbcUrls.problem(url, database);
      if (problem != null) {
        problems.put("url", problem);
      }
    }
    pattern("user", USER, "a name of letters, digits and _ . @ -");
    boolean plain = field("password").chars().noneMatch(c -> c < ' ');
    require("password", plain, "a password on one line");
    if (database != null) {
      checkIsolation(database);
    }
  }

  /** How a workload is run on a database. */
  private void checkWays() {
    Database database = database();
    oneOf("writes", WRITES);
    for (String flag : FLAGS) {
      oneOf(flag, List.of(YES));
    }
    if (!field("shares").isEmpty()) {
      require(
          "shares",
          values(Parameter.WORKLOAD).equals(List.of(PredicateWorkload.ID)),
          "goes with " + PredicateWorkload.ID);
      try {
        PredicateShares.parse(field("shares"));
      } catch (IllegalArgumentException e) {
        require("shares", false, e.getMessage());
      }
    }
    if (!field("white-box").isEmpty() && database != null) {
      require(
          "white-box",
          WhiteBox.of(database).isPresent(),
          "there is a log to read of " + String.join(", ", WhiteBox.databases()));
    }
    List<String> kinds = Stream.of(FaultPlan.Kind.values()).map(FaultPlan.Kind::id).toList();
    for (String fault : Parameter.values(field("faults"))) {
      String problem = Parameter.oneOf(kinds, fault);
      require("faults", problem == null, problem);
      boolean ours = database != null && FaultPlan.DATABASES.contains(database.id());
      require(
          "faults",
          ours && source().equals(DATABASE),
          "only servers that Assay starts can fail: " + String.join(", ", FaultPlan.DATABASES));
    }
    pattern("faults-every", TIME, "a time such as 2s or 500ms");
  }

  private void oneOf(String name, List<String> known) {
    String problem = field(name).isEmpty() ? null : Parameter.oneOf(known, field(name));
    require(name, problem == null, problem);
  }

  private void checkIsolation(Database database) {
    List<String> known = database.isolations().stream().map(one -> one.name()).toList();
    for (String isolation : values(Parameter.ISOLATION)) {
      require(
          "isolation",
          known.contains(isolation),
          database.title() + " offers " + String.join(", ", known) + ", or all");
    }
  }

  private void checkLevels() {
    List<String> levels = Parameter.values(field("level"));
    for (String level : levels) {
      boolean known = level.equals("all") || Level.find(level).isPresent();
      require("level", known, "there is no level '" + level + "'");
    }
    String expect = field("expect");
    require("expect", expect.isEmpty() || Level.find(expect).isPresent(), "no such level");
    boolean survey = levels.isEmpty() || levels.contains("all");
    require("expect", expect.isEmpty() || survey, "goes with all levels, not with chosen ones");
  }

  private void pattern(String name, Pattern pattern, String wanted) {
    String value = field(name);
    require(name, value.isEmpty() || pattern.matcher(value).matches(), "write " + wanted);
  }

  private void require(String name, boolean met, String problem) {
    if (!met) {
      problems.putIfAbsent(name, problem);
    }
  }

  /** Every combination of the values, the last parameter changing fastest. */
  private void combine() {
    long count = 1;
    for (Parameter parameter : parameters()) {
      count *= Math.max(1, values(parameter).size());
    }
    if (count > MOST_RUNS) {
      problems.put("sessions", "these lists make " + count + " runs; at most " + MOST_RUNS);
      return;
    }
    List<Map<String, String>> combinations = List.of(common());
    for (Parameter parameter : parameters()) {
      List<Map<String, String>> longer = new ArrayList<>();
      List<String> values = values(parameter);
      for (Map<String, String> shorter : combinations) {
        for (String value : values.isEmpty() ? List.of("") : values) {
          Map<String, String> one = new LinkedHashMap<>(shorter);
          if (!value.isEmpty()) {
            one.put(parameter.id(), value);
          }
          longer.add(one);
        }
      }
      combinations = longer;
    }
    runs.addAll(combinations);
  }

  /** The fields that are the same in all runs. The password is not among them. */
  private Map<String, String> common() {
    Map<String, String> common = new LinkedHashMap<>();
    common.put("source", source());
    List<String> names =
        switch (source()) {
          case DATABASE -> List.of("version", "faults", "faults-every");
          case JDBC -> List.of("url", "user");
          case UPLOAD -> List.of("upload", "label", "version-order", "certificate-label", "format");
          default -> List.of();
        };
    if (isLive()) {
      common.put("database", database().id());
    }
    for (String name : names) {
      copy(name, common);
    }
    if (isLive()) {
      for (String name : WAYS) {
        copy(name, common);
      }
    }
    for (String name : JUDGING) {
      copy(name, common);
    }
    copy("memory", common);
    common.put("checkers", String.join(",", checkers()));
    return common;
  }

  private void copy(String name, Map<String, String> to) {
    if (!field(name).isEmpty()) {
      to.put(name, field(name));
    }
  }
}
