package dev.assay.bench;

import dev.assay.collect.db.Connector;
import dev.assay.collect.db.Databases;
import dev.assay.collect.db.Drivers;
import dev.assay.collect.db.Target;
import dev.assay.collect.record.LiveRun;
import dev.assay.collect.record.Recorder;
import dev.assay.collect.record.RunSpec;
import dev.assay.collect.record.Stop;
import dev.assay.collect.workload.ParametricWorkload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.format.AssayBinaryWriter;
import dev.assay.format.TransactionRecord;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;

/** What recording costs: CPU time an operation, and throughput with and without it. */
final class Recording {
  private static final int TRANSACTIONS = 1_000_000;
  private static final int OPERATIONS = 4;
  private static final int LIST_LENGTH = 16;
  private static final int ALTERNATIONS = 10;
  private static final Duration RUN = Duration.ofSeconds(3);

  private Recording() {}

  static void print() throws IOException, SQLException {
    cpu();
    System.out.printf("CPU of recording: %.0f ns an operation%n", cpu());
    run(true);
    System.out.println("H2, 10 sessions, 1,000 keys, transactions a second:");
    System.out.println("recorded  not recorded");
    for (int i = 0; i < ALTERNATIONS; i++) {
      System.out.printf("%,8d  %,12d%n", run(true), run(false));
    }
  }

  /** Two register operations, an append and a list read a transaction, written to nowhere. */
  private static double cpu() throws IOException {
    try (AssayBinaryWriter writer =
        new AssayBinaryWriter(OutputStream.nullOutputStream(), false, Map.of())) {
      TransactionRecord record = new TransactionRecord();
      int session = writer.session(1L);
      long[] elements = new long[LIST_LENGTH];
      long origin = System.nanoTime();
      long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      for (int i = 0; i < TRANSACTIONS; i++) {
        record.begin(session);
        long start = System.nanoTime() - origin;
        record.op(OpKind.READ, i % 1000, i - 10);
        record.op(OpKind.WRITE, i % 1000, i);
        record.op(OpKind.APPEND, 1000 + i / LIST_LENGTH, i);
        elements[i % LIST_LENGTH] = i;
        record.readList(1000 + i / LIST_LENGTH, elements, 0, i % LIST_LENGTH + 1);
        record.outcome(Outcome.COMMITTED);
        record.times(start, System.nanoTime() - origin);
        writer.append(record);
      }
      long after = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
      return (after - before) / ((double) TRANSACTIONS * OPERATIONS);
    }
  }

  private static long run(boolean recorded) throws IOException, SQLException {
    Target target = Target.embedded(Databases.standard(), null);
    Path file = Files.createTempFile("assay-bench", ".assay");
    try (Connector connector =
            Connector.open(target, new Drivers(Drivers.standardFolder(), what -> {}), 10);
        Recorder recorder = recorded ? new Recorder(file, Map.of()) : Recorder.discarding()) {
      RunSpec spec =
          new RunSpec(
              target.database().strongest(), 10, Integer.MAX_VALUE, RUN, 0, 0, false, true, 0);
      WorkloadSpec workload =
          WorkloadSpec.builder().kind(WorkloadKind.MIXED).keys(1000).writesPerKey(32).build();
      LiveRun run =
          new LiveRun(connector, spec, new ParametricWorkload(workload), recorder, new Stop());
      long nanos = run.run().toNanos();
      return run.tally().count(Outcome.COMMITTED) * 1_000_000_000L / nanos;
    } finally {
      Files.deleteIfExists(file);
    }
  }
}
