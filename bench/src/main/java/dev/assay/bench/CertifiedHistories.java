package dev.assay.bench;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/**
 * Histories with certificates: transactions run one after another on rows (key, val, ver), written
 * as assay-jsonl with a certificate of version orders and snapshots, and with an expected
 * serialization order.
 */
final class CertifiedHistories {
  private static final int OPERATIONS = 5;
  private static final int VALUES = 1000;
  private static final int RANGE = 100;

  private final Path folder;

  /** A history and what is given along with it. */
  record Written(Path history, Path certificate, Path order) {}

  CertifiedHistories(Path folder) {
    this.folder = folder;
  }

  Written make(String name, int transactions, int keys, boolean predicates) throws IOException {
    Written files =
        new Written(
            folder.resolve(name + ".jsonl"),
            folder.resolve(name + ".certificate.jsonl"),
            folder.resolve(name + ".order.jsonl"));
    if (!Files.exists(files.order)) {
      Run run = new Run(keys, predicates);
      try (Writer out = Files.newBufferedWriter(files.history)) {
        out.write("{\"assay\":1,\"metadata\":{\"columns\":\"val,ver\"}}\n");
        for (int txn = 0; txn < transactions; txn++) {
          out.write(run.transaction(txn));
        }
      }
      writeCertificate(files, run, transactions);
    }
    return files;
  }

  private static void writeCertificate(Written files, Run run, int transactions)
      throws IOException {
    List<String> all = new ArrayList<>();
    for (int txn = 0; txn < transactions; txn++) {
      all.add("\"t" + txn + "\"");
    }
    try (Writer out = Files.newBufferedWriter(files.certificate)) {
      for (int key = 0; key < run.versions.size(); key++) {
        out.write("{\"key\":" + key + ",\"versions\":[" + String.join(",", run.versions.get(key)));
        out.write("]}\n");
      }
      out.write("{\"commits\":[" + String.join(",", all) + "]}\n");
      for (int txn = 0; txn < transactions && run.predicates; txn++) {
        String upTo = txn == 0 ? "null" : all.get(txn - 1);
        out.write("{\"snapshot\":" + all.get(txn) + ",\"upTo\":" + upTo + "}\n");
      }
    }
    Files.writeString(files.order, "{\"order\":[" + String.join(",", all) + "]}\n");
  }

  /** The store and the workload. */
  private static final class Run {
    private final Random random = new Random(1);
    private final boolean predicates;
    private final TreeMap<Integer, long[]> rows = new TreeMap<>();
    private final List<List<String>> versions = new ArrayList<>();
    private final List<String> operations = new ArrayList<>();
    private long version;

    Run(int keys, boolean predicates) {
      this.predicates = predicates;
      for (int key = 0; key < keys; key++) {
        versions.add(new ArrayList<>());
      }
    }

    String transaction(int txn) {
      operations.clear();
      List<Integer> written = new ArrayList<>();
      for (int i = 0; i < OPERATIONS; i++) {
        int key = random.nextInt(versions.size());
        int share = random.nextInt(100);
        if (written.contains(key)) {
          read(key);
        } else if (predicates && share < 15) {
          select();
        } else if (predicates && share < 20) {
          minimum();
        } else if (predicates && share < 22) {
          update(written);
        } else if (share < 55) {
          read(key);
        } else if (share < 75) {
          read(key);
          write(key, rows.containsKey(key) ? rows.get(key)[0] + 1 : 0, written);
        } else {
          write(key, random.nextInt(VALUES), written);
        }
      }
      return "{\"session\":%d,\"id\":\"t%d\",\"ops\":[%s]}%n"
          .formatted(txn % 20, txn, String.join(",", operations));
    }

    private String row(int key) {
      long[] row = rows.get(key);
      return row == null ? "null" : "{\"vector\":[%d,%d]}".formatted(row[0], row[1]);
    }

    private void read(int key) {
      operations.add("[\"r\",%d,%s]".formatted(key, row(key)));
    }

    private void write(int key, long value, List<Integer> written) {
      set(key, value);
      written.add(key);
      operations.add("[\"w\",%d,%s]".formatted(key, row(key)));
    }

    private void set(int key, long value) {
      rows.put(key, new long[] {value, ++version});
      versions.get(key).add(row(key));
    }

    private void select() {
      long low = random.nextInt(VALUES);
      List<String> found = new ArrayList<>();
      rows.forEach(
          (key, row) -> {
            if (row[0] >= low && row[0] <= low + RANGE) {
              found.add("[%d,%s]".formatted(key, row(key)));
            }
          });
      operations.add(
          "[\"select\",{\"where\":[\"between\",\"val\",%d,%d]},[%s]]"
              .formatted(low, low + RANGE, String.join(",", found)));
    }

    private void minimum() {
      String least =
          rows.isEmpty()
              ? "null"
              : Long.toString(rows.values().stream().mapToLong(row -> row[0]).min().orElse(0));
      operations.add("[\"select\",{\"select\":[\"min\",\"val\"]},%s]".formatted(least));
    }

    /** Leaves out those rows that the transaction wrote before by not being done at all. */
    private void update(List<Integer> written) {
      long low = random.nextInt(VALUES);
      List<Integer> matching =
          rows.keySet().stream()
              .filter(key -> rows.get(key)[0] >= low && rows.get(key)[0] <= low + 10)
              .toList();
      if (matching.stream().anyMatch(written::contains)) {
        return;
      }
      List<String> left = new ArrayList<>();
      for (int key : matching) {
        set(key, random.nextInt(VALUES));
        written.add(key);
        left.add("[%d,%s]".formatted(key, row(key)));
      }
      operations.add(
          "[\"update\",{\"where\":[\"between\",\"val\",%d,%d]},[%s]]"
              .formatted(low, low + 10, String.join(",", left)));
    }
  }
}
