package dev.assay.bench;

import dev.assay.collect.Generator;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.Distribution;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The histories that are measured, generated once and kept in a folder. */
final class Histories {
  private final Path folder;

  Histories(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  Path folder() {
    return folder;
  }

  /** The parameters of the peers' table: registers, half of the operations reads. */
  static WorkloadSpec registers(
      int sessions, int transactions, int operations, int keys, Distribution distribution) {
    return WorkloadSpec.builder()
        .sessions(sessions)
        .transactionsPerSession(transactions)
        .operations(operations)
        .keys(keys)
        .readRatio(0.5)
        .distribution(distribution)
        .kind(WorkloadKind.REGISTER)
        .seed(1)
        .build();
  }

  /** List appends as Elle's figures use them: 1 to 5 operations, 100 keys, 100 appends a key. */
  static WorkloadSpec lists(int transactions) {
    return rotating(WorkloadKind.LIST_APPEND, transactions);
  }

  /** The same transactions with registers in place of lists. */
  static WorkloadSpec rotatingRegisters(int transactions) {
    return rotating(WorkloadKind.REGISTER, transactions);
  }

  private static WorkloadSpec rotating(WorkloadKind kind, int transactions) {
    return WorkloadSpec.builder()
        .sessions(20)
        .transactionsPerSession(transactions / 20)
        .operations(1, 5)
        .keys(100)
        .writesPerKey(100)
        .readRatio(0.5)
        .kind(kind)
        .times(true)
        .seed(1)
        .build();
  }

  /** A plume-text file with the sessions one after another, so that the order has to be found. */
  Path bySession(Path file) throws IOException {
    Path sorted = folder.resolve("by-session-" + file.getFileName());
    if (!Files.exists(sorted)) {
      List<String> lines = new ArrayList<>(Files.readAllLines(file));
      lines.sort(Comparator.comparingInt(line -> Integer.parseInt(line.split(",")[2])));
      Files.write(sorted, lines);
    }
    return sorted;
  }

  /** A generated file of this name, made when it is not there yet. */
  Path file(String name, WorkloadSpec spec, List<String> planted, long plantEvery)
      throws IOException {
    Path file = folder.resolve(name);
    if (Files.exists(file)) {
      return file;
    }
    Path unfinished = folder.resolve(name + ".part");
    Generator generator = new Generator(spec, StoreLevel.SERIALIZABLE);
    planted.forEach(generator::plant);
    if (plantEvery > 0) {
      generator.plantEvery(plantEvery);
    }
    Sinks.write(generator, name, unfinished);
    return Files.move(unfinished, file);
  }
}
