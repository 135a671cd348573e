package dev.assay.format.checkers;

import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.Losses;
import dev.assay.format.OperationPlaces;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.OpKind;
import dev.assay.history.Origin;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The binary histories of dbcop, {@code history.bincode}: little-endian and without framing, so
 * that only the end of the file shows whether every count was right. Value 0 is the initial value.
 * The counts in the header are what the run was asked to do, not what the file holds; they are not
 * used.
 */
public final class Dbcop implements HistoryFormat {
  /** The file that dbcop writes into the folder of a run. */
  private static final String FILE = "history.bincode";

  private static final String SUFFIX = ".bincode";

  /** The id of the run, sessions, keys, transactions and events. */
  static final int HEADER_COUNTS = 5;

  /** One byte, two longs, one byte. */
  static final int EVENT_BYTES = 18;

  /** Far more than a name or a date needs. */
  private static final int MAX_TEXT_BYTES = 1 << 24;

  /** A history counts its operations and transactions in ints. */
  private static final long MAX_COUNT = Integer.MAX_VALUE - 8;

  /** Means no time: dbcop itself refuses a text here that is not a date. */
  static final String NO_TIME = "1970-01-01T00:00:00+00:00";

  private static final String HINT =
      "the file is damaged, or not a dbcop history; name its format with --format";

  @Override
  public String id() {
    return "dbcop";
  }

  @Override
  public String title() {
    return "dbcop, PolySI, VeriStrong: history.bincode, little-endian binary";
  }

  @Override
  public List<String> extensions() {
    return List.of(SUFFIX);
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    if (input.isFolder()) {
      return fileIn(input) != null;
    }
    String name = input.name().toLowerCase(Locale.ROOT).replaceAll("\\.(gz|zst)$", "");
    return DbcopHead.isPlausible(input.head(), name.endsWith(SUFFIX));
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    Input file = file(input);
    try (BinaryReader reader = new BinaryReader(file.open(), file.name())) {
      return new Reading(reader).history(file.name());
    }
  }

  private static Input file(Input input) throws IOException, ParseException {
    if (!input.isFolder()) {
      return input;
    }
    Path path = fileIn(input);
    if (path == null) {
      throw ParseException.ofFile(
          input.name(), "has no " + FILE, "a folder that dbcop wrote", null);
    }
    return input.part(path);
  }

  @Override
  public void locate(Input input, History history, OperationPlaces places)
      throws IOException, ParseException {
    Input file = file(input);
    try (BinaryReader reader = new BinaryReader(file.open(), file.name())) {
      for (int txn : places.wanted()) {
        reader.skipTo(history.position(txn));
        long events = reader.littleLong("the number of events");
        for (long i = 0; i < events; i++) {
          long at = reader.offset();
          reader.need(EVENT_BYTES, "an event");
          reader.skipTo(at + EVENT_BYTES - 1);
          if (reader.takeByte() == 1) {
            places.note(txn, at);
          }
        }
      }
    }
  }

  /** The note on operations that failed inside transactions that committed. */
  static String failedEvents(long transactions) {
    String subject =
        Losses.counted(
            transactions, "committed transaction contains", "committed transactions contain");
    return subject + " failed operations, which were left out";
  }

  private static Path fileIn(Input folder) throws IOException {
    for (String packing : List.of("", ".gz", ".zst")) {
      for (Path path : folder.files(FILE + packing)) {
        if (path.getFileName().toString().equals(FILE + packing)) {
          return path;
        }
      }
    }
    return null;
  }

  /** One file on its way into a builder. */
  private final class Reading {
    private final BinaryReader reader;
    private final HistoryBuilder builder = new HistoryBuilder();
    private long operations;
    private long committedWithFailures;

    Reading(BinaryReader reader) {
      this.reader = reader;
    }

    History history(String name) throws IOException, ParseException {
      builder.origin(new Origin(name, id(), Origin.Unit.OFFSET, List.of()));
      builder.zeroIsInitial(true);
      readHeader();
      long sessions = count("sessions");
      for (long i = 0; i < sessions; i++) {
        int session = builder.rawSession(i);
        long transactions = count("transactions");
        for (long j = 0; j < transactions; j++) {
          readTransaction(session);
        }
      }
      if (!reader.atEnd()) {
        throw reader.wrong(reader.offset(), "more data", "the end of the file", HINT);
      }
      if (committedWithFailures > 0) {
        builder.metadata("note.failed-events", failedEvents(committedWithFailures));
      }
      return builder.build();
    }

    private void readHeader() throws IOException, ParseException {
      for (int i = 0; i < HEADER_COUNTS; i++) {
        reader.littleLong("the counts of the header");
      }
      for (String label : List.of("info", "start", "end")) {
        String what = "the text \"" + label + "\" in the header";
        long at = reader.offset();
        long bytes = reader.littleLong(what);
        if (bytes < 0 || bytes > MAX_TEXT_BYTES) {
          throw reader.wrong(
              at,
              "a text of " + Long.toUnsignedString(bytes) + " bytes",
              what + ", at most " + MAX_TEXT_BYTES + " bytes",
              HINT);
        }
        String text = reader.text((int) bytes, what);
        if (!text.isEmpty() && !text.equals(NO_TIME)) {
          builder.metadata(label, text);
        }
      }
    }

    private void readTransaction(int session) throws IOException, ParseException {
      long at = reader.offset();
      long events = count("events");
      operations += events;
      if (operations > MAX_COUNT || builder.transactionCount() >= MAX_COUNT) {
        throw reader.wrong(
            at, "more than 2 billion operations", "a history that fits in memory", HINT);
      }
      int txn = builder.begin(session, Outcome.COMMITTED);
      builder.position(txn, at);
      boolean failures = false;
      for (long i = 0; i < events; i++) {
        failures |= !readEvent();
      }
      reader.need(1, "whether the transaction succeeded");
      if (!flag("whether the transaction succeeded")) {
        builder.outcome(txn, Outcome.ABORTED);
      } else if (failures) {
        committedWithFailures++;
      }
    }

    /** Reads an event and says whether it succeeded. */
    private boolean readEvent() throws IOException, ParseException {
      reader.need(EVENT_BYTES, "an event of " + EVENT_BYTES + " bytes");
      boolean isWrite = flag("whether the event is a write");
      long key = reader.takeLittleLong();
      long value = reader.takeLittleLong();
      boolean success = flag("whether the event succeeded");
      if (success) {
        builder.op(
            isWrite ? OpKind.WRITE : OpKind.READ,
            builder.scalars().of(key),
            builder.scalars().of(value));
      }
      return success;
    }

    private boolean flag(String what) throws ParseException {
      int b = reader.takeByte();
      if (b > 1) {
        throw reader.wrong(reader.offset() - 1, "the byte " + b, "0 or 1, " + what, HINT);
      }
      return b == 1;
    }

    private long count(String what) throws IOException, ParseException {
      long at = reader.offset();
      long count = reader.littleLong("the number of " + what);
      if (count < 0 || count > MAX_COUNT) {
        throw reader.wrong(
            at,
            Long.toUnsignedString(count) + " " + what,
            "a number of " + what + " that fits in memory",
            HINT);
      }
      return count;
    }
  }

  @Override
  public boolean isWritable() {
    return true;
  }

  @Override
  public List<String> losses(History history) {
    return new Losses(history)
        .integerRegistersOnly()
        .zeroIsInitial()
        .withoutInitialState()
        .phrases();
  }

  @Override
  public void write(History history, OutputStream out) throws IOException {
    new DbcopWriter(history).write(out);
  }
}
