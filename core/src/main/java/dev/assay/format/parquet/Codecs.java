package dev.assay.format.parquet;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** How pages are compressed. */
final class Codecs {
  static final int NONE = 0;
  static final int SNAPPY = 1;
  static final int GZIP = 2;
  static final int ZSTD = 6;

  /** No writer makes pages that are larger. */
  private static final int LARGEST_PAGE = 1 << 30;

  private Codecs() {}

  static byte[] unpack(int codec, byte[] packed, int from, int size, int unpacked)
      throws WrongParquet {
    if (unpacked > LARGEST_PAGE || unpacked < 0) {
      throw new WrongParquet("a page of " + unpacked + " bytes");
    }
    try {
      byte[] bytes =
          switch (codec) {
            case NONE -> Arrays.copyOfRange(packed, from, from + size);
            case SNAPPY -> Snappy.unpack(packed, from, from + size, unpacked);
            case GZIP -> {
              InputStream in = new ByteArrayInputStream(packed, from, size);
              yield all(new GZIPInputStream(in), unpacked);
            }
            case ZSTD -> all(Zstd.in(new ByteArrayInputStream(packed, from, size)), unpacked);
            default ->
                throw new WrongParquet(
                    "a compression of the number " + codec,
                    "no compression, Snappy, gzip or zstd",
                    "write the file with one of these");
          };
      if (bytes.length != unpacked) {
        throw new WrongParquet("a page that does not unpack to its size");
      }
      return bytes;
    } catch (WrongParquet e) {
      throw e;
    } catch (NoClassDefFoundError e) {
      throw new WrongParquet(
          "pages compressed with zstd, and zstd-jni is not on the class path",
          "another compression",
          "write the file with gzip or Snappy, or add com.github.luben:zstd-jni");
    } catch (IOException e) {
      throw new WrongParquet("a page whose compression is damaged");
    }
  }

  private static byte[] all(InputStream in, int size) throws IOException {
    try (in) {
      byte[] bytes = in.readNBytes(size);
      return in.read() < 0 ? bytes : new byte[0];
    }
  }

  static byte[] gzip(byte[] bytes, int size) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream(size / 4 + 64);
    try (Gzip out = new Gzip(packed)) {
      out.write(bytes, 0, size);
    }
    return packed.toByteArray();
  }

  /** Fast rather than small. */
  private static final class Gzip extends GZIPOutputStream {
    Gzip(ByteArrayOutputStream out) throws IOException {
      super(out, 1 << 16);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }

  /** Apart from the rest, so that zstd-jni is only needed where it is used. */
  private static final class Zstd {
    private Zstd() {}

    static InputStream in(InputStream in) throws IOException {
      return new com.github.luben.zstd.ZstdInputStream(in);
    }
  }
}
