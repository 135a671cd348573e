package dev.assay.format.binary;

import dev.assay.format.ParseException;
import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.RawScalars;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a recording while it is written: the transactions of each block once the block is whole on
 * disk. Recorders pay nothing for it, and what is not read yet waits on disk.
 *
 * <p>Each call gives a history of its own with the transactions since the call before. A
 * transaction without an id has as its id the name that it has in the whole history. For blocks of
 * {@linkplain AssayBinaryJournal journals}, which is what recorders write.
 */
public final class AssayBinaryTail implements Closeable {
  /** Bytes of blocks after which a call returns. */
  private static final int ENOUGH = 4 << 20;

  private final String name;
  private final FileChannel channel;
  private final Map<String, String> metadata = new LinkedHashMap<>();

  /** The dictionary of the file. Each history has its own, into which it is copied. */
  private final RawScalars scalars = new RawScalars();

  private long[] dictionary = {RawScalars.NIL, RawScalars.UNKNOWN};

  private final List<Object> sessionNames = new ArrayList<>();

  /** The number of transactions of each session so far. */
  private int[] sessionSizes = new int[16];

  private long offset;
  private boolean complete;

  /**
   * Opens a file that need not have anything in it yet.
   *
   * @param name what to call it in messages and places
   */
  public AssayBinaryTail(Path file, String name) throws IOException {
    this.name = name;
    this.channel = FileChannel.open(file);
  }

  /** What the file says about the run so far. */
  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  /** Whether the recording has ended and all of it was read. */
  public boolean isComplete() {
    return complete;
  }

  /** The number of bytes read so far. */
  public long offset() {
    return offset;
  }

  /** The transactions that are on disk since the last call; null if there are none. */
  public History next() throws IOException, ParseException {
    if (complete || !readFileHead()) {
      return null;
    }
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(new Origin(name, AssayBinary.ID, Origin.Unit.OFFSET, List.of()));
    long from = offset;
    try {
      while (!complete && offset - from < ENOUGH && takeBlock(builder)) {}
    } catch (BadBlock e) {
      throw ParseException.atOffset(
          name, offset, e.getMessage(), "a block as recorders write it", null);
    }
    if (builder.transactionCount() == 0) {
      return null;
    }
    metadata.forEach(builder::metadata);
    return builder.build();
  }

  private boolean readFileHead() throws IOException, ParseException {
    if (offset > 0) {
      return true;
    }
    byte[] head = read(0, AssayBinaryFrame.FILE_HEAD);
    if (head == null) {
      return false;
    }
    if (!AssayBinaryFrame.startsWithMagic(head)
        || AssayBinaryFrame.version(head) != AssayBinaryFrame.VERSION) {
      throw ParseException.atOffset(
          name, 0, "not an .assay file of this version", "a recording of this version", null);
    }
    offset = AssayBinaryFrame.FILE_HEAD;
    return true;
  }

  /** Takes in the next block; false if it is not whole yet. */
  private boolean takeBlock(HistoryBuilder builder) throws IOException, BadBlock {
    byte[] head = read(offset, AssayBinaryFrame.SIZE);
    AssayBinaryFrame frame = head == null ? null : AssayBinaryFrame.read(head, offset);
    if (frame == null) {
      return false;
    }
    byte[] bytes = read(offset + AssayBinaryFrame.SIZE, frame.length());
    if (bytes == null || AssayBinaryFrame.checksum(bytes, 0, frame.length()) != frame.checksum()) {
      return false;
    }
    take(frame.type(), new AssayBinaryIn(bytes, frame.length()), builder);
    offset += (long) AssayBinaryFrame.SIZE + frame.length();
    return true;
  }

  /** Bytes of the file, with room for padding; null if not all of them are there. */
  private byte[] read(long from, int length) throws IOException {
    if (length < 0 || channel.size() < from + length) {
      return null;
    }
    byte[] bytes = new byte[length + AssayBinaryIn.PADDING];
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, from + buffer.position()) < 0) {
        return null;
      }
    }
    return bytes;
  }

  private void take(int type, AssayBinaryIn payload, HistoryBuilder builder) throws BadBlock {
    switch (type) {
      case AssayBinaryFrame.HEADER -> {
        if (payload.u8() != 0) {
          throw new BadBlock("a history whose initial value is not nil");
        }
        readPairs(payload);
      }
      case AssayBinaryFrame.METADATA -> readPairs(payload);
      case AssayBinaryFrame.DEFINITIONS -> readDefinitions(payload);
      case AssayBinaryFrame.JOURNAL -> addJournal(payload, builder);
      case AssayBinaryFrame.END -> complete = true;
      default -> throw new BadBlock("a block of type " + type);
    }
  }

  private void readPairs(AssayBinaryIn payload) throws BadBlock {
    int pairs = payload.count(payload.remaining(), "pairs of metadata");
    for (int i = 0; i < pairs; i++) {
      String key = payload.text();
      metadata.put(key, payload.text());
    }
  }

  private void readDefinitions(AssayBinaryIn payload) throws BadBlock {
    int entries = payload.count(payload.remaining(), "dictionary entries");
    int defined = dictionary.length;
    dictionary = Arrays.copyOf(dictionary, defined + entries);
    for (int i = 0; i < entries; i++) {
      dictionary[defined + i] = AssayBinaryScalars.read(payload, scalars);
    }
    int names = payload.count(Integer.MAX_VALUE, "sessions");
    for (long raw : AssayBinaryColumns.readScalars(payload, names, dictionary, dictionary.length)) {
      sessionNames.add(scalars.get(raw));
    }
    if (sessionNames.size() > sessionSizes.length) {
      sessionSizes = Arrays.copyOf(sessionSizes, 2 * sessionNames.size());
    }
  }

  private void addJournal(AssayBinaryIn payload, HistoryBuilder builder) throws BadBlock {
    long[] own = dictionary;
    if (dictionary.length > 2) {
      own = dictionary.clone();
      for (int i = 2; i < own.length; i++) {
        own[i] = builder.scalars().of(scalars.get(dictionary[i]));
      }
    }
    AssayBinaryDecoder block =
        new AssayBinaryJournalDecoder(payload, own, own.length, sessionNames.size()).decode();
    if (block.isGood()) {
      for (int i = 0; i < block.transactions; i++) {
        int session = (int) block.sessions[i];
        Object sessionName = sessionNames.get(session);
        int place = ++sessionSizes[session];
        if (block.ids[i] == RawScalars.NIL) {
          block.ids[i] = builder.scalars().of(sessionName + "/#" + place);
        }
        block.sessions[i] = builder.session(sessionName);
      }
    }
    block.addTo(builder, offset);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
