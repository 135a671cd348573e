package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.assay.spark.input.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The elements that were added to a set, and the reads of it. */
final class SetAccess extends Access {
  /** A read, by the places of what it saw among the elements of its block. */
  private static final class Read {
    final long position;
    final boolean committed;
    final BitSet seen;

    Read(long position, boolean committed, BitSet seen) {
      this.position = position;
      this.committed = committed;
      this.seen = seen;
    }
  }

  /** The reads of a block. */
  private static final class Reads {
    byte[][] elements = {};
    final ArrayList<Read> all = new ArrayList<>();
  }

  private final ArrayList<Append> adds = new ArrayList<>();
  private final ArrayList<Reads> blocks = new ArrayList<>();

  void add(byte[] element, long position, int how) {
    adds.add(new Append(element, position, how));
  }

  /** A read in the block that this is of. */
  void read(BitSet seen, long position, boolean committed) {
    if (blocks.isEmpty()) {
      blocks.add(new Reads());
    }
    blocks.get(0).all.add(new Read(position, committed, seen));
  }

  /** The elements that reads of the block saw, by their places. */
  void see(byte[][] elements) {
    blocks.get(0).elements = elements;
  }

  @Override
  public Access and(Access others) {
    SetAccess other = (SetAccess) others;
    adds.addAll(other.adds);
    blocks.addAll(other.blocks);
    return this;
  }

  /**
   * All reads in the order of their positions, by the places of what they saw among what was added;
   * null if they do not show that each element was added once, by a transaction that counts.
   */
  private List<Read> reads() {
    Map<Bytes, Integer> places = new HashMap<>();
    for (int i = 0; i < adds.size(); i++) {
      if (places.put(new Bytes(adds.get(i).element), i) != null) {
        return null;
      }
    }
    List<Read> reads = new ArrayList<>();
    for (Reads block : blocks) {
      int[] placeOf = new int[block.elements.length];
      for (int i = 0; i < placeOf.length; i++) {
        Integer place = places.get(new Bytes(block.elements[i]));
        if (place == null || adds.get(place).how == Version.ABORTED) {
          return null;
        }
        placeOf[i] = place;
      }
      for (Read read : block.all) {
        BitSet seen = new BitSet(adds.size());
        read.seen.stream().forEach(element -> seen.set(placeOf[element]));
        reads.add(new Read(read.position, read.committed, seen));
      }
    }
    reads.sort(Comparator.comparingLong(read -> read.position));
    return isCertain(reads) ? reads : null;
  }

  /** Whether all who added what was seen count. */
  private boolean isCertain(List<Read> reads) {
    BitSet open = new BitSet();
    for (Read read : reads) {
      open.or(read.seen);
    }
    for (Read read : reads) {
      if (read.committed) {
        open.andNot(read.seen);
      }
    }
    return open.stream().noneMatch(place -> adds.get(place).how == Version.INDETERMINATE);
  }

  @Override
  void keepTogether(LongPairs.Taking keep) {
    List<Read> reads = reads();
    if (reads == null) {
      keepAll(keep);
      return;
    }
    // The first read that saw an element, and the first one that shows that its writer counts.
    BitSet shown = new BitSet();
    BitSet certain = new BitSet();
    for (Read read : reads) {
      for (int place : newIn(read.seen, shown)) {
        keep.accept(read.position, adds.get(place).position);
      }
      if (read.committed) {
        for (int place : newIn(read.seen, certain)) {
          if (adds.get(place).how == Version.INDETERMINATE) {
            long own = adds.get(place).position;
            keep.accept(Math.min(own, read.position), Math.max(own, read.position));
          }
        }
      }
    }
    // The last read that did not see an element.
    BitSet missed = new BitSet();
    for (int i = 0; i < adds.size(); i++) {
      missed.set(i, adds.get(i).how == Version.ABORTED);
    }
    for (int i = reads.size() - 1; i >= 0; i--) {
      BitSet unseen = (BitSet) reads.get(i).seen.clone();
      unseen.flip(0, adds.size());
      for (int place : newIn(unseen, missed)) {
        keep.accept(adds.get(place).position, reads.get(i).position);
      }
    }
  }

  /** Those that are in the first and not in the second, to which they are added. */
  private static int[] newIn(BitSet some, BitSet known) {
    BitSet added = (BitSet) some.clone();
    added.andNot(known);
    known.or(added);
    return added.stream().toArray();
  }

  private void keepAll(LongPairs.Taking keep) {
    long first = Long.MAX_VALUE;
    long last = START;
    for (Append add : adds) {
      first = Math.min(first, add.position);
      last = Math.max(last, add.position);
    }
    for (Reads block : blocks) {
      for (Read read : block.all) {
        first = Math.min(first, read.position);
        last = Math.max(last, read.position);
      }
    }
    keep.accept(first, last);
  }

  /** What windows that read the set must know: the elements from before. */
  @Override
  public List<Carried> carried(byte[] key, Cuts cuts) {
    if (reads() == null) {
      return List.of();
    }
    Append[] sorted = adds.toArray(Append[]::new);
    Arrays.sort(sorted, Comparator.comparingLong(add -> add.position));
    Set<Integer> reading = new HashSet<>();
    for (Reads block : blocks) {
      block.all.forEach(read -> reading.add(cuts.window(read.position)));
    }
    List<Carried> carried = new ArrayList<>();
    for (int window : reading) {
      List<byte[]> before = new ArrayList<>();
      for (int i = 0; i < sorted.length && sorted[i].position < cuts.begin(window); i++) {
        if (sorted[i].how != Version.ABORTED) {
          before.add(sorted[i].element);
        }
      }
      if (!before.isEmpty()) {
        carried.add(Carried.members(window, key, before.toArray(byte[][]::new)));
      }
    }
    return carried;
  }

  @Override
  void write(Output out) {
    out.writeInt(adds.size(), true);
    for (Append add : adds) {
      add.write(out);
    }
    out.writeInt(blocks.size(), true);
    for (Reads block : blocks) {
      Elements.write(out, block.elements);
      out.writeInt(block.all.size(), true);
      for (Read read : block.all) {
        out.writeLong(read.position, false);
        out.writeBoolean(read.committed);
        Elements.write(out, read.seen.toByteArray());
      }
    }
  }

  static SetAccess read(Input in) {
    SetAccess set = new SetAccess();
    for (int left = in.readInt(true); left > 0; left--) {
      set.adds.add(Append.read(in));
    }
    for (int left = in.readInt(true); left > 0; left--) {
      Reads block = new Reads();
      block.elements = Elements.read(in);
      for (int reads = in.readInt(true); reads > 0; reads--) {
        long position = in.readLong(false);
        boolean committed = in.readBoolean();
        block.all.add(new Read(position, committed, BitSet.valueOf(Elements.readOne(in))));
      }
      set.blocks.add(block);
    }
    return set;
  }
}
