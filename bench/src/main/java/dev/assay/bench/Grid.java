package dev.assay.bench;

import dev.assay.Assay;
import dev.assay.check.Budget;
import dev.assay.check.strong.OpenConstraints;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * King Cobra's experiment: what session order and version orders are worth. 10,000 transactions of
 * 20 clients, 8 accesses each, 1,000 keys. Where session order is not given, the file has none.
 */
final class Grid {
  private static final int SECONDS = Integer.getInteger("assay.bench.seconds", 60);

  /** Percentages of the version order. */
  private static final int[] SHARES = {0, 25, 50, 75, 90, 100};

  private final Histories histories;
  private final String assay;

  Grid(Histories histories, String assay) {
    this.histories = histories;
    this.assay = assay;
  }

  void print() throws Exception {
    System.out.println(
        "| mix | session order | version order | pairs | open after saturation"
            + " | check s | CPU s | answer |");
    System.out.println("|" + "---|".repeat(8));
    rows("read-modify-write", spec(WorkloadKind.READ_MODIFY_WRITE, 0));
    rows("half reads", spec(WorkloadKind.REGISTER, 0.5));
    rows("nine writes in ten", spec(WorkloadKind.REGISTER, 0.1));
  }

  private static WorkloadSpec spec(WorkloadKind kind, double reads) {
    return WorkloadSpec.builder()
        .sessions(20)
        .transactionsPerSession(500)
        .operations(8)
        .keys(1000)
        .readRatio(reads)
        .kind(kind)
        .seed(1)
        .build();
  }

  private void rows(String mix, WorkloadSpec spec) throws Exception {
    Path file = histories.file("grid-" + mix.replace(' ', '-') + ".txt", spec, List.of(), 0);
    Path without = histories.withoutSessions(file);
    Path sessions = Shuffle.BY_SESSION.of(file);
    for (int share : SHARES) {
      row(mix, without, Level.SERIALIZABLE, order(file, share), share);
    }
    for (int share : SHARES) {
      row(mix, sessions, Level.STRONG_SESSION_SERIALIZABLE, order(file, share), share);
    }
  }

  private Path order(Path file, int share) throws IOException {
    return share == 0 ? null : histories.versionOrder(file, share);
  }

  private void row(String mix, Path file, Level level, Path order, int share) throws Exception {
    OpenConstraints.Count count = count(file, level, order);
    List<String> command = new ArrayList<>(List.of(assay, "check", file.toString(), "--quiet"));
    command.addAll(List.of("--level", level.id(), "--timeout", SECONDS + "s"));
    if (order != null) {
      command.addAll(List.of("--version-order", order.toString()));
    }
    Run run = Run.of(command);
    boolean counted = count.outcome() == OpenConstraints.Outcome.COUNTED;
    System.out.println(
        "| "
            + String.join(
                " | ",
                mix,
                level == Level.SERIALIZABLE ? "no" : "yes",
                share + "%",
                Long.toString(count.pairs()),
                counted ? Long.toString(count.openPairs()) : "–",
                String.format(Locale.ROOT, "%.1f", run.wallSeconds()),
                String.format(Locale.ROOT, "%.1f", run.cpuSeconds()),
                answer(run))
            + " |");
  }

  private static String answer(Run run) {
    return switch (run.exit()) {
      case 0 -> "holds";
      case 1 -> "violated";
      case 2 -> "unknown";
      default -> throw new IllegalStateException(run.output());
    };
  }

  private static OpenConstraints.Count count(Path file, Level level, Path order)
      throws ParseException {
    History history = Assay.read(file);
    VersionCertificate certificate =
        order == null
            ? VersionCertificate.NONE
            : VersionCertificates.read(Input.of(order), history);
    return OpenConstraints.count(
            history,
            new Given(Assumption.DEFAULT, certificate),
            List.of(level),
            Budget.of(Duration.ofSeconds(SECONDS)))
        .get(0);
  }
}
