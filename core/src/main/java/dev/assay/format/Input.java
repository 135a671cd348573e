package dev.assay.format;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

/**
 * Something to read a history from: a file, a folder, standard input or bytes in memory; gzip and
 * zstd are unpacked on the way. The beginning can be looked at before anything is consumed.
 */
public final class Input {
  /** How much of the (unpacked) input {@link #head} shows. */
  public static final int HEAD_BYTES = 1 << 16;

  /** Large enough that a read call costs nothing beside the copy it makes. */
  private static final int GZIP_BUFFER = 1 << 16;

  /**
   * What {@link #limitUnpacking} lets pass: this many bytes, or this many times the packed size.
   */
  private static final long MUCH_UNPACKED = 1L << 28;

  private static final long MOST_TIMES = 100;

  private final String name;
  private final Path path;
  private InputStream stream;
  private byte[] head;
  private LongConsumer progress = bytes -> {};
  private BooleanSupplier givenUp = () -> false;

  /** Any file may unpack to this many bytes. */
  private long freeBytes = Long.MAX_VALUE;

  /** All bytes of a stream that is to be read again. */
  private byte[] kept;

  private Input(String name, Path path, InputStream stream) {
    this.name = name;
    this.path = path;
    this.stream = stream;
  }

  /**
   * A file or folder, named in messages the way the user named it. A pipe, as that of a process
   * substitution, or a device, can be read once, like a stream.
   */
  public static Input of(Path path) {
    return isPipe(path)
        ? ofPipe(path.toString(), () -> Files.newInputStream(path))
        : new Input(path.toString(), path, null);
  }

  private static boolean isPipe(Path path) {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class).isOther();
    } catch (IOException e) {
      return false;
    }
  }

  /** A file or folder under the name by which the user knows it. */
  public static Input of(String name, Path path) {
    return new Input(name, path, null);
  }

  /** A stream that can be read once. */
  public static Input of(String name, InputStream stream) {
    return new Input(name, null, stream);
  }

  /** Standard input, under the name {@code -}: it may keep readers waiting. */
  public static Input ofStandardInput(InputStream stream) {
    return ofPipe("-", () -> stream);
  }

  private static Input ofPipe(String name, PatientStream.Source source) {
    Input input = new Input(name, null, null);
    input.stream = new PatientStream(source, input::requireTime);
    return input;
  }

  public static Input of(String name, byte[] bytes) {
    return of(name, new ByteArrayInputStream(bytes));
  }

  /** The input as the user named it. */
  public String name() {
    return name;
  }

  public boolean isFolder() {
    return path != null && Files.isDirectory(path);
  }

  /** Whether {@link #open} gives all bytes again and again, as it does for files. */
  public boolean canBeReadAgain() {
    return path != null;
  }

  /**
   * Receives the number of bytes consumed so far, before unpacking, from time to time; returns the
   * receiver before.
   */
  public LongConsumer onProgress(LongConsumer listener) {
    LongConsumer before = progress;
    progress = listener;
    return before;
  }

  /** Thrown by readers of an input that was {@linkplain #giveUpWhen given up}. */
  public static final class GivenUp extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /**
   * Asked every now and then while reading, or waiting for something to read; once true, reading
   * ends with {@link GivenUp}.
   */
  public void giveUpWhen(BooleanSupplier condition) {
    givenUp = condition;
  }

  private void requireTime() {
    if (givenUp.getAsBoolean()) {
      throw new GivenUp();
    }
  }

  /**
   * Refuses files that unpack to a large multiple of their size: only files made to exhaust memory
   * or time do that. Small files are exempt.
   */
  public void limitUnpacking() {
    limitUnpacking(MUCH_UNPACKED);
  }

  /**
   * The same.
   *
   * @param free how many bytes any file may unpack to
   */
  void limitUnpacking(long free) {
    freeBytes = free;
  }

  /** The size before unpacking; −1 where it is not known. */
  public long size() {
    try {
      return path == null || isFolder() ? -1 : Files.size(path);
    } catch (IOException e) {
      return -1;
    }
  }

  /** The files directly in this folder with names of this ending, sorted by name. */
  public List<Path> files(String suffix) throws IOException {
    if (!isFolder()) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(path)) {
      return entries
          .filter(p -> p.getFileName().toString().endsWith(suffix) && Files.isRegularFile(p))
          .sorted()
          .toList();
    }
  }

  /** The first bytes, unpacked; empty for a folder. */
  public byte[] head() throws IOException, ParseException {
    if (head == null) {
      if (isFolder()) {
        head = new byte[0];
      } else if (path != null) {
        try (InputStream opened = unpacked(new Counted(Files.newInputStream(path)))) {
          head = opened.readNBytes(HEAD_BYTES);
        } catch (IOException e) {
          throw explained(e);
        }
      } else {
        try {
          stream = unpacked(new Counted(stream));
          head = stream.readNBytes(HEAD_BYTES);
        } catch (IOException e) {
          throw explained(e);
        }
        stream = new SequenceInputStream(new ByteArrayInputStream(head), stream);
      }
    }
    return head;
  }

  /**
   * All bytes, unpacked. A stream whose packing is broken or cut short throws an {@link
   * IOException} that {@link #explained} turns into a message.
   */
  public InputStream open() throws IOException, ParseException {
    if (path != null) {
      if (isFolder()) {
        throw ParseException.ofFile(
            name, "is a folder", "a file", "name the file inside it that holds the history");
      }
      return unpacked(new Counted(Files.newInputStream(path)));
    }
    if (kept != null) {
      return new ByteArrayInputStream(kept);
    }
    head();
    InputStream opened = stream;
    stream = InputStream.nullInputStream();
    return opened;
  }

  /** All bytes, unpacked, to be read from anywhere: a file is, all else is kept in memory. */
  public RandomBytes random() throws IOException, ParseException {
    if (path != null && !isFolder() && !isPacked()) {
      return new OfFile(FileChannel.open(path));
    }
    keep();
    byte[] all;
    try (InputStream in = open()) {
      all = in.readAllBytes();
    }
    return new RandomBytes() {
      @Override
      public long size() {
        return all.length;
      }

      @Override
      public byte[] read(long offset, int length) {
        return Arrays.copyOfRange(all, (int) offset, (int) offset + length);
      }

      @Override
      public void close() {}
    };
  }

  private boolean isPacked() throws IOException, ParseException {
    try (InputStream raw = Files.newInputStream(path)) {
      return !Arrays.equals(raw.readNBytes(4), Arrays.copyOf(head(), Math.min(4, head().length)));
    }
  }

  /** A file that is read from anywhere, while there is time. */
  private final class OfFile implements RandomBytes {
    private final FileChannel file;
    private long bytes;

    OfFile(FileChannel file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public byte[] read(long offset, int length) throws IOException {
      requireTime();
      ByteBuffer buffer = ByteBuffer.allocate(length);
      while (buffer.hasRemaining()) {
        if (file.read(buffer, offset + buffer.position()) < 0) {
          throw new EOFException("the file became shorter while it was read");
        }
      }
      bytes += length;
      progress.accept(bytes);
      return buffer.array();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  /** Makes sure that {@link #open} gives all bytes again, which a stream must remember for that. */
  public void keep() throws IOException, ParseException {
    if (path == null && kept == null) {
      try (InputStream all = open()) {
        kept = all.readAllBytes();
      }
    }
  }

  /** A file of this folder as an input of its own. */
  public Input part(Path file) {
    Input part = new Input(name + "/" + file.getFileName(), file, null);
    part.progress = progress;
    part.givenUp = givenUp;
    part.freeBytes = freeBytes;
    return part;
  }

  /** The message for an input that could not be read to its end. */
  public ParseException explained(IOException e) {
    String what = e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    if (e instanceof java.nio.file.NoSuchFileException) {
      return ParseException.ofFile(
          name, "no such file", "an existing file or folder", "check the path");
    }
    if (e instanceof java.nio.file.AccessDeniedException) {
      return ParseException.ofFile(
          name, "permission denied", "a readable file", "check its permissions");
    }
    if (e instanceof UnpacksTooMuch) {
      return ParseException.ofFile(
          name,
          "unpacks to more than " + MOST_TIMES + " times its size",
          "at most " + MOST_TIMES + " times the size of the packed file",
          "unpack it and check the result");
    }
    boolean packed =
        e instanceof java.util.zip.ZipException
            || e instanceof java.io.EOFException
            || e.getClass().getName().contains("Zstd");
    if (packed) {
      return ParseException.ofFile(
          name,
          "compressed data is damaged or cut short (" + what + ")",
          "complete gzip or zstd data",
          "copy or compress the file again");
    }
    return ParseException.ofFile(name, "cannot be read: " + what, "a readable file", null);
  }

  private InputStream unpacked(Counted raw) throws IOException, ParseException {
    BufferedInputStream in = new BufferedInputStream(raw, GZIP_BUFFER);
    in.mark(4);
    byte[] magic = in.readNBytes(4);
    in.reset();
    if (magic.length >= 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b) {
      return new Unpacked(new GZIPInputStream(in, GZIP_BUFFER), raw);
    }
    boolean zstd =
        magic.length == 4
            && (magic[0] & 0xff) == 0x28
            && (magic[1] & 0xff) == 0xb5
            && (magic[2] & 0xff) == 0x2f
            && (magic[3] & 0xff) == 0xfd;
    if (!zstd) {
      return in;
    }
    try {
      return new Unpacked(Zstd.unpack(in), raw);
    } catch (NoClassDefFoundError e) {
      throw ParseException.ofFile(
          name,
          "is compressed with zstd, and zstd-jni is not on the class path",
          "an uncompressed or gzip file",
          "unpack it with: zstd -d, or add com.github.luben:zstd-jni");
    }
  }

  /** Apart from the rest, so that zstd-jni is only needed where it is used. */
  static final class Zstd {
    private Zstd() {}

    static InputStream unpack(InputStream in) throws IOException {
      return new com.github.luben.zstd.ZstdInputStream(in);
    }

    static java.io.OutputStream pack(java.io.OutputStream out) throws IOException {
      return new com.github.luben.zstd.ZstdOutputStream(out);
    }
  }

  /** Bytes that are counted as they are read, while there is time. */
  private abstract class Counting extends FilterInputStream {
    long bytes;

    Counting(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int b = super.read();
      count(b < 0 ? 0 : 1);
      return b;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int n = super.read(buffer, offset, length);
      count(Math.max(n, 0));
      return n;
    }

    private void count(int n) throws IOException {
      requireTime();
      bytes += n;
      counted();
    }

    /** Called after each read. */
    abstract void counted() throws IOException;
  }

  /** What comes out of the packing, which may be much more than went in. */
  private final class Unpacked extends Counting {
    private final Counting packed;

    Unpacked(InputStream in, Counting packed) {
      super(in);
      this.packed = packed;
    }

    @Override
    void counted() throws IOException {
      if (bytes > freeBytes && bytes / MOST_TIMES > packed.bytes) {
        throw new UnpacksTooMuch();
      }
    }
  }

  /** Thrown while a file is unpacked that is {@linkplain #limitUnpacking limited}. */
  private static final class UnpacksTooMuch extends IOException {
    private static final long serialVersionUID = 1;
  }

  private final class Counted extends Counting {
    Counted(InputStream in) {
      super(in);
    }

    @Override
    void counted() {
      progress.accept(bytes);
    }
  }

  /** The names of some files, for {@link dev.assay.history.Origin#files}. */
  public static List<String> names(List<Path> files) {
    List<String> names = new ArrayList<>();
    for (Path file : files) {
      names.add(file.getFileName().toString());
    }
    return Collections.unmodifiableList(names);
  }
}
