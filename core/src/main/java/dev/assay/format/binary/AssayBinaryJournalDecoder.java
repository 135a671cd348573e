package dev.assay.format.binary;

import dev.assay.format.LongList;
import dev.assay.format.binary.AssayBinaryIn.BadBlock;
import dev.assay.history.History;
import dev.assay.history.OpBuffer;
import dev.assay.history.OpKind;
import dev.assay.history.RawScalars;

/** Decodes transactions that {@link AssayBinaryJournal} wrote. */
final class AssayBinaryJournalDecoder extends AssayBinaryDecoder {
  /** No operation takes fewer bytes: its kind and key, and its value. */
  private static final int MIN_OPERATION = 8;

  private final LongList allSessions = new LongList();
  private final LongList allOutcomes = new LongList();
  private final LongList allSizes = new LongList();
  private final LongList allIds = new LongList();
  private final LongList[] allOptional = new LongList[OPTIONAL_COLUMNS];
  private final LongList allErrors = new LongList();
  private final LongList allLevels = new LongList();
  private final LongList allLengths = new LongList();
  private final LongList allElements = new LongList();
  private final LongList allConditions = new LongList();
  private final LongList allRowCounts = new LongList();
  private final LongList allResults = new LongList();
  private int lists;
  private int highestText = -1;
  private int session;
  private long end;

  AssayBinaryJournalDecoder(AssayBinaryIn in, long[] dictionary, int defined, int sessionCount) {
    super(in, dictionary, defined, sessionCount);
    for (int i = 0; i < OPTIONAL_COLUMNS; i++) {
      allOptional[i] = new LongList();
    }
  }

  @Override
  void decodePayload() throws BadBlock {
    int length = in.u32();
    if (length < 0 || length > in.remaining()) {
      throw new BadBlock(Integer.toUnsignedString(length) + " bytes of words");
    }
    ops = new OpBuffer(length / MIN_OPERATION + 1);
    int wordsEnd = in.place() + length;
    while (in.place() < wordsEnd) {
      decodeTransaction();
    }
    if (in.place() > wordsEnd) {
      throw new BadBlock("a transaction that goes on after the words");
    }
    decodeTexts();
    operations = ops.size();
    sessions = allSessions.array();
    outcomes = allOutcomes.array();
    sizes = allSizes.array();
    ids = allIds.array();
    for (int i = 0; i < OPTIONAL_COLUMNS; i++) {
      if (allOptional[i].size() > 0) {
        allOptional[i].fill(transactions, History.ABSENT);
        optional[i] = allOptional[i].array();
      }
    }
    errors = allErrors.array();
    if (allLevels.size() > 0) {
      allLevels.fill(transactions, 0);
      levels = allLevels.array();
    }
    sequenceReads = allLengths.size();
    lengths = allLengths.array();
    prefixes = new long[lists];
    elements = allElements.array();
    predicateOps = allConditions.size();
    conditions = allConditions.array();
    rowCounts = allRowCounts.array();
    results = allResults.array();
  }

  private void decodeTransaction() throws BadBlock {
    int head = in.u32();
    int size = head >>> AssayBinaryJournal.SIZE_SHIFT;
    if (size > in.remaining() / MIN_OPERATION) {
      throw new BadBlock(size + " operations in " + in.remaining() + " bytes");
    }
    int outcome = head & AssayBinaryJournal.OUTCOME;
    session = (head & AssayBinaryJournal.SAME_SESSION) != 0 ? session : in.u32();
    if (outcome >= OUTCOMES || session < 0 || session >= sessionCount) {
      throw new BadBlock("outcome " + outcome + " in session " + session + " of " + sessionCount);
    }
    allOutcomes.add(outcome);
    allSessions.add(session);
    allSizes.add(size);
    if ((head & AssayBinaryJournal.MORE) != 0) {
      decodeMore();
    } else {
      allIds.add(RawScalars.NIL);
      allErrors.add(0);
      long start = end + in.u32();
      end = start + in.u32();
      addOptional(0, start);
      addOptional(1, end);
    }
    transactions++;
    for (int i = 0; i < size; i++) {
      decodeOperation();
    }
  }

  private void decodeMore() throws BadBlock {
    int present = in.u32();
    if (present < 0 || present >= AssayBinaryJournal.LEVEL << 1) {
      throw new BadBlock("a transaction with the flags " + Integer.toUnsignedString(present));
    }
    for (int i = 0; i < OPTIONAL_COLUMNS; i++) {
      if ((present & 1 << i) != 0) {
        addOptional(i, in.u64());
      }
    }
    allIds.add((present & AssayBinaryJournal.ID) == 0 ? RawScalars.NIL : known(scalar(true)));
    allErrors.add((present & AssayBinaryJournal.ERROR) == 0 ? 0 : 1 + text());
    if ((present & AssayBinaryJournal.LEVEL) != 0) {
      allLevels.fill(transactions, 0);
      allLevels.add(1 + text());
    }
  }

  private void addOptional(int column, long number) {
    allOptional[column].fill(transactions, History.ABSENT);
    allOptional[column].add(number);
  }

  private void decodeOperation() throws BadBlock {
    int head = in.u32();
    int code = head & AssayBinaryJournal.KIND;
    if (code >= KINDS) {
      throw new BadBlock("operation kind " + code + " of " + KINDS);
    }
    OpKind kind = OpKind.of(code);
    boolean wideValue = (head & AssayBinaryJournal.WIDE_VALUE) != 0;
    // Ids of conditions and of what was read are set when the block is added.
    if (kind.isPredicate()) {
      ops.add(kind, 0, 0);
      allConditions.add(text());
      allRowCounts.add(in.u32());
      allResults.add(scalar(true));
    } else if (kind.readsSequence()) {
      ops.add(kind, key(head), 0);
      decodeElements(kind, wideValue);
    } else {
      ops.add(kind, key(head), scalar(wideValue));
    }
  }

  private void decodeElements(OpKind kind, boolean wide) throws BadBlock {
    int count = in.u32();
    if (count == AssayBinaryJournal.UNKNOWN_RESULT) {
      allLengths.add(0);
      return;
    }
    if (count < 0 || count > in.remaining() / (wide ? 8 : 4)) {
      throw new BadBlock(Integer.toUnsignedString(count) + " elements");
    }
    for (int i = 0; i < count; i++) {
      allElements.add(known(scalar(wide)));
    }
    allLengths.add(1L + count);
    lists += kind == OpKind.LIST_READ ? 1 : 0;
  }

  private long key(int head) throws BadBlock {
    boolean wide = (head & AssayBinaryJournal.WIDE_KEY) != 0;
    return wide ? known(scalar(true)) : head >> AssayBinaryJournal.KEY_SHIFT;
  }

  private long scalar(boolean wide) throws BadBlock {
    long raw = wide ? in.u64() : in.u32();
    if (RawScalars.isInteger(raw)) {
      return raw;
    }
    long reference = raw - Long.MIN_VALUE;
    if (reference >= defined) {
      throw new BadBlock("a reference to dictionary entry " + reference + " of " + defined);
    }
    return dictionary[(int) reference];
  }

  private static long known(long raw) throws BadBlock {
    if (raw == RawScalars.UNKNOWN) {
      throw new BadBlock("an unknown key, element or id");
    }
    return raw;
  }

  /** The number of a text that comes after the words. */
  private int text() throws BadBlock {
    int number = in.u32();
    if (number < 0) {
      throw new BadBlock("text " + Integer.toUnsignedString(number));
    }
    highestText = Math.max(highestText, number);
    return number;
  }

  private void decodeTexts() throws BadBlock {
    int count = in.u32();
    if (count < 0 || count > in.remaining() || count <= highestText) {
      throw new BadBlock(Integer.toUnsignedString(count) + " texts");
    }
    texts = new String[count];
    for (int i = 0; i < count; i++) {
      texts[i] = in.text();
    }
    if (in.remaining() > 0) {
      throw new BadBlock(in.remaining() + " bytes after the last text");
    }
  }
}
