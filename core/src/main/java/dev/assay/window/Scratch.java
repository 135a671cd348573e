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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files for what does not stay in memory, in a folder that is created when it is first needed, or
 * in that of a {@linkplain StateFolder state}.
 *
 * <p>They are not channels, because a thread that is interrupted would close those.
 */
final class Scratch implements Closeable {
  private static final int BUFFER = 1 << 16;
  private static final int MOST_OPEN = 32;

  private final Path parent;

  /** Where the state is saved; null for none. */
  private final StateFolder state;

  private final Map<String, Data> files = new LinkedHashMap<>();

  /** Those that are open, the one that was used last at the end. */
  private final LinkedHashMap<Data, RandomAccessFile> open = new LinkedHashMap<>(16, 0.75f, true);

  private ScratchFolder folder;
  private int created;
  private boolean closed;

  /** Will be a folder in this one, or among the temporary files of the system if it is null. */
  Scratch(Path parent) {
    this(parent, null);
  }

  /** The same, but in the folder of a state unless that is null. */
  Scratch(Path parent, StateFolder state) {
    this.parent = parent;
    this.state = state;
  }

  /** A file that is created when something is written to it. */
  Data file(String name) {
    return add(name + "-" + created++);
  }

  private Data add(String name) {
    Data data = new Data(name);
    files.put(name, data);
    return data;
  }

  void delete(Data data) throws IOException {
    close(data);
    files.remove(data.name);
    if (state != null) {
      state.delete(data.name);
    } else if (data.exists) {
      Files.delete(folder().resolve(data.name));
    }
  }

  private Path folder() throws IOException {
    if (closed) {
      throw new IOException("the monitor is closed");
    }
    if (state != null) {
      return state.path();
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
        new IOException(
            "cannot keep past transactions in %s: %s"
                .formatted(state != null ? state.path() : where, why),
            e));
  }

  // ---- states

  /** Makes sure that what was written is on disk, and tells a state which files it needs. */
  void save(StateOutput out) throws IOException {
    out.writeInt(created);
    List<Data> lasting = new ArrayList<>(files.values());
    lasting.removeIf(data -> !data.exists || data.temporary);
    out.writeInt(lasting.size());
    for (Data data : lasting) {
      data.force();
      out.text(data.name);
      out.writeLong(data.length);
    }
  }

  /** Goes on with the files of a state. */
  void restore(StateInput in) throws IOException {
    created = in.readInt();
    for (int i = in.readInt(); i > 0; i--) {
      Data data = add(in.text());
      data.length = in.readLong();
      data.exists = true;
      if (!Files.exists(folder().resolve(data.name))) {
        throw new IOException("the file " + data.name + " is missing");
      }
      if (data.opened().length() < data.length) {
        throw new IOException("the file " + data.name + " is shorter than it was");
      }
      data.opened().setLength(data.length);
    }
  }

  /** The file of this name, which the state had. */
  Data restored(String name) throws IOException {
    Data data = files.get(name);
    if (data == null) {
      throw new IOException("the file " + name + " is missing");
    }
    return data;
  }

  List<String> names() {
    return List.copyOf(files.keySet());
  }

  private void close(Data data) throws IOException {
    RandomAccessFile file = open.remove(data);
    if (file != null) {
      file.close();
    }
  }

  @Override
  public void close() {
    closed = true;
    for (RandomAccessFile file : open.values()) {
      try {
        file.close();
      } catch (IOException e) {
        // What counts was forced to disk before.
      }
    }
    open.clear();
    if (state != null) {
      state.close();
    } else if (folder != null) {
      folder.close();
      folder = null;
    }
  }

  /** A file that grows at its end. */
  final class Data {
    private final String name;
    private long length;
    private boolean exists;
    private boolean temporary;
    private boolean changed;

    private Data(String name) {
      this.name = name;
    }

    String name() {
      return name;
    }

    long length() {
      return length;
    }

    /** The same, not needed by a state. */
    Data temporary() {
      temporary = true;
      return this;
    }

    private RandomAccessFile opened() throws IOException {
      RandomAccessFile file = open.get(this);
      if (file == null) {
        if (open.size() >= MOST_OPEN) {
          Data oldest = open.keySet().iterator().next();
          oldest.force();
          close(oldest);
        }
        file = new RandomAccessFile(folder().resolve(name).toFile(), "rw");
        exists = true;
        open.put(this, file);
      }
      return file;
    }

    private void force() throws IOException {
      if (changed && state != null && !temporary) {
        opened().getFD().sync();
      }
      changed = false;
    }

    /** Writes to the end; what is written counts once it is flushed. */
    DataOutputStream append() {
      return new DataOutputStream(new BufferedOutputStream(new End(), BUFFER));
    }

    void append(byte[] bytes, int from, int count) throws IOException {
      write(length, bytes, from, count);
    }

    /** Writes to some place, which may be beyond the end. */
    void write(long place, byte[] bytes, int from, int count) throws IOException {
      RandomAccessFile file = opened();
      file.seek(place);
      file.write(bytes, from, count);
      length = Math.max(length, place + count);
      changed = true;
    }

    /** Leaves only what is before some place. */
    void truncate(long newLength) throws IOException {
      if (newLength < length) {
        opened().setLength(newLength);
        length = newLength;
      }
    }

    /** Reads bytes from some place on. */
    void read(long from, byte[] bytes) throws IOException {
      RandomAccessFile file = opened();
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
        RandomAccessFile file = opened();
        file.seek(place);
        int n = file.read(bytes, from, count);
        place += Math.max(0, n);
        return n;
      }
    }
  }
}
