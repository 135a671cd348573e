package dev.assay.format;

import java.util.Arrays;
import java.util.Random;

/** Damages files in the ways disks, editors and interrupted copies do. */
public final class Mutations {
  private Mutations() {}

  /** A damaged copy: cut, bits flipped, bytes inserted, deleted, replaced or a piece doubled. */
  public static byte[] mutate(byte[] original, Random random) {
    byte[] bytes = original.clone();
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && bytes.length > 0; i++) {
      int at = random.nextInt(bytes.length);
      int to = at + random.nextInt(Math.min(bytes.length - at, 32) + 1);
      switch (random.nextInt(6)) {
        case 0 -> bytes = Arrays.copyOf(bytes, at);
        case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
        case 2 -> bytes[at] = (byte) random.nextInt(256);
        case 3 -> bytes = spliced(bytes, at, to, new byte[0]);
        case 4 -> bytes = spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, to));
        default -> {
          byte[] noise = new byte[1 + random.nextInt(16)];
          random.nextBytes(noise);
          bytes = spliced(bytes, at, at, noise);
        }
      }
    }
    return bytes;
  }

  private static byte[] spliced(byte[] bytes, int from, int to, byte[] middle) {
    byte[] result = new byte[from + middle.length + bytes.length - to];
    System.arraycopy(bytes, 0, result, 0, from);
    System.arraycopy(middle, 0, result, from, middle.length);
    System.arraycopy(bytes, to, result, from + middle.length, bytes.length - to);
    return result;
  }
}
