package dev.assay.format.checkers;

import dev.assay.format.IntegerRegisters;
import dev.assay.history.History;
import dev.assay.history.Outcome;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Writes the registers of a history the way dbcop does. */
final class DbcopWriter {
  private final History history;
  private final IntegerRegisters registers;
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private OutputStream out;

  DbcopWriter(History history) {
    this.history = history;
    this.registers = new IntegerRegisters(history);
  }

  void write(OutputStream destination) throws IOException {
    out = destination;
    writeHeader();
    putLong(history.sessionCount());
    for (int session = 0; session < history.sessionCount(); session++) {
      putLong(sessionSize(session));
      for (int place = 0; place < history.sessionSize(session); place++) {
        int txn = history.sessionTransaction(session, place);
        if (isWritten(txn)) {
          writeTransaction(txn);
        }
      }
    }
    flush();
    out.flush();
  }

  /** The counts are those of dbcop: transactions of a session and events of a transaction. */
  private void writeHeader() throws IOException {
    int longestSession = 0;
    for (int session = 0; session < history.sessionCount(); session++) {
      longestSession = Math.max(longestSession, sessionSize(session));
    }
    int longestTransaction = 0;
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      longestTransaction = Math.max(longestTransaction, isWritten(txn) ? registers.count(txn) : 0);
    }
    putLong(0);
    putLong(history.sessionCount());
    putLong(history.keys().count());
    putLong(longestSession);
    putLong(longestTransaction);
    putText(history.metadata().getOrDefault("info", ""));
    putText(history.metadata().getOrDefault("start", Dbcop.NO_TIME));
    putText(history.metadata().getOrDefault("end", Dbcop.NO_TIME));
  }

  private void writeTransaction(int txn) throws IOException {
    putLong(registers.count(txn));
    for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
      if (registers.has(op)) {
        room(Dbcop.EVENT_BYTES);
        buffer.put((byte) (history.kind(op).isWrite() ? 1 : 0));
        buffer.putLong(registers.key(op));
        buffer.putLong(registers.value(op));
        buffer.put((byte) 1);
      }
    }
    room(1);
    buffer.put((byte) (history.isCommitted(txn) ? 1 : 0));
  }

  /** An indeterminate transaction did not fail, and it is not known that it succeeded. */
  private boolean isWritten(int txn) {
    return history.outcome(txn) != Outcome.INDETERMINATE;
  }

  private int sessionSize(int session) {
    int size = 0;
    for (int place = 0; place < history.sessionSize(session); place++) {
      size += isWritten(history.sessionTransaction(session, place)) ? 1 : 0;
    }
    return size;
  }

  private void putLong(long number) throws IOException {
    room(Long.BYTES);
    buffer.putLong(number);
  }

  private void putText(String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    putLong(bytes.length);
    flush();
    out.write(bytes);
  }

  private void room(int bytes) throws IOException {
    if (buffer.remaining() < bytes) {
      flush();
    }
  }

  private void flush() throws IOException {
    out.write(buffer.array(), 0, buffer.position());
    buffer.clear();
  }
}
