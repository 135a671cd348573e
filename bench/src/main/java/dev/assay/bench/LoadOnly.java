package dev.assay.bench;

import dev.assay.Assay;
import dev.assay.history.History;
import java.nio.file.Path;

/** Loads a history and does nothing with it. */
final class LoadOnly {
  private LoadOnly() {}

  public static void main(String[] args) throws Exception {
    History history = Assay.read(Path.of(args[0]));
    Runtime runtime = Runtime.getRuntime();
    long used = runtime.totalMemory() - runtime.freeMemory();
    System.out.printf(
        "%d operations, %d of %d MB of the heap in use%n",
        history.operationCount(), used >> 20, runtime.maxMemory() >> 20);
  }
}
