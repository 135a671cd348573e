package dev.assay.format.checkers;

import dev.assay.format.Input;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Decides from its first bytes whether a file, which has no magic number, is a dbcop history. */
final class DbcopHead {
  /** No count of a real run comes near; any eight letters, read as a number, lie above. */
  private static final long COUNT_LIMIT = 1L << 40;

  private static final int MAX_TEXT_BYTES = 4096;

  private final ByteBuffer head;

  private DbcopHead(byte[] head) {
    this.head = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Whether the header and the first transaction are as they should be.
   *
   * @param evenIfCut whether that can be said of a file too that ends before the first transaction
   *     does; then the reader has the better message
   */
  static boolean isPlausible(byte[] head, boolean evenIfCut) {
    return switch (new DbcopHead(head).judge()) {
      case YES -> true;
      case NO -> false;
      case CUT -> head.length > 0 && (evenIfCut || head.length == Input.HEAD_BYTES);
    };
  }

  private enum Judgement {
    YES,
    NO,
    /** Nothing is wrong up to where the head ends. */
    CUT
  }

  private Judgement judge() {
    for (int i = 0; i < Dbcop.HEADER_COUNTS; i++) {
      if (head.remaining() < Long.BYTES) {
        return Judgement.CUT;
      }
      if (!isCount(head.getLong())) {
        return Judgement.NO;
      }
    }
    for (int i = 0; i < 3; i++) {
      Judgement text = skipText();
      if (text != Judgement.YES) {
        return text;
      }
    }
    return judgeFirstTransaction();
  }

  private Judgement skipText() {
    if (head.remaining() < Long.BYTES) {
      return Judgement.CUT;
    }
    long bytes = head.getLong();
    if (bytes < 0 || bytes > MAX_TEXT_BYTES) {
      return Judgement.NO;
    }
    if (head.remaining() < bytes) {
      return Judgement.CUT;
    }
    ByteBuffer text = head.slice(head.position(), (int) bytes);
    head.position(head.position() + (int) bytes);
    try {
      StandardCharsets.UTF_8.newDecoder().decode(text);
      return Judgement.YES;
    } catch (CharacterCodingException e) {
      return Judgement.NO;
    }
  }

  private Judgement judgeFirstTransaction() {
    if (head.remaining() < Long.BYTES) {
      return Judgement.CUT;
    }
    long sessions = head.getLong();
    if (!isCount(sessions)) {
      return Judgement.NO;
    }
    for (long session = 0; session < sessions; session++) {
      if (head.remaining() < Long.BYTES) {
        return Judgement.CUT;
      }
      long transactions = head.getLong();
      if (transactions != 0) {
        return isCount(transactions) ? judgeEvents() : Judgement.NO;
      }
    }
    return head.hasRemaining() ? Judgement.NO : Judgement.YES;
  }

  private Judgement judgeEvents() {
    if (head.remaining() < Long.BYTES) {
      return Judgement.CUT;
    }
    long events = head.getLong();
    if (!isCount(events)) {
      return Judgement.NO;
    }
    for (long event = 0; event < events; event++) {
      if (head.remaining() < Dbcop.EVENT_BYTES) {
        return Judgement.CUT;
      }
      int at = head.position();
      if (!isFlag(head.get(at)) || !isFlag(head.get(at + Dbcop.EVENT_BYTES - 1))) {
        return Judgement.NO;
      }
      head.position(at + Dbcop.EVENT_BYTES);
    }
    if (!head.hasRemaining()) {
      return Judgement.CUT;
    }
    return isFlag(head.get()) ? Judgement.YES : Judgement.NO;
  }

  private static boolean isCount(long number) {
    return number >= 0 && number < COUNT_LIMIT;
  }

  private static boolean isFlag(byte b) {
    return b == 0 || b == 1;
  }
}
