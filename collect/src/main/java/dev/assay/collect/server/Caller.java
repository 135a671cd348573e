package dev.assay.collect.server;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Finds out which of some processes made a connection on loopback, as Linux says in {@code /proc}.
 * So one port can lead to a server that several others talk to, and each can be cut off alone.
 */
public final class Caller {
  private Caller() {}

  /** The place of the process that made a connection, or −1 if it is none of them. */
  public static int of(Socket accepted, List<ServerProcess> processes) {
    String from = String.format("%04X", accepted.getPort());
    String to = String.format("%04X", accepted.getLocalPort());
    try {
      for (String file : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
        for (String line : Files.readAllLines(Path.of(file))) {
          String[] words = line.strip().split("\\s+");
          if (words.length > 9 && words[1].endsWith(":" + from) && words[2].endsWith(":" + to)) {
            return holder("socket:[" + words[9] + "]", processes);
          }
        }
      }
    } catch (IOException e) {
      // Without this file, callers cannot be identified.
    }
    return -1;
  }

  private static int holder(String socket, List<ServerProcess> processes) {
    for (int i = 0; i < processes.size(); i++) {
      for (long pid : processes.get(i).pids()) {
        if (holds(pid, socket)) {
          return i;
        }
      }
    }
    return -1;
  }

  private static boolean holds(long pid, String socket) {
    try (DirectoryStream<Path> files =
        Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
      for (Path file : files) {
        if (isLinkTo(file, socket)) {
          return true;
        }
      }
    } catch (IOException e) {
      // It is gone.
    }
    return false;
  }

  private static boolean isLinkTo(Path file, String socket) {
    try {
      return Files.readSymbolicLink(file).toString().equals(socket);
    } catch (IOException e) {
      return false;
    }
  }
}
