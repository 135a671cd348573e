package dev.assay.spark.input;

import dev.assay.format.ParseException;
import dev.assay.format.binary.AssayBinaryRanges;
import dev.assay.history.History;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;

/** Reads some blocks of an {@code .assay} file. */
final class RangePieces implements Pieces {
  private final AssayBinaryRanges.Reader reader;

  RangePieces(Split split, Configuration hadoop) throws IOException, ParseException {
    Source source = split.source;
    reader = new AssayBinaryRanges.Reader(source.name, source.random(hadoop), split.range);
  }

  @Override
  public History next() throws IOException, ParseException {
    return reader.next();
  }

  @Override
  public boolean isOdd() {
    return reader.refersBack();
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
