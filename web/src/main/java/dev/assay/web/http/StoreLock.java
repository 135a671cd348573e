package dev.assay.web.http;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps two servers from working off the same queue. Ends with the process at the latest. */
final class StoreLock {
  private final FileChannel channel;

  private StoreLock(FileChannel channel) {
    this.channel = channel;
  }

  static StoreLock take(Path store) throws IOException {
    Path file = Files.createDirectories(store).resolve(".lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    }
    if (lock == null) {
      channel.close();
      throw new IOException("another assay serve is using " + store + "; see --store");
    }
    return new StoreLock(channel);
  }

  void release() {
    try {
      channel.close();
    } catch (IOException e) {
      // The lock ends with the process.
    }
  }
}
