package dev.assay.format.binary;

import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import dev.assay.history.RawScalars;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads an {@code .assay} file some blocks at a time, while it is recorded or because it is large.
 * The bytes that {@link AssayBinaryWriter} hands to its stream can be read so in the same process:
 * each call hands over whole blocks.
 *
 * <p>Kept from piece to piece are the definitions, which any later block may refer to, and the
 * longest read of each list unless the file is a recording, which refers to none.
 */
final class AssayBinaryPieces implements PieceReader {
  private final String name;
  private final Origin origin;
  private RawScalars scalars;
  private AssayBinaryDefinitions definitions;
  private AssayBinaryLists lists;

  /** Bytes of the file that were read. */
  private long offset;

  private long transactions;
  private long operations;
  private boolean ended;

  /** The number of transactions of each session so far. */
  private final Map<Object, Integer> places = new HashMap<>();

  AssayBinaryPieces(String name) {
    this(name, Origin.Unit.OFFSET);
  }

  /** The same where places in the files that are read may mean nothing. */
  AssayBinaryPieces(String name, Origin.Unit unit) {
    this.name = name;
    this.origin = new Origin(name, AssayBinary.ID, unit, List.of());
    nextFile();
  }

  @Override
  public void nextFile() {
    scalars = new RawScalars();
    definitions = new AssayBinaryDefinitions(scalars);
    lists = new AssayBinaryLists();
    offset = 0;
    transactions = 0;
    operations = 0;
    ended = false;
  }

  /** What is read next is at this offset of the file: blocks before it are left out. */
  void continueAt(long place) {
    offset = place;
  }

  /** What the file says about the run so far. */
  Map<String, String> metadata() {
    return definitions.metadata();
  }

  /** Whether the file is complete, and all of it was read. */
  boolean isComplete() {
    return ended;
  }

  @Override
  public int whole(byte[] bytes, int from, int to) {
    int next = from;
    if (offset == 0) {
      if (to - from < AssayBinaryFrame.FILE_HEAD) {
        return 0;
      }
      next += AssayBinaryFrame.FILE_HEAD;
    }
    while (to - next >= AssayBinaryFrame.SIZE) {
      AssayBinaryFrame frame = frame(bytes, next, offset + next - from);
      boolean damaged = frame == null ? !isZero(bytes, next, to) : !isPossible(frame);
      if (damaged) {
        // Damaged: read() says so.
        return to - from;
      }
      if (frame == null || frame.length() > to - next - AssayBinaryFrame.SIZE) {
        break;
      }
      next += AssayBinaryFrame.SIZE + frame.length();
    }
    return next - from;
  }

  /** Some file systems show zeros before what was written, or after a power failure. */
  private static boolean isZero(byte[] bytes, int from, int to) {
    for (int i = from; i < to; i++) {
      if (bytes[i] != 0) {
        return false;
      }
    }
    return true;
  }

  private static boolean isPossible(AssayBinaryFrame frame) {
    return frame.length() >= 0 && frame.length() <= AssayBinaryFrame.MAX_PAYLOAD;
  }

  private static AssayBinaryFrame frame(byte[] bytes, int at, long offset) {
    return AssayBinaryFrame.read(Arrays.copyOfRange(bytes, at, at + AssayBinaryFrame.SIZE), offset);
  }

  @Override
  public History read(byte[] bytes, int from, int to) throws ParseException {
    AssayBinaryPieceTarget target =
        new AssayBinaryPieceTarget(new HistoryBuilder(), scalars, lists);
    int next = from;
    if (offset == 0) {
      readFileHead(bytes, from, to);
      next += AssayBinaryFrame.FILE_HEAD;
      offset = AssayBinaryFrame.FILE_HEAD;
    }
    int sessions = 0;
    while (next < to) {
      if (ended) {
        throw at(offset, "data after the end block", "the end of the file");
      }
      AssayBinaryFrame frame =
          to - next < AssayBinaryFrame.SIZE ? null : frame(bytes, next, offset);
      if (frame == null || !isPossible(frame)) {
        throw at(offset, "the frame of a block is damaged", "a whole block");
      }
      int payload = next + AssayBinaryFrame.SIZE;
      if (AssayBinaryFrame.checksum(bytes, payload, frame.length()) != frame.checksum()) {
        throw at(offset, "the checksum of a block does not match its content", "a whole block");
      }
      int end = payload + frame.length();
      byte[] block = Arrays.copyOfRange(bytes, payload, end + AssayBinaryIn.PADDING);
      try {
        definitions.addSessions(sessions, target.builder(), target::scalar);
        sessions = definitions.sessions();
        add(frame.type(), new AssayBinaryIn(block, frame.length()), target);
      } catch (BadBlock e) {
        throw at(offset, e.getMessage(), "a block as the format specifies it");
      }
      offset += end - next;
      next = end;
    }
    return history(target);
  }

  private void readFileHead(byte[] bytes, int from, int to) throws ParseException {
    byte[] head = Arrays.copyOfRange(bytes, from, Math.min(to, from + AssayBinaryFrame.FILE_HEAD));
    if (head.length < AssayBinaryFrame.FILE_HEAD || !AssayBinaryFrame.startsWithMagic(head)) {
      throw at(0, "not an .assay file", "the first bytes of an .assay file");
    }
    if (AssayBinaryFrame.version(head) != AssayBinaryFrame.VERSION) {
      throw at(
          AssayBinaryFrame.FILE_HEAD - 4,
          "version "
              + Integer.toUnsignedString(AssayBinaryFrame.version(head))
              + " of the .assay format",
          "version " + AssayBinaryFrame.VERSION);
    }
  }

  private void add(int type, AssayBinaryIn payload, AssayBinaryPieceTarget target) throws BadBlock {
    switch (type) {
      case AssayBinaryFrame.TRANSACTIONS, AssayBinaryFrame.JOURNAL -> {
        if (type == AssayBinaryFrame.JOURNAL) {
          lists.shareNothing();
        }
        AssayBinaryDecoder decoder = definitions.decoder(type, payload);
        decoder.decode().addTo(target, offset);
        transactions += decoder.transactions;
        operations += decoder.operations;
      }
      case AssayBinaryFrame.END -> {
        if (payload.varint() != transactions || payload.varint() != operations) {
          throw new BadBlock("totals that are not those of the file");
        }
        ended = true;
      }
      default -> definitions.read(type, payload, offset);
    }
  }

  private History history(AssayBinaryPieceTarget target) {
    HistoryBuilder builder = target.builder();
    builder.origin(origin);
    definitions.declareTo(builder, target::scalar);
    builder.nameAfter(places);
    return builder.build();
  }

  @Override
  public History finish(byte[] bytes, int from, int to) throws ParseException {
    if (ended && from < to) {
      throw at(offset, "data after the end block", "the end of the file");
    }
    AssayBinaryPieceTarget target =
        new AssayBinaryPieceTarget(new HistoryBuilder(), scalars, lists);
    if (!ended) {
      target.builder().metadata(Origin.CUT_SHORT, AssayBinaryReader.truncated(to - from));
    }
    return history(target);
  }

  private ParseException at(long place, String found, String expected) {
    return ParseException.atOffset(name, place, found, expected, null);
  }
}
