package dev.assay.format.jepsen;

import dev.assay.format.ParseException;
import dev.assay.format.PieceReader;
import dev.assay.history.RawScalars;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;

/** Pieces of a history in EDN, or of Jepsen's {@code history.txt}. */
final class EdnPiece implements JepsenPieces.Notation {
  private final String name;
  private final TopLevel topLevel = new TopLevel(true);
  private final JepsenEdn.LogLines logLines = new JepsenEdn.LogLines();
  private JepsenEdn.Layout layout = JepsenEdn.Layout.OTHER;
  private long otherLines;

  EdnPiece(String name) {
    this.name = name;
  }

  @Override
  public int whole(byte[] bytes, int from, int to) {
    int lines = PieceReader.wholeLines(bytes, from, to);
    if (layout == JepsenEdn.Layout.OTHER) {
      if (lines == 0) {
        return 0;
      }
      layout = JepsenEdn.layout(Arrays.copyOfRange(bytes, from, from + lines));
    }
    return layout == JepsenEdn.Layout.TEXT ? lines : topLevel.whole(bytes, from, to);
  }

  @Override
  public void read(byte[] bytes, int from, int to, long before, JepsenOps ops, RawScalars scalars)
      throws IOException, ParseException {
    if (layout == JepsenEdn.Layout.OTHER) {
      layout = JepsenEdn.layout(Arrays.copyOfRange(bytes, from, to));
    }
    boolean text = layout == JepsenEdn.Layout.TEXT;
    byte[] piece =
        text ? Arrays.copyOfRange(bytes, from, to) : topLevel.sideBySide(bytes, from, to);
    EdnScanner scanner = new EdnScanner(name, new ByteArrayInputStream(piece));
    scanner.countAfter(before);
    EdnOps reader = new EdnOps(scanner, scalars);
    if (text) {
      otherLines += new JepsenText(scanner, reader, ops).read();
    } else {
      JepsenEdn.readMaps(scanner, reader, ops, logLines);
    }
  }

  @Override
  public void finish(JepsenOps ops) throws ParseException {
    if (topLevel.inVector()) {
      throw ParseException.ofFile(
          name, "the file ends inside its vector", "] at its end", "the file may be cut short");
    }
    logLines.finish(name, ops);
    if (otherLines > 0) {
      ops.skippedLines(otherLines);
    }
  }

  @Override
  public void nextFile() {
    topLevel.nextFile();
  }
}
