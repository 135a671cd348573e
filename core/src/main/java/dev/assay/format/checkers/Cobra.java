package dev.assay.format.checkers;

import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.OperationPlaces;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import dev.assay.history.RawScalars;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/**
 * The logs of Cobra's clients: a folder with one file per session, big-endian records without
 * framing. What a transaction wrote is named by the transaction and the number of the write, and a
 * read says which of these it saw; the value of a version is therefore the number of that pair. The
 * hash of the stored bytes, which records hold too, adds nothing to that, unless the log says that
 * it alone names the version.
 */
public final class Cobra implements HistoryFormat {
  /** The writer of what was there before the run. */
  private static final long INITIAL_WRITER = 0xbebeebeeL;

  /** The writer of a key that is not there. */
  private static final long NULL_WRITER = 0xdeadbeefL;

  /**
   * The writer, and the number of the write, where the value alone names the write. VeriStrong's
   * workloads log this, so that values which are written twice stay ambiguous.
   */
  private static final long NAMED_BY_VALUE = 0xabddefeeL;

  private static final String HINT = "the log is damaged, or not one of Cobra";

  @Override
  public String id() {
    return "cobra";
  }

  @Override
  public String title() {
    return "Cobra, VeriStrong: a folder of *.log, big-endian binary, one file per session";
  }

  @Override
  public List<String> extensions() {
    return List.of();
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    return beginsLikeALog(LogFolder.of(input, "").head());
  }

  /** Whether the first record starts a transaction and another record follows it. */
  private static boolean beginsLikeALog(byte[] head) {
    int second = recordBytes('S');
    return head.length > 0
        && head[0] == 'S'
        && (head.length <= second || recordBytes(head[second]) > 0)
        && !isText(head);
  }

  /** Numbers of transactions do not come as eight letters. */
  private static boolean isText(byte[] head) {
    for (int i = 1; i < Math.min(recordBytes('S'), head.length); i++) {
      if (head[i] < ' ') {
        return false;
      }
    }
    return true;
  }

  /** The length of a record with its tag, or 0 where no record has this tag. */
  private static int recordBytes(int tag) {
    return switch (tag) {
      case 'S', 'C' -> 1 + Long.BYTES;
      case 'W' -> 1 + 3 * Long.BYTES;
      case 'R' -> 1 + 4 * Long.BYTES;
      default -> 0;
    };
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    LogFolder folder = LogFolder.of(input, "");
    folder.requireFiles("a folder of .log files");
    HistoryBuilder builder = new HistoryBuilder();
    builder.origin(folder.origin(id(), Origin.Unit.OFFSET));
    Names names = new Names(builder.scalars());
    for (int i = 0; i < folder.size(); i++) {
      Input part = folder.part(i);
      try (BinaryReader reader = new BinaryReader(part.open(), part.name())) {
        if (!reader.atEnd()) {
          new Log(reader, builder, names, folder.session(i, builder), i).read();
        }
      } catch (IOException e) {
        throw part.explained(e);
      }
    }
    return builder.build();
  }

  @Override
  public void locate(Input input, History history, OperationPlaces places)
      throws IOException, ParseException {
    LogFolder folder = LogFolder.of(input, "");
    int next = 0;
    for (int i = 0; i < folder.size() && next < places.wanted().size(); i++) {
      if (history.file(places.wanted().get(next)) != i) {
        continue;
      }
      Input part = folder.part(i);
      try (BinaryReader reader = new BinaryReader(part.open(), part.name())) {
        while (next < places.wanted().size() && history.file(places.wanted().get(next)) == i) {
          int txn = places.wanted().get(next++);
          reader.skipTo(history.position(txn) + recordBytes('S'));
          while (!places.complete(txn) && !reader.atEnd()) {
            places.note(txn, reader.offset());
            reader.skipTo(reader.offset() + recordBytes(reader.peekByte()));
          }
        }
      }
    }
  }

  /** The keys and versions of all files as raw scalars. */
  private static final class Names {
    private final RawScalars scalars;
    private final PairIndex versions = new PairIndex();

    /** Keys beyond the signed range, which only a BigInteger can hold. */
    private final LongIndex wideKeys = new LongIndex();

    private long[] rawWideKeys = new long[16];

    Names(RawScalars scalars) {
      this.scalars = scalars;
    }

    long key(long unsigned) {
      if (unsigned >= 0) {
        return unsigned;
      }
      int known = wideKeys.size();
      int index = wideKeys.indexOf(unsigned);
      if (index == known) {
        if (index == rawWideKeys.length) {
          rawWideKeys = Arrays.copyOf(rawWideKeys, index * 2);
        }
        rawWideKeys[index] = scalars.of(new BigInteger(Long.toUnsignedString(unsigned)));
      }
      return rawWideKeys[index];
    }

    long version(long writer, long writeId) {
      return 1 + versions.indexOf(writer, writeId);
    }
  }

  /** One file on its way into the builder. */
  private static final class Log {
    private static final int NONE = -1;

    private final BinaryReader reader;
    private final HistoryBuilder builder;
    private final Names names;
    private final int session;
    private final int file;
    private int txn = NONE;
    private long txnId;

    Log(BinaryReader reader, HistoryBuilder builder, Names names, int session, int file) {
      this.reader = reader;
      this.builder = builder;
      this.names = names;
      this.session = session;
      this.file = file;
    }

    void read() throws IOException, ParseException {
      while (!reader.atEnd()) {
        long at = reader.offset();
        int tag = reader.takeByte();
        int bytes = recordBytes(tag);
        if (bytes == 0) {
          throw reader.wrong(
              at, "a record that begins with the byte " + tag, "one of S, C, W, R", HINT);
        }
        reader.need(bytes - 1, "the rest of a record of " + bytes + " bytes");
        if (tag == 'S') {
          begin(at);
        } else {
          requireOpen(at, (char) tag);
          switch (tag) {
            case 'C' -> commit(at);
            case 'W' -> write();
            default -> readVersion(at);
          }
        }
      }
    }

    /** Begins a transaction; it did not commit unless the log says so. */
    private void begin(long at) {
      txnId = reader.takeBigLong();
      txn = builder.begin(session, Outcome.ABORTED);
      builder.id(txn, builder.scalars().of(txnId));
      builder.position(txn, at);
      builder.file(txn, file);
    }

    private void commit(long at) throws ParseException {
      long id = reader.takeBigLong();
      if (id != txnId) {
        throw reader.wrong(
            at, "a commit of transaction " + id, "a commit of the open one, " + txnId, HINT);
      }
      builder.outcome(txn, Outcome.COMMITTED);
      txn = NONE;
    }

    private void write() {
      long writeId = reader.takeBigLong();
      long key = reader.takeBigLong();
      long value = reader.takeBigLong();
      boolean byValue = writeId == NAMED_BY_VALUE;
      builder.op(
          OpKind.WRITE,
          names.key(key),
          byValue ? names.version(NAMED_BY_VALUE, value) : names.version(txnId, writeId));
    }

    private void readVersion(long at) throws ParseException {
      long writer = reader.takeBigLong();
      long writeId = reader.takeBigLong();
      long key = reader.takeBigLong();
      long value = reader.takeBigLong();
      boolean byValue = writer == NAMED_BY_VALUE;
      if (byValue != (writeId == NAMED_BY_VALUE)) {
        throw reader.wrong(
            at,
            "a read that names either the writer or the write by the value",
            "0x" + Long.toHexString(NAMED_BY_VALUE) + " for both or for neither",
            HINT);
      }
      boolean initial = writer == INITIAL_WRITER || writer == NULL_WRITER;
      long version = initial ? RawScalars.NIL : names.version(writer, byValue ? value : writeId);
      builder.op(OpKind.READ, names.key(key), version);
    }

    private void requireOpen(long at, char tag) throws ParseException {
      if (txn == NONE) {
        throw reader.wrong(
            at, "a record " + tag + " outside a transaction", "a record S that begins one", HINT);
      }
    }
  }
}
