package dev.assay.collect.cluster;

import dev.assay.collect.client.Topology;
import dev.assay.collect.server.ServerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/**
 * The clock of one server, by libfaketime: a library that answers a program's questions for the
 * time, and looks into a file for how wrong to be. Programs in Go ask the kernel themselves, so
 * that it does nothing there.
 *
 * @param file how wrong the clock is; null for one that is always right
 */
public record Clock(Path file, Path library) {
  private static final List<Path> PLACES =
      List.of(
          Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/aarch64-linux-gnu/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib/faketime/libfaketimeMT.so.1"),
          Path.of("/usr/lib64/faketime/libfaketimeMT.so.1"));

  /** A clock that is always right. */
  public static final Clock RIGHT = new Clock(null, null);

  /** A clock that can be set if that is going to be done. */
  public static Clock of(Topology topology, Path file) throws IOException {
    if (!topology.skewed()) {
      return RIGHT;
    }
    Path library =
        PLACES.stream()
            .filter(Files::isReadable)
            .findFirst()
            .orElseThrow(
                () ->
                    new ServerException(
                        "clocks are set by libfaketime, which is not installed; on Debian: apt-get"
                            + " install -y libfaketime"));
    Clock clock = new Clock(file, library);
    clock.set(0);
    return clock;
  }

  /** Makes it wrong by this much from the next second on. */
  public void set(int seconds) throws IOException {
    Path next = Files.writeString(file.resolveSibling(file.getFileName() + ".next"), text(seconds));
    // A reader must not find half a number.
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String text(int seconds) {
    return (seconds < 0 ? "" : "+") + seconds + "\n";
  }

  /** What the server needs in its environment. */
  public Map<String, String> environment() {
    return file == null
        ? Map.of()
        : Map.of(
            "LD_PRELOAD",
            library.toString(),
            "FAKETIME_TIMESTAMP_FILE",
            file.toString(),
            "FAKETIME_CACHE_DURATION",
            "1",
            "FAKETIME_DONT_FAKE_MONOTONIC",
            "1");
  }
}
