package dev.assay.format.binary;

import java.util.zip.CRC32C;

/**
 * The outer layer of an {@code .assay} file: its first bytes, and the frame before each block. The
 * layout is specified in {@code docs/assay-binary.md}.
 *
 * @param type one of the block types below
 * @param length of the payload
 * @param checksum CRC-32C of the payload
 */
record AssayBinaryFrame(int type, int length, int checksum) {
  /** A byte that no text begins with, the name, and a line end that text transfers would change. */
  private static final byte[] MAGIC = {(byte) 0x89, 'A', 'S', 'S', 'A', 'Y', '\r', '\n'};

  static final int VERSION = 1;

  /** Magic and version. */
  static final int FILE_HEAD = MAGIC.length + 4;

  /** Bytes of a frame: type, length, checksum of the payload, checksum of the frame. */
  static final int SIZE = 13;

  private static final int CHECKED = 9;

  static final int MAX_PAYLOAD = 1 << 30;

  static final int HEADER = 1;
  static final int DEFINITIONS = 2;
  static final int TRANSACTIONS = 3;
  static final int METADATA = 4;
  static final int END = 5;
  static final int JOURNAL = 6;
  static final int INITIAL = 7;

  static boolean startsWithMagic(byte[] head) {
    return head.length >= MAGIC.length
        && java.util.Arrays.equals(head, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  static void writeFileHead(AssayBinaryOut out) {
    out.raw(MAGIC);
    out.u32(VERSION);
  }

  static int version(byte[] fileHead) {
    return u32(fileHead, MAGIC.length);
  }

  /**
   * Fills in the frame of a block that goes to this offset of the file.
   *
   * @param block room for the frame, the payload, and perhaps more
   */
  static void fill(byte[] block, int type, int length, long offset) {
    block[0] = (byte) type;
    AssayBinaryOut.u32(block, 1, length);
    AssayBinaryOut.u32(block, 5, checksum(block, SIZE, length));
    AssayBinaryOut.u32(block, CHECKED, frameChecksum(block, offset));
  }

  /** Changes a frame to that of the same block at another offset. */
  static void move(byte[] frame, long offset) {
    AssayBinaryOut.u32(frame, CHECKED, frameChecksum(frame, offset));
  }

  /** The frame in these bytes, or null when its checksum is wrong. */
  static AssayBinaryFrame read(byte[] bytes, long offset) {
    if (u32(bytes, CHECKED) != frameChecksum(bytes, offset)) {
      return null;
    }
    return new AssayBinaryFrame(bytes[0] & 0xff, u32(bytes, 1), u32(bytes, 5));
  }

  static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return (int) crc.getValue();
  }

  /** Covers the offset too, so that a block that is missing, repeated or moved is noticed. */
  private static int frameChecksum(byte[] frame, long offset) {
    CRC32C crc = new CRC32C();
    for (int shift = 0; shift < 64; shift += 8) {
      crc.update((int) (offset >>> shift) & 0xff);
    }
    crc.update(frame, 0, CHECKED);
    return (int) crc.getValue();
  }

  private static int u32(byte[] bytes, int at) {
    return (bytes[at] & 0xff)
        | (bytes[at + 1] & 0xff) << 8
        | (bytes[at + 2] & 0xff) << 16
        | (bytes[at + 3] & 0xff) << 24;
  }
}
