package dev.assay.window;

import dev.assay.history.LongIndex;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Where the records of keys are whose names are integers, on disk: in pages of neighbouring names,
 * because names are usually counted up. Only the numbers of the pages are in memory.
 */
final class KeyIndex {
  /** There is no record. */
  static final long NONE = -1;

  private static final int PAGE_BITS = 6;
  private static final int PAGE = 1 << PAGE_BITS;
  private static final int PAGE_BYTES = PAGE * Long.BYTES;

  private final Scratch.Data file;
  private LongIndex pages = new LongIndex();
  private final byte[] number = new byte[Long.BYTES];

  KeyIndex(Scratch scratch) {
    this.file = scratch.file("index").temporary();
  }

  /** Where the record of a key is, or {@link #NONE}. */
  long find(long name) throws IOException {
    int page = pages.find(name >> PAGE_BITS);
    return page < 0 ? NONE : file.number(place(page, name)) - 1;
  }

  void put(long name, long place) throws IOException {
    int before = pages.size();
    int page = pages.indexOf(name >> PAGE_BITS);
    if (page == before) {
      file.append(new byte[PAGE_BYTES], 0, PAGE_BYTES);
    }
    // Zero is nothing.
    ByteBuffer.wrap(number).putLong(place + 1);
    file.write(place(page, name), number, 0, number.length);
  }

  private static long place(int page, long name) {
    return (long) page * PAGE_BYTES + (name & PAGE - 1) * Long.BYTES;
  }

  /** Takes each name with a record; changes it by returning another place. */
  interface Change {
    long apply(long name, long place) throws IOException;
  }

  /** Goes over all records; pages without records are given back. */
  void replaceAll(Change change) throws IOException {
    byte[] bytes = new byte[PAGE_BYTES];
    LongIndex kept = new LongIndex();
    for (int page = 0; page < pages.size(); page++) {
      file.read((long) page * PAGE_BYTES, bytes);
      ByteBuffer places = ByteBuffer.wrap(bytes);
      boolean used = false;
      for (int i = 0; i < PAGE; i++) {
        long place = places.getLong(i * Long.BYTES) - 1;
        if (place >= 0) {
          long name = pages.get(page) << PAGE_BITS | i;
          long moved = change.apply(name, place);
          places.putLong(i * Long.BYTES, moved + 1);
          used |= moved >= 0;
        }
      }
      if (used) {
        file.write((long) kept.indexOf(pages.get(page)) * PAGE_BYTES, bytes, 0, PAGE_BYTES);
      }
    }
    pages = kept;
    file.truncate((long) pages.size() * PAGE_BYTES);
  }
}
