package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import dev.assay.history.History;
import dev.assay.history.LongIndex;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import dev.assay.history.Sequences;
import dev.assay.history.Values;
import dev.assay.spark.input.Block;
import dev.assay.spark.input.Bytes;
import dev.assay.spark.input.Scalar;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import scala.Tuple2;

/**
 * What the transactions of a block do with each value of each register, with each list and set, and
 * in each session, by the name of what they are about.
 */
public final class Accesses {
  static final byte REGISTER = 'R';
  private static final byte LIST = 'L';
  private static final byte SET = 'T';
  private static final byte SESSION = 'S';
  private static final int HEAD = 1 + Integer.BYTES;

  private final Block block;
  private final History history;
  private final long[] boundaries;
  private final List<Tuple2<Bytes, Access>> found = new ArrayList<>();

  /** Keys of registers with values, each as a pair of codes, and what is known of them. */
  private final LongIndex pairs = new LongIndex();

  private final List<Version> versions = new ArrayList<>();

  /** By session. */
  private final SessionAccess[] sessions;

  /** By key, as bytes; made when needed. */
  private final byte[][] keys;

  /** By key: one more than the transaction that wrote it last in this direction. */
  private final int[] written;

  /** By key: its list, and the longest read of it. */
  private final ListAccess[] lists;

  private final int[] longest;

  /** By key: its set, and the elements that reads of it saw. */
  private final SetAccess[] sets;

  private final LongIndex[] members;

  private Accesses(Block block, long[] boundaries) {
    this.block = block;
    this.history = block.history;
    this.boundaries = boundaries;
    int count = history.keys().count();
    keys = new byte[count][];
    sessions = new SessionAccess[history.sessionCount()];
    written = new int[count];
    lists = new ListAccess[count];
    longest = new int[count];
    Arrays.fill(longest, -1);
    sets = new SetAccess[count];
    members = new LongIndex[count];
  }

  /** What a block has. */
  public static Iterator<Tuple2<Bytes, Access>> of(Block block, long[] boundaries) {
    Accesses accesses = new Accesses(block, boundaries);
    for (int txn = 0; txn < block.size(); txn++) {
      accesses.add(txn);
    }
    accesses.addSessions();
    accesses.addVersions();
    accesses.addLists();
    accesses.addSets();
    return accesses.found.iterator();
  }

  /** Where the key begins in a name. */
  static int keyFrom(byte[] names, int name) {
    return name + (names[name] == REGISTER ? HEAD : 1);
  }

  /** The length of the key in a name; that of a register has the value after it. */
  static int keyLength(byte[] names, int name, int nameLength) {
    return names[name] == REGISTER ? ByteBuffer.wrap(names).getInt(name + 1) : nameLength - 1;
  }

  /** What is known of something with such a name, after {@link Access#write}. */
  static Access read(byte[] names, int name, Input in) {
    return switch (names[name]) {
      case REGISTER -> {
        Version version = new Version();
        version.readFrom(in);
        yield version;
      }
      case LIST -> ListAccess.read(in);
      case SET -> SetAccess.read(in);
      case SESSION -> SessionAccess.read(in);
      default -> throw new IllegalStateException("not a name: " + names[name]);
    };
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
      } else if (kind == OpKind.ADD) {
        set(key).add(scalar(history.value(op)), position, how);
      } else if (history.value(op) != Values.UNKNOWN && how != Version.ABORTED) {
        if (kind == OpKind.READ) {
          version(op).read(position, bucket, how == Version.COMMITTED);
        } else if (kind == OpKind.SET_READ) {
          readSet(key, history.value(op), position, how == Version.COMMITTED);
        } else {
          read(key, history.value(op), position, how == Version.COMMITTED);
        }
      }
    }
  }

  private SessionAccess session(int txn) {
    int session = history.session(txn);
    if (sessions[session] == null) {
      sessions[session] = new SessionAccess();
    }
    return sessions[session];
  }

  private void addSessions() {
    for (int session = 0; session < sessions.length; session++) {
      if (sessions[session] != null) {
        byte[] name = Scalar.bytes(history.sessionName(session));
        found.add(new Tuple2<>(named(SESSION, name), sessions[session]));
      }
    }
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
    long pair = (long) history.key(op) << 32 | history.value(op) & 0xFFFFFFFFL;
    int place = pairs.indexOf(pair);
    if (place == versions.size()) {
      versions.add(new Version());
    }
    Version version = versions.get(place);
    if (history.hasInitialValue(op)) {
      version.flags |= Version.INITIAL;
    }
    return version;
  }

  private void addVersions() {
    for (int i = 0; i < versions.size(); i++) {
      byte[] key = key((int) (pairs.get(i) >> 32));
      byte[] value = scalar((int) pairs.get(i));
      ByteBuffer name = ByteBuffer.allocate(HEAD + key.length + value.length);
      name.put(REGISTER).putInt(key.length).put(key).put(value);
      found.add(new Tuple2<>(new Bytes(name.array()), versions.get(i)));
    }
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
      found.add(new Tuple2<>(named(LIST, key(key)), lists[key]));
    }
  }

  private SetAccess set(int key) {
    if (sets[key] == null) {
      sets[key] = new SetAccess();
    }
    return sets[key];
  }

  private void readSet(int key, int sequence, long position, boolean committed) {
    if (members[key] == null) {
      members[key] = new LongIndex();
    }
    Sequences sequences = history.sequences();
    BitSet seen = new BitSet();
    for (int i = 0; i < sequences.length(sequence); i++) {
      seen.set(members[key].indexOf(sequences.element(sequence, i)));
    }
    set(key).read(seen, position, committed);
  }

  private void addSets() {
    for (int key = 0; key < sets.length; key++) {
      if (members[key] != null) {
        byte[][] elements = new byte[members[key].size()][];
        for (int i = 0; i < elements.length; i++) {
          elements[i] = scalar((int) members[key].get(i));
        }
        sets[key].see(elements);
      }
      if (sets[key] != null) {
        found.add(new Tuple2<>(named(SET, key(key)), sets[key]));
      }
    }
  }

  private static Bytes named(byte type, byte[] name) {
    return new Bytes(ByteBuffer.allocate(name.length + 1).put(type).put(name).array());
  }
}
