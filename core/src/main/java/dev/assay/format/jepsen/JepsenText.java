package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import java.io.IOException;

/**
 * Jepsen's {@code history.txt}: a line an operation, with its process, type, function, value and
 * error side by side. All but the error are EDN.
 */
final class JepsenText {
  private final EdnScanner scanner;
  private final EdnOps reader;
  private final JepsenOps ops;
  private final JepsenOp op = new JepsenOp();

  JepsenText(EdnScanner scanner, EdnOps reader, JepsenOps ops) {
    this.scanner = scanner;
    this.reader = reader;
    this.ops = ops;
  }

  /** Reads all lines, and returns how many of them hold no operation. */
  long read() throws IOException, ParseException {
    long logLines = 0;
    while (scanner.next() != EdnScanner.EOF) {
      if (readLine()) {
        ops.accept(op);
      } else {
        logLines++;
      }
      scanner.skipLine();
    }
    return logLines;
  }

  /** Reads a line; false where it is none of an operation. */
  private boolean readLine() throws IOException, ParseException {
    op.clear(scanner.formLine(), scanner.formColumn());
    int c = scanner.peek();
    boolean integer = scanner.integer();
    if (!integer && c != ':') {
      return false;
    }
    if (integer) {
      op.process = scanner.value();
    } else {
      scanner.token();
      op.otherProcess = scanner.tokenText();
    }
    if (!scanner.lineGoesOn() || scanner.peek() != ':') {
      return false;
    }
    reader.type(op);
    if (op.problem != null) {
      return false;
    }
    if (scanner.lineGoesOn()) {
      reader.function(op);
    }
    if (scanner.lineGoesOn()) {
      reader.value(op);
    }
    if (scanner.lineGoesOn()) {
      scanner.capture();
      scanner.skipLine();
      op.error = scanner.captured().strip();
    }
    return true;
  }
}
