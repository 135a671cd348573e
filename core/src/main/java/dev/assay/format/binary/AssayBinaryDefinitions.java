package dev.assay.format.binary;

import dev.assay.format.LongList;
import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.HistoryBuilder;
import dev.assay.history.LongIndex;
import dev.assay.history.RawScalars;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/** What the blocks of an {@code .assay} file say so far, beside the transactions. */
final class AssayBinaryDefinitions {
  private static final int MAX_SESSIONS = Integer.MAX_VALUE - 8;

  private final RawScalars scalars;
  private long[] dictionary = {RawScalars.NIL, RawScalars.UNKNOWN};
  private int defined = 2;

  /** The raw names of the sessions, by their numbers. */
  private final LongIndex sessions = new LongIndex();

  private final Map<String, String> metadata = new LinkedHashMap<>();
  private boolean zeroIsInitial;
  private long initialOfOthers = RawScalars.NIL;
  private final LongList initialKeys = new LongList();
  private final LongList initialValues = new LongList();

  /** Definitions whose scalars go to a dictionary. */
  AssayBinaryDefinitions(RawScalars scalars) {
    this.scalars = scalars;
  }

  Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  int sessions() {
    return sessions.size();
  }

  /** A decoder of a block of transactions that follows. */
  AssayBinaryDecoder decoder(int type, AssayBinaryIn payload) {
    return type == AssayBinaryFrame.JOURNAL
        ? new AssayBinaryJournalDecoder(payload, dictionary, defined, sessions.size())
        : new AssayBinaryBlockDecoder(payload, dictionary, defined, sessions.size());
  }

  /** Takes in a block that has no transactions and is not the end. */
  void read(int type, AssayBinaryIn payload, long offset) throws BadBlock {
    switch (type) {
      case AssayBinaryFrame.HEADER -> {
        if (offset != AssayBinaryFrame.FILE_HEAD) {
          throw new BadBlock("a second header");
        }
        int flags = payload.u8();
        if (flags > 1) {
          throw new BadBlock("flags " + flags);
        }
        zeroIsInitial = flags == 1;
        initialOfOthers = zeroIsInitial ? 0 : RawScalars.NIL;
        readPairs(payload);
      }
      case AssayBinaryFrame.DEFINITIONS -> readDefinitions(payload);
      case AssayBinaryFrame.METADATA -> readPairs(payload);
      case AssayBinaryFrame.INITIAL -> readInitialState(payload);
      default -> throw new BadBlock("a block of type " + type);
    }
    if (payload.remaining() > 0) {
      throw new BadBlock("more bytes than a block of type " + type + " has");
    }
  }

  private void readPairs(AssayBinaryIn payload) throws BadBlock {
    int pairs = payload.count(payload.remaining(), "pairs of metadata");
    for (int i = 0; i < pairs; i++) {
      String name = payload.text();
      metadata.put(name, payload.text());
    }
  }

  private void readInitialState(AssayBinaryIn payload) throws BadBlock {
    initialOfOthers = value(payload, 1)[0];
    int count = payload.count(AssayBinary.MAX_INITIAL, "initial values");
    initialKeys.addAll(
        AssayBinaryColumns.readScalars(payload, count, dictionary, defined), 0, count);
    initialValues.addAll(value(payload, count), 0, count);
  }

  private long[] value(AssayBinaryIn payload, int count) throws BadBlock {
    long[] values = AssayBinaryColumns.readScalars(payload, count, dictionary, defined);
    for (long value : values) {
      if (value == RawScalars.UNKNOWN) {
        throw new BadBlock("an unknown initial value");
      }
    }
    return values;
  }

  private void readDefinitions(AssayBinaryIn payload) throws BadBlock {
    int entries = payload.count(payload.remaining(), "dictionary entries");
    if (defined + entries > dictionary.length) {
      // A copy, because blocks that are being decoded still look into the old one.
      dictionary = Arrays.copyOf(dictionary, Math.max(defined + entries, defined * 2));
    }
    for (int i = 0; i < entries; i++) {
      dictionary[defined + i] = AssayBinaryScalars.read(payload, scalars);
    }
    defined += entries;
    int names = payload.count(MAX_SESSIONS, "sessions");
    for (long name : AssayBinaryColumns.readScalars(payload, names, dictionary, defined)) {
      int number = sessions.size();
      if (name == RawScalars.UNKNOWN || sessions.indexOf(name) != number) {
        throw new BadBlock("session " + number + " has no name of its own");
      }
    }
  }

  /** Adds the sessions from a number on, which then have the same numbers there. */
  void addSessions(int from, HistoryBuilder builder, LongUnaryOperator scalar) {
    for (int i = from; i < sessions.size(); i++) {
      builder.rawSession(scalar.applyAsLong(sessions.get(i)));
    }
  }

  /** Adds the metadata and the initial state. */
  void declareTo(HistoryBuilder builder, LongUnaryOperator scalar) {
    metadata.forEach(builder::metadata);
    builder.rawInitially(scalar.applyAsLong(initialOfOthers));
    for (int i = 0; i < initialKeys.size(); i++) {
      builder.rawInitially(
          scalar.applyAsLong(initialKeys.get(i)), scalar.applyAsLong(initialValues.get(i)));
    }
  }
}
