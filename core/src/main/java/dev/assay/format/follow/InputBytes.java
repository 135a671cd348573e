package dev.assay.format.follow;

import dev.assay.format.Input;
import dev.assay.format.ParseException;
import java.io.IOException;
import java.io.InputStream;

/** The bytes of an input that is complete, unpacked. */
public final class InputBytes implements ByteSource {
  private final InputStream in;

  public InputBytes(Input input) throws IOException, ParseException {
    this.in = input.open();
  }

  @Override
  public int read(byte[] bytes, int from, int length) throws IOException {
    int n = in.read(bytes, from, length);
    return n < 0 ? END : n;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
