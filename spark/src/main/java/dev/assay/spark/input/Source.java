package dev.assay.spark.input;

import dev.assay.format.Input;
import dev.assay.format.RandomBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** A history as a file of one of Hadoop's file systems. */
public final class Source implements Serializable {
  private static final long serialVersionUID = 1;

  /** As the user named it, or the folder that it is in. */
  public final String name;

  /** Its address. */
  final String address;

  public final long bytes;

  /** Whether it was named itself, so that it must be a history. */
  public final boolean isNamed;

  /** Whether it is a history of several files; only on this machine's file system. */
  public final boolean isFolder;

  public Source(String name, String address, long bytes, boolean isNamed, boolean isFolder) {
    this.name = name;
    this.address = address;
    this.bytes = bytes;
    this.isNamed = isNamed;
    this.isFolder = isFolder;
  }

  private Path path() {
    return new Path(address);
  }

  /** The file on the file system of the machine that asks, or null. */
  private java.nio.file.Path local() {
    String scheme = path().toUri().getScheme();
    return "file".equals(scheme) ? java.nio.file.Path.of(path().toUri().getPath()) : null;
  }

  /** All of it, for one task. */
  public Input whole(Configuration hadoop) throws IOException {
    java.nio.file.Path local = local();
    if (local != null) {
      return Input.of(name, local);
    }
    try (InputStream in = open(hadoop)) {
      return Input.of(name, in.readAllBytes());
    }
  }

  /** Whether it is on the file system of the machine that asks, so that no copy of it is held. */
  public boolean isLocal() {
    return local() != null;
  }

  /** A stream of it, for one that is too large for that. */
  public Input stream(Configuration hadoop) throws IOException {
    java.nio.file.Path local = local();
    return local != null ? Input.of(name, local) : Input.of(name, open(hadoop));
  }

  /** Its bytes from anywhere. */
  RandomBytes random(Configuration hadoop) throws IOException {
    FSDataInputStream file = open(hadoop);
    return new RandomBytes() {
      @Override
      public long size() {
        return bytes;
      }

      @Override
      public byte[] read(long offset, int length) throws IOException {
        byte[] some = new byte[length];
        file.readFully(offset, some, 0, length);
        return some;
      }

      @Override
      public void close() throws IOException {
        file.close();
      }
    };
  }

  public FSDataInputStream open(Configuration hadoop) throws IOException {
    return FileSystem.get(path().toUri(), hadoop).open(path());
  }
}
