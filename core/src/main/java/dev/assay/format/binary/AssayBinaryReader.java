package dev.assay.format.binary;

import dev.assay.format.CutShort;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.TextBlocks;
import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.function.LongUnaryOperator;

/**
 * Reads an {@code .assay} file front to back. Blocks of transactions are decoded on all cores and
 * added in order.
 *
 * <p>A recording that was cut short differs from a damaged file in what follows the first block
 * that is not whole: nothing, or only the zeros that some file systems leave after a power failure,
 * means that the recorder stopped there; anything else means damage.
 */
final class AssayBinaryReader {
  /** Payloads up to this size are read in one go; larger ones only as far as the file goes. */
  private static final int TRUSTED_LENGTH = 1 << 24;

  private static final int MAX_IN_HISTORY = Integer.MAX_VALUE - 8;

  private final Input input;
  private final HistoryBuilder builder = new HistoryBuilder();
  private final AssayBinaryDefinitions definitions = new AssayBinaryDefinitions(builder.scalars());
  private final Deque<Pending> pending = new ArrayDeque<>();
  private final int maxPending =
      TextBlocks.atOnce(
          2 * ForkJoinPool.getCommonPoolParallelism() + 2,
          TextBlocks.heap(),
          TextBlocks.BLOCK_BYTES);

  private final AssayBinaryTarget target = new AssayBinaryTarget(builder);
  private InputStream in;
  private long offset;
  private long transactions;
  private long operations;

  private boolean cutShort;

  /** Bytes after the last complete block of a recording that was cut short. */
  private long dropped;

  private record Block(int type, AssayBinaryIn in, long offset) {
    /** Those are decoded meanwhile. */
    boolean hasTransactions() {
      return type == AssayBinaryFrame.TRANSACTIONS || type == AssayBinaryFrame.JOURNAL;
    }
  }

  private record Pending(ForkJoinTask<AssayBinaryDecoder> block, long offset) {}

  AssayBinaryReader(Input input) {
    this.input = input;
  }

  History read() throws IOException, ParseException {
    builder.origin(new Origin(input.name(), AssayBinary.ID, Origin.Unit.OFFSET, List.of()));
    try (InputStream opened = input.open()) {
      in = opened;
      readFileHead();
      readBlocks();
    } finally {
      pending.forEach(p -> p.block().cancel(false));
    }
    try {
      History history = builder.build();
      return cutShort || AssayBinaryParts.isCut(history.metadata())
          ? CutShort.certain(history)
          : history;
    } catch (ArithmeticException | IllegalStateException e) {
      throw tooLarge();
    }
  }

  private void readFileHead() throws IOException, ParseException {
    byte[] head = in.readNBytes(AssayBinaryFrame.FILE_HEAD);
    if (head.length < AssayBinaryFrame.FILE_HEAD || !AssayBinaryFrame.startsWithMagic(head)) {
      throw ParseException.atOffset(
          input.name(), 0, "not an .assay file", "the first bytes of an .assay file", null);
    }
    int version = AssayBinaryFrame.version(head);
    if (version != AssayBinaryFrame.VERSION) {
      throw ParseException.atOffset(
          input.name(),
          AssayBinaryFrame.FILE_HEAD - 4,
          "version " + Integer.toUnsignedString(version) + " of the .assay format",
          "version " + AssayBinaryFrame.VERSION,
          "read it with a newer Assay");
    }
    offset = head.length;
  }

  private void readBlocks() throws IOException, ParseException {
    Block block = nextBlock();
    if (block == null || block.type() != AssayBinaryFrame.HEADER) {
      throw ParseException.atOffset(
          input.name(),
          AssayBinaryFrame.FILE_HEAD,
          block == null ? "the file ends within its header" : "a block of type " + block.type(),
          "a header block",
          block == null ? "nothing was recorded before the recorder stopped" : null);
    }
    boolean ended = false;
    while (block != null && !ended) {
      try {
        ended = handle(block);
      } catch (BadBlock e) {
        throw bad(block.offset(), e);
      }
      if (!ended) {
        block = nextBlock();
      }
    }
    definitions.declareTo(builder, LongUnaryOperator.identity());
    if (ended) {
      requireNothingAfter();
    } else {
      addPending(0);
      cutShort = true;
      builder.metadata(Origin.CUT_SHORT, truncated(dropped));
    }
  }

  static String truncated(long dropped) {
    return "the recording was cut short"
        + (dropped == 0
            ? " after a complete block"
            : ": " + dropped + " bytes after the last complete block were dropped");
  }

  // ---- frames

  /** The next whole block, or null where the recording was cut short. */
  private Block nextBlock() throws IOException, ParseException {
    byte[] bytes = in.readNBytes(AssayBinaryFrame.SIZE);
    if (bytes.length < AssayBinaryFrame.SIZE) {
      dropped = bytes.length;
      return null;
    }
    AssayBinaryFrame frame = AssayBinaryFrame.read(bytes, offset);
    if (frame == null) {
      dropped = bytes.length + zerosToTheEnd("the frame of a block is damaged");
      return null;
    }
    int length = frame.length();
    if (length < 0 || length > AssayBinaryFrame.MAX_PAYLOAD) {
      throw bad(offset, new BadBlock("a block of " + Integer.toUnsignedString(length) + " bytes"));
    }
    byte[] payload = new byte[Math.min(length, TRUSTED_LENGTH) + AssayBinaryIn.PADDING];
    int got = in.readNBytes(payload, 0, Math.min(length, TRUSTED_LENGTH));
    if (got == TRUSTED_LENGTH && length > TRUSTED_LENGTH) {
      byte[] rest = in.readNBytes(length - TRUSTED_LENGTH);
      payload = Arrays.copyOf(payload, length + AssayBinaryIn.PADDING);
      System.arraycopy(rest, 0, payload, got, rest.length);
      got += rest.length;
    }
    if (got < length) {
      dropped = (long) bytes.length + got;
      return null;
    }
    if (AssayBinaryFrame.checksum(payload, 0, length) != frame.checksum()) {
      long zeros = zerosToTheEnd("the checksum of a block does not match its content");
      dropped = (long) bytes.length + length + zeros;
      return null;
    }
    Block block = new Block(frame.type(), new AssayBinaryIn(payload, length), offset);
    offset += (long) bytes.length + length;
    return block;
  }

  /** The number of zeros up to the end of the file; anything but zeros is damage. */
  private long zerosToTheEnd(String damage) throws IOException, ParseException {
    byte[] chunk = new byte[1 << 16];
    long zeros = 0;
    while (true) {
      int n = in.readNBytes(chunk, 0, chunk.length);
      for (int i = 0; i < n; i++) {
        if (chunk[i] != 0) {
          throw ParseException.atOffset(
              input.name(), offset, damage, "a whole block", "copy the file again");
        }
      }
      zeros += n;
      if (n < chunk.length) {
        return zeros;
      }
    }
  }

  private void requireNothingAfter() throws IOException, ParseException {
    if (in.read() >= 0) {
      throw ParseException.atOffset(
          input.name(),
          offset,
          "data after the end block",
          "the end of the file",
          "files of this format cannot be joined end to end; convert them one by one");
    }
  }

  // ---- blocks

  /** Takes in a block; true when it is the last. */
  private boolean handle(Block block) throws BadBlock, ParseException {
    AssayBinaryIn payload = block.in();
    if (block.hasTransactions()) {
      decode(definitions.decoder(block.type(), payload), block);
      return false;
    }
    if (block.type() != AssayBinaryFrame.END) {
      int sessions = definitions.sessions();
      definitions.read(block.type(), payload, block.offset());
      definitions.addSessions(sessions, builder, LongUnaryOperator.identity());
      return false;
    }
    addPending(0);
    if (payload.varint() != transactions || payload.varint() != operations) {
      throw new BadBlock("totals that are not those of the file");
    }
    if (payload.remaining() > 0) {
      throw new BadBlock("more bytes than a block of type " + block.type() + " has");
    }
    return true;
  }

  private void decode(AssayBinaryDecoder decoder, Block block) throws ParseException {
    pending.add(new Pending(ForkJoinPool.commonPool().submit(decoder::decode), block.offset()));
    addPending(maxPending);
  }

  /** Adds decoded blocks to the history until only this many are left. */
  private void addPending(int left) throws ParseException {
    while (pending.size() > left) {
      Pending next = pending.remove();
      try {
        AssayBinaryDecoder block = next.block().join();
        transactions += block.transactions;
        operations += block.operations;
        if (transactions > MAX_IN_HISTORY || operations > MAX_IN_HISTORY) {
          throw tooLarge();
        }
        block.addTo(target, next.offset());
      } catch (BadBlock e) {
        throw bad(next.offset(), e);
      }
    }
  }

  private ParseException bad(long blockOffset, BadBlock e) {
    return ParseException.atOffset(
        input.name(),
        blockOffset,
        e.getMessage(),
        "a block as the format specifies it",
        "the checksum is right, so the program that wrote this block is at fault");
  }

  private ParseException tooLarge() {
    return ParseException.ofFile(
        input.name(),
        "has more operations, transactions or distinct large values than fit in memory tables",
        "at most 2^31 operations",
        "check the history in parts");
  }
}
