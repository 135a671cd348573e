package dev.assay.collect.record;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Faults by commands of the user, for stores that Assay did not start. */
public record CommandFaults(String start, String stop) implements Faults {
  private static final long PATIENCE_SECONDS = 60;

  @Override
  public List<String> names() {
    return List.of("the store");
  }

  @Override
  public Set<FaultKind> kinds() {
    return Set.of(FaultKind.COMMAND);
  }

  @Override
  public void begin(FaultKind kind, List<Integer> nodes) throws IOException {
    run(start);
  }

  @Override
  public void end(FaultKind kind, List<Integer> nodes) throws IOException {
    run(stop);
  }

  private static void run(String command) throws IOException {
    Process process =
        new ProcessBuilder("sh", "-c", command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    process.getOutputStream().close();
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("'" + command + "' did not end within " + PATIENCE_SECONDS + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (!process.isAlive() && process.exitValue() != 0) {
      throw new IOException("'" + command + "' ended with code " + process.exitValue());
    }
  }
}
