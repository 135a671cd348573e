package dev.assay.spark;

import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import scala.Tuple2;

/**
 * What the transactions of a block do with each value of each register, with each list and in each
 * session. What they are about is the key to shuffle by.
 */
final class Accesses {
  private static final byte REGISTER = 'R';
  private static final byte LIST = 'L';
  private static final byte SESSION = 'S';
  private static final int HEAD = 1 + Integer.BYTES;

  private final Block block;
  private final History history;
  private final long[] boundaries;
  private final Map<Bytes, Access> found = new HashMap<>();

  /** By key, as bytes; made when needed. */
  private final byte[][] keys;

  /** By key: one more than the transaction that wrote it last in this direction. */
  private final int[] written;

  /** By key: its list, and the longest read of it. */
  private final ListAccess[] lists;

  private final int[] longest;

  private Accesses(Block block, long[] boundaries) {
    this.block = block;
    this.history = block.history;
    this.boundaries = boundaries;
    int count = history.keys().count();
    keys = new byte[count][];
    written = new int[count];
    lists = new ListAccess[count];
    longest = new int[count];
    Arrays.fill(longest, -1);
  }

  /** What a block has. */
  static Iterator<Tuple2<Bytes, Access>> of(Block block, long[] boundaries) {
    Accesses accesses = new Accesses(block, boundaries);
    for (int txn = 0; txn < block.size(); txn++) {
      accesses.add(txn);
    }
    accesses.addLists();
    List<Tuple2<Bytes, Access>> pairs = new ArrayList<>();
    accesses.found.forEach((key, access) -> pairs.add(new Tuple2<>(key, access)));
    return pairs.iterator();
  }

  /** The bytes of the key and the value of a register, or of the key of a list. */
  static byte[] name(Bytes key) {
    int from = key.content[0] == REGISTER ? HEAD : 1;
    return Arrays.copyOfRange(key.content, from, key.content.length);
  }

  /** The bytes of the key alone. */
  static byte[] keyOf(Bytes key) {
    if (key.content[0] != REGISTER) {
      return name(key);
    }
    int length = ByteBuffer.wrap(key.content).getInt(1);
    return Arrays.copyOfRange(key.content, HEAD, HEAD + length);
  }

  private void add(int txn) {
    Outcome outcome = history.outcome(txn);
    long position = block.position(txn);
    int bucket = Cuts.countUpTo(boundaries, position);
    int how =
        outcome == Outcome.COMMITTED
            ? Version.COMMITTED
            : outcome == Outcome.ABORTED ? Version.ABORTED : Version.INDETERMINATE;
    session(txn).add(block.number(txn), position);
    // Backward: the last write of a key is the one that others may see.
    for (int op = history.endOp(txn) - 1; op >= history.firstOp(txn); op--) {
      OpKind kind = history.kind(op);
      int key = history.key(op);
      if (kind == OpKind.WRITE) {
        boolean last = written[key] != txn + 1;
        written[key] = txn + 1;
        byte[] writer = Writer.bytes(block, txn, op);
        version(op).write(position, last ? how : Version.INTERMEDIATE, writer);
      } else if (kind == OpKind.APPEND) {
        list(key).append(scalar(history.value(op)), position, how);
      } else if (history.value(op) != Values.UNKNOWN && how != Version.ABORTED) {
        if (kind == OpKind.READ) {
          version(op).read(position, bucket, how == Version.COMMITTED);
        } else {
          read(key, history.value(op), position, how == Version.COMMITTED);
        }
      }
    }
  }

  private SessionAccess session(int txn) {
    byte[] name = Scalar.bytes(history.sessionName(history.session(txn)));
    Bytes key = new Bytes(ByteBuffer.allocate(name.length + 1).put(SESSION).put(name).array());
    return (SessionAccess) found.computeIfAbsent(key, k -> new SessionAccess());
  }

  private byte[] key(int key) {
    if (keys[key] == null) {
      keys[key] = Scalar.bytes(history.keys().get(key));
    }
    return keys[key];
  }

  private byte[] scalar(int code) {
    return Scalar.bytes(history.values().get(code));
  }

  private Version version(int op) {
    byte[] key = key(history.key(op));
    byte[] value = scalar(history.value(op));
    ByteBuffer name = ByteBuffer.allocate(HEAD + key.length + value.length);
    name.put(REGISTER).putInt(key.length).put(key).put(value);
    Version version = (Version) found.computeIfAbsent(new Bytes(name.array()), k -> new Version());
    if (history.hasInitialValue(op)) {
      version.flags |= Version.INITIAL;
    }
    return version;
  }

  private ListAccess list(int key) {
    if (lists[key] == null) {
      lists[key] = new ListAccess();
    }
    return lists[key];
  }

  private void read(int key, int sequence, long position, boolean committed) {
    Sequences sequences = history.sequences();
    int before = longest[key];
    int length = sequences.length(sequence);
    boolean longer = before < 0 || length > sequences.length(before);
    int common = before < 0 ? 0 : Math.min(length, sequences.length(before));
    for (int i = 0; i < common; i++) {
      if (sequences.element(sequence, i) != sequences.element(before, i)) {
        list(key).odd();
        break;
      }
    }
    longest[key] = longer ? sequence : before;
    list(key).read(length, position, committed);
  }

  private void addLists() {
    for (int key = 0; key < lists.length; key++) {
      if (lists[key] == null) {
        continue;
      }
      if (longest[key] >= 0) {
        byte[][] trace = new byte[history.sequences().length(longest[key])][];
        for (int i = 0; i < trace.length; i++) {
          trace[i] = scalar(history.sequences().element(longest[key], i));
        }
        lists[key].see(trace);
      }
      byte[] name = key(key);
      found.put(
          new Bytes(ByteBuffer.allocate(name.length + 1).put(LIST).put(name).array()), lists[key]);
    }
  }
}
