package dev.assay.spark.input;

import dev.assay.format.ParseException;
import dev.assay.history.History;
import java.io.Closeable;
import java.io.IOException;

/** Reads the transactions of a split, block by block. */
final class BlockReader implements Closeable {
  private final Split split;
  private final Pieces pieces;
  private long before;
  private long last;

  BlockReader(Split split, Pieces pieces) {
    this.split = split;
    this.pieces = pieces;
  }

  /** The next block, which may be empty; null at the end. */
  Block next() throws IOException, ParseException {
    History history = pieces.next();
    if (history == null) {
      return null;
    }
    Block block = new Block(history, split, before, last);
    before += history.transactionCount();
    last = block.size() == 0 ? last : block.position(block.size() - 1);
    return block;
  }

  /** The number of lines in the split so far. */
  long lines() {
    return pieces.lines();
  }

  /** Whether something in it is for a reader of the whole file only. */
  boolean isOdd() {
    return pieces.isOdd();
  }

  @Override
  public void close() throws IOException {
    pieces.close();
  }
}
