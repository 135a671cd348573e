package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import dev.assay.spark.input.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import scala.Tuple2;

/**
 * Accesses with their names, many of them in one array of bytes. Each is the name and the access,
 * both with their lengths before them.
 */
public final class Packed {
  /** How many bytes a task keeps before it sends them on. */
  private static final int SENT_BYTES = 1 << 24;

  /** About how many bytes of what is known of names are in one array. */
  private static final int KEPT_BYTES = 1 << 20;

  private static final int LEAST_BYTES = 1 << 10;

  private Packed() {}

  /** Goes through the accesses in an array. */
  public static final class Cursor {
    private final byte[] bytes;
    private final Input in;
    private final Version version = new Version();
    private int name;
    private int nameLength;
    private int access;
    private int end;

    public Cursor(byte[] bytes) {
      this.bytes = bytes;
      this.in = new Input(bytes);
    }

    /** Goes to the next one; false at the end. */
    public boolean next() {
      if (end == bytes.length) {
        return false;
      }
      in.setPosition(end);
      nameLength = in.readInt(true);
      name = in.position();
      access = name + nameLength;
      in.setPosition(access);
      int length = in.readInt(true);
      end = in.position() + length;
      return true;
    }

    /** The bytes of the key and the value of a register, or of the key of a list or set. */
    public byte[] name() {
      return Arrays.copyOfRange(bytes, Accesses.keyFrom(bytes, name), name + nameLength);
    }

    /** The access; if it is that of a register it changes with the next step. */
    public Access access() {
      in.setPosition(access);
      in.readInt(true);
      if (bytes[name] != Accesses.REGISTER) {
        return Accesses.read(bytes, name, in);
      }
      version.readFrom(in);
      return version;
    }

    /** What the name is in, as is the key. */
    byte[] bytes() {
      return bytes;
    }

    int nameFrom() {
      return name;
    }

    int nameLength() {
      return nameLength;
    }

    int keyFrom() {
      return Accesses.keyFrom(bytes, name);
    }

    int keyLength() {
      return Accesses.keyLength(bytes, name, nameLength);
    }
  }

  private static void add(Output to, byte[] name, Access access, Output scratch) {
    scratch.clear();
    access.write(scratch);
    to.writeInt(name.length, true);
    to.writeBytes(name);
    to.writeInt(scratch.position(), true);
    to.writeBytes(scratch.getBuffer(), 0, scratch.position());
  }

  /** Sends accesses to the tasks that know all of their names, of each task together. */
  public static Iterator<Tuple2<Integer, byte[]>> sent(
      Iterator<Tuple2<Bytes, Access>> accesses, int tasks) {
    Parcels parcels = new Parcels(tasks);
    Output scratch = new Output(LEAST_BYTES, -1);
    return new Some<>() {
      @Override
      List<Tuple2<Integer, byte[]>> some() {
        long size = 0;
        while (size < SENT_BYTES && accesses.hasNext()) {
          Tuple2<Bytes, Access> next = accesses.next();
          byte[] name = next._1.content;
          add(parcels.to(Slices.task(name, 0, name.length, tasks)), name, next._2, scratch);
          size += name.length + scratch.position();
        }
        return parcels.take();
      }
    };
  }

  /** Adds up the accesses of each name. */
  public static Iterator<byte[]> merged(Iterator<byte[]> sent) {
    Merging merging = new Merging();
    sent.forEachRemaining(merging::add);
    Output out = new Output(2 * KEPT_BYTES, -1);
    return new Some<>() {
      private int next;

      @Override
      List<byte[]> some() {
        out.clear();
        while (next < merging.names.size() && out.position() < KEPT_BYTES) {
          merging.write(next++, out);
        }
        return out.position() == 0 ? List.of() : List.of(out.toBytes());
      }
    };
  }

  /** What is known of each name. Most names come once, and their accesses stay bytes. */
  private static final class Merging {
    final Slices names = new Slices();

    /** By name; null where it came once. */
    private final List<Access> several = new ArrayList<>();

    private final Output scratch = new Output(LEAST_BYTES, -1);

    void add(byte[] pack) {
      Cursor cursor = new Cursor(pack);
      while (cursor.next()) {
        int known = names.size();
        int number = names.indexOf(pack, cursor.nameFrom(), cursor.nameLength());
        if (number == known) {
          several.add(null);
        } else {
          Access one = several.get(number);
          several.set(number, (one == null ? first(number) : one).and(cursor.access()));
        }
      }
    }

    /** Where the length of the access is that came with a name first. */
    private int accessOf(int name) {
      return names.from(name) + names.length(name);
    }

    private Access first(int name) {
      Input in = new Input(names.array(name));
      in.setPosition(accessOf(name));
      in.readInt(true);
      return Accesses.read(names.array(name), names.from(name), in);
    }

    void write(int name, Output out) {
      byte[] array = names.array(name);
      if (several.get(name) != null) {
        byte[] own = Arrays.copyOfRange(array, names.from(name), accessOf(name));
        Packed.add(out, own, several.get(name), scratch);
        return;
      }
      Input in = new Input(array);
      in.setPosition(accessOf(name));
      int length = in.readInt(true);
      out.writeInt(names.length(name), true);
      out.writeBytes(array, names.from(name), in.position() + length - names.from(name));
    }
  }

  /** Some at a time, as long as there are. */
  private abstract static class Some<T> implements Iterator<T> {
    private Iterator<T> ready = List.<T>of().iterator();

    /** The next ones; none at the end. */
    abstract List<T> some();

    @Override
    public boolean hasNext() {
      if (!ready.hasNext()) {
        ready = some().iterator();
      }
      return ready.hasNext();
    }

    @Override
    public T next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return ready.next();
    }
  }
}
