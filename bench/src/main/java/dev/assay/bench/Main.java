package dev.assay.bench;

import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.WorkloadSpec;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Prints the tables of {@code docs/performance.md}. */
public final class Main {
  private static final int REPEATS = Integer.getInteger("assay.bench.repeats", 3);

  private static final List<String> SESSION_LEVELS =
      List.of("strong-session-serializable", "strong-session-snapshot-isolation");

  private final Histories histories;
  private final String assay;

  private Main(Path folder, String assay) throws IOException {
    this.histories = new Histories(folder);
    this.assay = assay;
  }

  /** Arguments: the folder for histories, the assay script, which table, and what it needs. */
  public static void main(String[] args) throws Exception {
    Main main = new Main(Path.of(args[0]), args[1]);
    switch (args.length > 2 ? args[2] : "") {
      case "load" -> main.load();
      case "weak" ->
          new WeakTable(main, main.histories, List.of(args).subList(3, args.length)).print();
      case "planted" -> main.planted();
      case "huge" -> main.huge();
      case "lists" -> main.lists(args.length > 3 ? Path.of(args[3]) : null);
      case "listing" -> main.listing(List.of(args).subList(3, args.length));
      case "ablation" -> Ablation.print();
      case "pasts" -> Pasts.print();
      case "strong" -> main.strong();
      case "certificates" -> main.certificates();
      case "sat4j" -> main.sat4j();
      case "grid" -> new Grid(main.histories, main.assay).print();
      case "start" -> main.start();
      case "monitor" -> main.monitor(List.of(args).subList(3, args.length));
      case "cas" -> {
        Conditions conditions = new Conditions(REPEATS);
        if (args.length > 3 && args[3].equals("mixed")) {
          conditions.printMixed();
        } else {
          conditions.print();
        }
      }
      case "driver" -> new DriverCost(Path.of(args[0])).print();
      case "long" -> {
        String database = args.length > 3 ? args[3] : "h2";
        int seconds = args.length > 4 ? Integer.parseInt(args[4]) : 240;
        new LongRun(Path.of(args[0]), main.assay, database, seconds).print();
      }
      case "record" -> new Recording(args.length > 3 ? args[3] : "h2").print();
      default -> {
        System.err.println(
            "usage: bench/run load | weak [HISTORIES [PROGRAM]] | strong | planted | huge"
                + " | lists [HISTORY]"
                + " | listing [SIZE...]"
                + " | sat4j | grid | ablation | pasts | certificates | start | record [DATABASE]"
                + " | long [DATABASE [SECONDS]] | driver | cas [mixed]"
                + " | monitor [TABLE [TRANSACTIONS]]");
        System.exit(2);
      }
    }
  }

  private void monitor(List<String> args) throws Exception {
    long transactions = args.size() > 1 ? Long.parseLong(args.get(1)) : 0;
    new MonitorTable(histories, assay, transactions).print(args.isEmpty() ? "" : args.get(0));
  }

  /** Loading alone, against a bare pass over the same bytes on the same cores. */
  private void load() throws Exception {
    header("history", "MB", "bare s", "load s", "ratio", "CPU s", "RSS MB");
    WorkloadSpec registers =
        Histories.registers(100, 10_000, 50, 100_000_000, Distribution.UNIFORM);
    loadRow("plume-text, 50M ops", histories.file("f.txt", registers, List.of(), 0));
    loadRow("assay, 50M ops", histories.file("f.assay", registers, List.of(), 0));
    WorkloadSpec lists = Histories.lists(1_000_000);
    loadRow("jepsen-edn, 1M list txns", histories.file("lists.edn", lists, List.of(), 0));
    loadRow("assay, 1M list txns", histories.file("lists.assay", lists, List.of(), 0));
  }

  private void loadRow(String name, Path file) throws Exception {
    Run bare = bare(file);
    Run load = Run.best(REPEATS, java(LoadOnly.class, file.toString()));
    row(
        name,
        megabytes(file),
        seconds(bare.wallSeconds()),
        seconds(load.wallSeconds()),
        "%.1f".formatted(load.wallSeconds() / bare.wallSeconds()),
        seconds(load.cpuSeconds()),
        "%.0f".formatted(load.peakMegabytes()));
  }

  private void checkRow(String name, String level, Path file, Run bare, String... options)
      throws Exception {
    Run check = check(level, file, options);
    row(
        name,
        level,
        seconds(bare.wallSeconds()),
        seconds(check.wallSeconds()),
        "%.1f".formatted(check.wallSeconds() / bare.wallSeconds()),
        seconds(check.cpuSeconds()),
        "%.0f".formatted(check.peakMegabytes()));
  }

  /**
   * Serializability and snapshot isolation: the peers' histories, then generated ones. What is
   * generated is in the file in the order in which it was committed, which is tried first; so the
   * main rows have it shuffled.
   */
  private void strong() throws Exception {
    header("history", "order in the file", "level", "check s", "CPU s", "RSS MB", "exit");
    for (Path folder : peers()) {
      strongRows(folder.getFileName().toString(), "as recorded", folder, SESSION_LEVELS);
    }
    for (int transactions : new int[] {10_000, 30_000, 100_000}) {
      WorkloadSpec spec = Histories.registers(25, transactions / 25, 8, 10_000, Distribution.ZIPF);
      strongRows("balanced, " + transactions, "balanced-" + transactions, spec);
    }
    strongRows(
        "4,000 sessions of 10",
        "many-sessions",
        Histories.registers(4_000, 10, 8, 10_000, Distribution.UNIFORM));
    withoutSessions(
        "10,000, one read in ten, 500 keys",
        "few-reads",
        Histories.registers(20, 500, 8, 500, 0.1, Distribution.UNIFORM));
    withoutSessions(
        "20,000 of two operations, 1,000 keys",
        "two-operations",
        Histories.registers(20, 1_000, 2, 1_000, Distribution.UNIFORM));
    withoutSessions(
        "10,000 of one operation on one key",
        "one-key",
        Histories.registers(20, 500, 1, 1, Distribution.UNIFORM));
  }

  private void strongRows(String name, String file, WorkloadSpec spec) throws Exception {
    Path kind = histories.file(file + ".txt", spec, List.of(), 0);
    strongRows(name, "transactions shuffled", Shuffle.BY_TRANSACTION.of(kind), SESSION_LEVELS);
    strongRows(name, "by session", Shuffle.BY_SESSION.of(kind), SESSION_LEVELS);
    strongRows(name, "as committed", kind, SESSION_LEVELS);
  }

  private void withoutSessions(String name, String file, WorkloadSpec spec) throws Exception {
    Path kind = histories.file(file + ".txt", spec, List.of(), 0);
    List<String> levels = List.of("serializable", "snapshot-isolation");
    strongRows(name, "shuffled, no sessions", histories.withoutSessions(kind), levels);
    strongRows(name, "as committed", kind, levels);
  }

  /** The peers' histories, where they are at hand. */
  private List<Path> peers() throws IOException {
    Path peers = Path.of(assay).resolveSibling("../shared/corpus/strong/bench").normalize();
    if (!Files.isDirectory(peers)) {
      return List.of();
    }
    try (Stream<Path> folders = Files.list(peers)) {
      return folders.sorted().toList();
    }
  }

  private Path balanced(int transactions) throws IOException {
    WorkloadSpec spec = Histories.registers(25, transactions / 25, 8, 10_000, Distribution.ZIPF);
    Path file = histories.file("balanced-" + transactions + ".txt", spec, List.of(), 0);
    return Shuffle.BY_SESSION.of(file);
  }

  /** Assay's search and Sat4j on what saturation leaves. */
  private void sat4j() throws Exception {
    SolverComparison.header();
    for (Path folder : peers()) {
      // Reads of values written more than once are choices, which only Assay's search is given.
      if (!folder.endsWith("duplicate-values")) {
        SolverComparison.rows(folder.getFileName().toString(), folder);
      }
    }
    for (int transactions : new int[] {10_000, 30_000}) {
      SolverComparison.rows("balanced, " + transactions, balanced(transactions));
    }
  }

  private void strongRows(String name, String order, Path file, List<String> levels)
      throws Exception {
    for (String level : levels) {
      Run run = check(level, file);
      row(
          name,
          order,
          level,
          seconds(run.wallSeconds()),
          seconds(run.cpuSeconds()),
          "%.0f".formatted(run.peakMegabytes()),
          Integer.toString(run.exit()));
    }
  }

  /** Certificates and serial orders: the sizes of the Emme paper's figures, then growth. */
  private void certificates() throws Exception {
    header(
        "history",
        "given",
        "process s",
        "CPU s",
        "RSS MB",
        "exit",
        "read ms",
        "certificate ms",
        "infer ms",
        "check ms");
    CertifiedHistories certified = new CertifiedHistories(histories.folder());
    certifiedRows("items, 100000", certified.make("items-100000", 100_000, 1000, false));
    for (int transactions : new int[] {2_500, 10_000, 30_000, 100_000}) {
      certifiedRows(
          "predicates, " + transactions,
          certified.make("predicates-" + transactions, transactions, 100, true));
    }
  }

  private void certifiedRows(String name, CertifiedHistories.Written files) throws Exception {
    for (Path given : List.of(files.certificate(), files.order())) {
      Run run =
          check(
              "serializable",
              files.history(),
              "--version-order",
              given.toString(),
              "--output",
              "json");
      row(
          name,
          given.equals(files.order()) ? "serial order" : "certificate",
          seconds(run.wallSeconds()),
          seconds(run.cpuSeconds()),
          "%.0f".formatted(run.peakMegabytes()),
          Integer.toString(run.exit()),
          millis(run, "parseMillis"),
          millis(run, "certificate"),
          millis(run, "inferMillis"),
          millis(run, "checkMillis"));
    }
  }

  /** A time that a report in JSON gives. */
  private static String millis(Run run, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(run.output());
    return found.find() ? found.group(1) : "–";
  }

  /** What violations cost: none, one, and one in every second transaction. */
  private void planted() throws Exception {
    header("history b with", "causal s", "ratio", "CPU s", "RSS MB", "exit");
    WorkloadSpec spec = Histories.registers(50, 2000, 20, 10_000, Distribution.UNIFORM);
    Run valid = check("causal", histories.file("b.txt", spec, List.of(), 0));
    plantedRow("no violation", valid, valid);
    for (String anomaly : List.of("co-conflict", "cm-conflict", "fractured-read-co")) {
      Path one = histories.file("b-" + anomaly + ".txt", spec, List.of(anomaly), 0);
      plantedRow("one " + anomaly, check("causal", one), valid);
    }
    Path many = histories.file("b-many.txt", spec, List.of("co-conflict", "cm-conflict"), 2);
    plantedRow("one in every second", check("causal", many), valid);
  }

  private void plantedRow(String name, Run run, Run valid) {
    row(
        name,
        seconds(run.wallSeconds()),
        "%.1f".formatted(run.wallSeconds() / valid.wallSeconds()),
        seconds(run.cpuSeconds()),
        "%.0f".formatted(run.peakMegabytes()),
        Integer.toString(run.exit()));
  }

  /** C4's headline: a million transactions, 400 million operations, a billion keys. */
  private void huge() throws Exception {
    WorkloadSpec spec = Histories.registers(100, 10_000, 400, 1_000_000_000, Distribution.UNIFORM);
    Path file = histories.file("huge.assay", spec, List.of(), 0);
    header("history", "level", "bare s", "check s", "ratio", "CPU s", "RSS MB");
    checkRow("400M ops, 1G keys", "causal", file, bare(file));
  }

  /**
   * Known version orders, from lists and from linearizable registers, at growing sizes; and all
   * levels of one more history, which is given for its huge component.
   */
  private void lists(Path component) throws Exception {
    header("history", "level", "bare s", "check s", "ratio", "CPU s", "RSS MB");
    for (String size : List.of("10k", "100k", "1M")) {
      int transactions = Integer.parseInt(size.replace("k", "000").replace("M", "000000"));
      String name = "lists-" + size + ".edn";
      Path file = histories.file(name, Histories.lists(transactions), List.of(), 0);
      Run bare = bare(file);
      for (String level : List.of("strict-serializable", "serializable", "snapshot-isolation")) {
        checkRow("lists, " + size + " txns", level, file, bare);
      }
      // Where nothing is violated the order in which transactions ended may already settle it.
      Path violated =
          histories.file(
              "lists-" + size + "-G2-item.edn",
              Histories.lists(transactions),
              List.of("G2-item"),
              0);
      checkRow("the same with one G2-item", "strict-serializable", violated, bare);
    }
    if (component == null) {
      System.out.println("(no row for a huge component: bench/run lists HISTORY adds one)");
    } else {
      checkRow(component.getFileName().toString(), "all", component, bare(component));
    }
    Path registers =
        histories.file("registers-100k.edn", Histories.rotatingRegisters(100_000), List.of(), 0);
    checkRow(
        "registers, 100k txns",
        "strict-serializable",
        registers,
        bare(registers),
        "--infer",
        "linearizable-keys");
  }

  /** Histories full of one kind of violation, at growing sizes: CPU seconds and megabytes. */
  private void listing(List<String> given) throws Exception {
    List<String> sizes = given.isEmpty() ? List.of("5000", "20000", "80000") : given;
    List<String> cells = new ArrayList<>(List.of("violations", "level"));
    sizes.forEach(size -> cells.addAll(List.of(size + ": CPU s", "RSS MB")));
    header(cells.toArray(String[]::new));
    Crowds crowds = new Crowds(histories.folder());
    for (String name : Crowds.names()) {
      List<String> row = new ArrayList<>(List.of(name, Crowds.level(name)));
      for (String size : sizes) {
        Path file = crowds.file(name, Integer.parseInt(size));
        Run run = Run.of(List.of(assay, "check", file.toString(), "--level", row.get(1)));
        row.addAll(List.of(seconds(run.cpuSeconds()), "%.0f".formatted(run.peakMegabytes())));
      }
      row(row.toArray(String[]::new));
    }
  }

  /** A file of 20 lines. */
  private void start() throws Exception {
    WorkloadSpec spec = Histories.registers(2, 5, 2, 3, Distribution.UNIFORM);
    Path file = histories.file("tiny.txt", spec, List.of(), 0);
    header("20 lines", "check s", "CPU s");
    Run run = Run.best(10, List.of(assay, "check", file.toString(), "--quiet"));
    row("all levels", seconds(run.wallSeconds()), seconds(run.cpuSeconds()));
  }

  Run bare(Path file) throws Exception {
    return Run.best(REPEATS, java(BarePass.class, file.toString()));
  }

  private Run check(String level, Path file, String... options) throws Exception {
    return inTurns(List.of(command(level, file, options))).get(0);
  }

  List<String> command(String level, Path file, String... options) {
    List<String> command = new ArrayList<>();
    command.addAll(List.of(assay, "check", file.toString(), "--level", level, "--quiet"));
    command.addAll(List.of(options));
    return command;
  }

  List<Run> inTurns(List<List<String>> commands) throws Exception {
    List<Run> runs = Run.inTurns(REPEATS, commands);
    for (Run run : runs) {
      if (run.exit() > 2) {
        throw new IllegalStateException(run.output());
      }
    }
    return runs;
  }

  private static List<String> java(Class<?> main, String... args) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.add("-XX:+UseSerialGC");
    command.add("-Xmn64m");
    command.add("-XX:PretenureSizeThreshold=131072");
    command.add("-cp");
    command.add(System.getProperty("java.class.path"));
    command.add(main.getName());
    command.addAll(List.of(args));
    return command;
  }

  static String megabytes(Path file) throws IOException {
    return "%.0f".formatted(Files.size(file) / 1e6);
  }

  static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.2f", seconds);
  }

  static void header(String... cells) {
    row(cells);
    System.out.println("|" + "---|".repeat(cells.length));
  }

  static void row(String... cells) {
    System.out.println("| " + String.join(" | ", cells) + " |");
  }
}
