package dev.assay.format;

/** The UTF-8 byte order mark, which some editors put before a text. */
public final class Bom {
  private Bom() {}

  /** 3 when the bytes begin with a byte order mark, else 0. */
  public static int length(byte[] bytes, int start, int end) {
    boolean present =
        end - start >= 3
            && bytes[start] == (byte) 0xef
            && bytes[start + 1] == (byte) 0xbb
            && bytes[start + 2] == (byte) 0xbf;
    return present ? 3 : 0;
  }
}
