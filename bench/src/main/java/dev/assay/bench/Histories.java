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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

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
    return registers(sessions, transactions, operations, keys, 0.5, distribution);
  }

  /** Registers, with another share of reads. */
  static WorkloadSpec registers(
      int sessions,
      int transactions,
      int operations,
      int keys,
      double readRatio,
      Distribution distribution) {
    return WorkloadSpec.builder()
        .sessions(sessions)
        .transactionsPerSession(transactions)
        .operations(operations)
        .keys(keys)
        .readRatio(readRatio)
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

  /**
   * A plume-text file with every transaction in its own session and in random order, so that only
   * its reads show when it was.
   */
  Path withoutSessions(Path file) throws IOException {
    Path shuffled = folder.resolve("no-sessions-" + file.getFileName());
    if (!Files.exists(shuffled)) {
      List<List<String>> transactions = transactions(file);
      Collections.shuffle(transactions, new Random(1));
      List<String> lines = new ArrayList<>();
      for (int txn = 0; txn < transactions.size(); txn++) {
        for (String line : transactions.get(txn)) {
          String[] fields = line.split(",");
          lines.add(fields[0] + "," + fields[1] + "," + (txn + 1) + "," + (txn + 1) + ")");
        }
      }
      Files.write(shuffled, lines);
    }
    return shuffled;
  }

  /**
   * A version certificate for a plume-text file whose transactions are in the order in which the
   * store committed them: of any two neighbouring versions of a key the order with a probability,
   * given in percent.
   */
  Path versionOrder(Path file, int share) throws IOException {
    Path certificate = folder.resolve(file.getFileName() + ".order" + share + ".jsonl");
    if (!Files.exists(certificate)) {
      Map<String, List<String>> versions = new TreeMap<>();
      for (List<String> transaction : transactions(file)) {
        Map<String, String> written = new LinkedHashMap<>();
        for (String line : transaction) {
          if (line.startsWith("w(")) {
            String[] fields = line.substring(2).split(",");
            written.put(fields[0], fields[1]);
          }
        }
        written.forEach((key, v) -> versions.computeIfAbsent(key, k -> new ArrayList<>()).add(v));
      }
      Random random = new Random(1);
      List<String> lines = new ArrayList<>();
      versions.forEach(
          (key, order) -> {
            List<String> pairs = new ArrayList<>();
            for (int i = 0; i + 1 < order.size(); i++) {
              if (random.nextInt(100) < share) {
                pairs.add("[" + order.get(i) + "," + order.get(i + 1) + "]");
              }
            }
            if (!pairs.isEmpty()) {
              lines.add("{\"key\":" + key + ",\"pairs\":[" + String.join(",", pairs) + "]}");
            }
          });
      Files.write(certificate, lines);
    }
    return certificate;
  }

  /** The lines of each transaction: those that follow each other and agree in their last fields. */
  private static List<List<String>> transactions(Path file) throws IOException {
    List<List<String>> transactions = new ArrayList<>();
    String last = "";
    for (String line : Files.readAllLines(file)) {
      String id = line.substring(line.indexOf(',', line.indexOf(',') + 1));
      if (!id.equals(last)) {
        transactions.add(new ArrayList<>());
        last = id;
      }
      transactions.get(transactions.size() - 1).add(line);
    }
    return transactions;
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
