package dev.assay.spark.input;

import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** What the blocks of a split give, made as it is asked for. */
public final class Blocks<T> implements Iterator<T> {
  /** What one block gives. */
  public interface Giving<T> {
    Iterator<T> of(Block block) throws IOException;
  }

  private final BlockReader reader;
  private final Giving<T> giving;
  private Iterator<T> current = Collections.emptyIterator();
  private boolean ended;

  public Blocks(Split split, Reading reading, Giving<T> giving) throws IOException {
    this.giving = giving;
    try {
      this.reader = reading.open(split);
    } catch (ParseException e) {
      throw changed(e);
    }
  }

  private static IllegalStateException changed(ParseException e) {
    return new IllegalStateException("the history changed while it was checked", e);
  }

  @Override
  public boolean hasNext() {
    try {
      while (!current.hasNext() && !ended) {
        Block block = reader.next();
        if (block == null) {
          ended = true;
          reader.close();
        } else {
          current = giving.of(block);
        }
      }
    } catch (ParseException e) {
      throw changed(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return current.hasNext();
  }

  @Override
  public T next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return current.next();
  }
}
