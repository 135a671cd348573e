package dev.assay.window;

import dev.assay.format.follow.ScratchFolder;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Files for what does not stay in memory, in a folder that is created when it is first needed.
 *
 * <p>They are not channels, because a thread that is interrupted would close those.
 */
final class Scratch implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final Path parent;
  private final List<Data> files = new ArrayList<>();
  private ScratchFolder folder;
  private int created;
  private boolean closed;

  /** Will be a folder in this one, or among the temporary files of the system if it is null. */
  Scratch(Path parent) {
    this.parent = parent;
  }

  /** A file that is created when something is written to it. */
  Data file(String name) {
    Data data = new Data(name + "-" + created++);
    files.add(data);
    return data;
  }

  void delete(Data data) throws IOException {
    data.close();
    files.remove(data);
    Files.delete(folder().resolve(data.name));
  }

  private Path folder() throws IOException {
    if (closed) {
      throw new IOException("the monitor is closed");
    }
    if (folder == null) {
      folder = new ScratchFolder(parent);
    }
    return folder.path();
  }

  /** Says what an error means for the user. */
  UncheckedIOException failed(IOException e) {
    Object where = folder != null ? folder.path() : parent != null ? parent : "a temporary folder";
    String why = e.getMessage() == null ? e.toString() : e.getMessage();
    return new UncheckedIOException(
        new IOException("cannot keep past transactions in " + where + ": " + why, e));
  }

  @Override
  public void close() {
    closed = true;
    files.forEach(Data::close);
    if (folder != null) {
      folder.close();
      folder = null;
    }
  }

  /** A file that grows at its end, and can be cut. */
  final class Data {
    private final String name;
    private RandomAccessFile file;
    private long length;

    private Data(String name) {
      this.name = name;
    }

    long length() {
      return length;
    }

    /** Writes to the end; what is written counts once it is flushed. */
    DataOutputStream append() {
      return new DataOutputStream(new BufferedOutputStream(new End(), BUFFER));
    }

    void append(byte[] bytes, int from, int count) throws IOException {
      if (file == null) {
        file = new RandomAccessFile(folder().resolve(name).toFile(), "rw");
      }
      file.seek(length);
      file.write(bytes, from, count);
      length += count;
    }

    /** Reads bytes from some place on. */
    void read(long from, byte[] bytes) throws IOException {
      file.seek(from);
      file.readFully(bytes);
    }

    /** A number at some place. */
    long number(long from) throws IOException {
      byte[] bytes = new byte[Long.BYTES];
      read(from, bytes);
      return ByteBuffer.wrap(bytes).getLong();
    }

    /** Reads from some place on. */
    DataInputStream from(long place) {
      return new DataInputStream(new BufferedInputStream(new From(place), BUFFER));
    }

    /** Forgets everything from some place on. */
    void truncate(long newLength) throws IOException {
      file.setLength(newLength);
      length = newLength;
    }

    private void close() {
      try {
        if (file != null) {
          file.close();
        }
      } catch (IOException e) {
        // It is deleted in any case.
      }
    }

    private final class End extends OutputStream {
      @Override
      public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
      }

      @Override
      public void write(byte[] bytes, int from, int count) throws IOException {
        append(bytes, from, count);
      }
    }

    private final class From extends InputStream {
      private long place;

      From(long place) {
        this.place = place;
      }

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] bytes, int from, int count) throws IOException {
        file.seek(place);
        int n = file.read(bytes, from, count);
        place += Math.max(0, n);
        return n;
      }
    }
  }
}
