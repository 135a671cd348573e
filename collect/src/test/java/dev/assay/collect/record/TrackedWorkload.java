package dev.assay.collect.record;

import dev.assay.collect.client.ClientException;
import dev.assay.collect.workload.Access;
import dev.assay.collect.workload.LiveWorkload;
import dev.assay.collect.workload.RowOperation;
import dev.assay.collect.workload.SplitMix;
import dev.assay.history.OpKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A workload whose transactions are distinguishable: each first reads a register of its own that is
 * never written, and notes what it asks.
 */
final class TrackedWorkload implements LiveWorkload {
  /** Registers from here on mark transactions. */
  static final long FIRST_ID = 1L << 40;

  /** What the calling client is at; null in a thread that is not a client. */
  static final ThreadLocal<Attempt> CURRENT = new ThreadLocal<>();

  private final LiveWorkload real;
  private final OpKind.Type marks;
  private final int sessions;
  private final List<Attempt> attempts = Collections.synchronizedList(new ArrayList<>());
  private int clients;

  TrackedWorkload(LiveWorkload real, OpKind.Type marks, int sessions) {
    this.real = real;
    this.marks = marks;
    this.sessions = sessions;
  }

  /** All transactions that clients began, those of one client in order. */
  List<Attempt> attempts() {
    return attempts;
  }

  @Override
  public Client client(SplitMix random) {
    return new Tracked(real.client(random), clients++);
  }

  @Override
  public void forEachKey(KeyVisitor visitor) {
    real.forEachKey(visitor);
  }

  @Override
  public int rows() {
    return real.rows();
  }

  @Override
  public List<RowOperation.Insert> initialRows(SplitMix random) {
    return real.initialRows(random);
  }

  @Override
  public String describe() {
    return real.describe();
  }

  private interface Asking {
    void run() throws ClientException;
  }

  private final class Tracked implements Client {
    private final Client real;
    private final int client;

    /** Values that this client has taken so far. */
    private long values;

    Tracked(Client real, int client) {
      this.real = real;
      this.client = client;
    }

    @Override
    public void draw(boolean onlyReads) {
      real.draw(onlyReads);
    }

    @Override
    public boolean onlyReads() {
      return real.onlyReads();
    }

    @Override
    public void run(Access access) throws ClientException {
      Attempt attempt;
      synchronized (attempts) {
        attempt = new Attempt(FIRST_ID + attempts.size(), client);
        attempts.add(attempt);
      }
      CURRENT.set(attempt);
      Access tracked = tracked(access, attempt);
      tracked.read(marks, attempt.id);
      real.run(tracked);
    }

    private Access tracked(Access access, Attempt attempt) {
      return new Access() {
        @Override
        public void read(OpKind.Type type, long key) throws ClientException {
          ask(new Attempt.Read(type, key), () -> access.read(type, key));
        }

        @Override
        public void write(OpKind.Type type, long key) throws ClientException {
          long value = type == OpKind.Type.COUNTER ? 1 : nextValue();
          ask(new Attempt.Write(type, key, value), () -> access.write(type, key));
        }

        @Override
        public void readVersion(long key) {
          throw new UnsupportedOperationException("version numbers are not tracked");
        }

        @Override
        public void writeVersion(long key) {
          throw new UnsupportedOperationException("version numbers are not tracked");
        }

        @Override
        public void compareAndSet(long key) {
          throw new UnsupportedOperationException("conditional operations are not tracked");
        }

        @Override
        public void delete(long key) {
          throw new UnsupportedOperationException("conditional operations are not tracked");
        }

        @Override
        public void row(RowOperation operation) throws ClientException {
          ask(new Attempt.OnRows(operation, nextValue()), () -> access.row(operation));
        }

        private void ask(Attempt.Asked asked, Asking asking) throws ClientException {
          attempt.ask(asked);
          asking.run();
          asked.done = true;
        }
      };
    }

    private long nextValue() {
      return ++values * sessions + client;
    }
  }
}
