package dev.assay.collect;

import dev.assay.collect.store.Lists;
import dev.assay.collect.store.Store;
import dev.assay.collect.store.StoreLevel;
import dev.assay.collect.workload.SplitMix;
import dev.assay.collect.workload.Workload;
import dev.assay.collect.workload.WorkloadKind;
import dev.assay.collect.workload.WorkloadSpec;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.Outcome;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * One run of a workload on a store, in one thread: again and again a random client makes its next
 * step (begin, one operation, end), so transactions of different clients overlap. On stores that
 * are {@linkplain Store#isAtomic atomic} a transaction's operations and its end are one step.
 *
 * <p>The clock counts nanoseconds and only ever goes forward. Whatever a store does for a
 * transaction it does between the transaction's start and end.
 */
final class Simulation {
  private static final int NOT_BEGUN = -1;
  private static final int MAX_STEP_NANOS = 200;
  private static final int MAX_RESPONSE_NANOS = 500;
  private static final OpKind[] KINDS = OpKind.values();

  private final WorkloadSpec spec;
  private final TransactionSink sink;
  private final Planting planting;
  private final SplitMix random;
  private final Workload workload;
  private final Store store;
  private final Lists lists = new Lists();
  private final OpKind readKind;
  private final OpKind writeKind;
  private final boolean compares;

  /** What each client last saw of each key, where it compares keys with that. */
  private final Map<Long, Integer> seen = new HashMap<>();

  private final boolean numbers;

  /** The number of each version that was committed, by key and value; if they get numbers. */
  private final Map<Long, Integer> numberOf = new HashMap<>();

  private int commits;

  private final long[] session;
  private final int[] transactionsLeft;
  private final int[] operationsLeft;
  private final long[] start;

  /** When a client learned its last outcome, and so may begin again. */
  private final long[] freeAt;

  private final Recorded[] recorded;
  private long nextSession;
  private long now;
  private long[] elements = new long[64];

  /** The operations of an open transaction: kind, key, and value or version. */
  private static final class Recorded {
    byte[] kinds = new byte[8];
    int[] keys = new int[8];
    int[] values = new int[8];
    final BitSet others = new BitSet();
    int size;

    /** A read that found something other than a value. */
    void addOther(int key, int value) {
      add(OpKind.READ, key, value);
      others.set(size - 1);
    }

    boolean isOther(int operation) {
      return others.get(operation);
    }

    /** Whether a write is the last of its key. */
    boolean isLastWrite(int operation) {
      for (int i = operation + 1; i < size; i++) {
        if (kinds[i] == OpKind.WRITE.ordinal() && keys[i] == keys[operation]) {
          return false;
        }
      }
      return true;
    }

    void clear() {
      size = 0;
      others.clear();
    }

    void add(OpKind kind, int key, int value) {
      if (size == keys.length) {
        int capacity = size * 2;
        kinds = Arrays.copyOf(kinds, capacity);
        keys = Arrays.copyOf(keys, capacity);
        values = Arrays.copyOf(values, capacity);
      }
      kinds[size] = (byte) kind.ordinal();
      keys[size] = key;
      values[size++] = value;
    }
  }

  Simulation(WorkloadSpec spec, StoreLevel level, Planting planting, TransactionSink sink) {
    this.spec = spec;
    this.sink = sink;
    this.planting = planting;
    random = new SplitMix(spec.seed());
    workload = new Workload(spec, random);
    store = level.open(spec, workload, random, lists);
    readKind = spec.usesLists() ? OpKind.LIST_READ : OpKind.READ;
    writeKind = spec.usesLists() ? OpKind.APPEND : OpKind.WRITE;
    compares = spec.kind() == WorkloadKind.CAS;
    numbers = spec.kind() == WorkloadKind.VERSIONS;
    int clients = spec.sessions();
    session = new long[clients];
    Arrays.setAll(session, client -> client);
    nextSession = clients;
    transactionsLeft = new int[clients];
    Arrays.fill(transactionsLeft, spec.transactionsPerSession());
    operationsLeft = new int[clients];
    Arrays.fill(operationsLeft, NOT_BEGUN);
    start = new long[clients];
    freeAt = new long[clients];
    recorded = new Recorded[clients];
    Arrays.setAll(recorded, client -> new Recorded());
  }

  void run() {
    int[] active = new int[spec.sessions()];
    Arrays.setAll(active, client -> client);
    int activeCount = active.length;
    while (activeCount > 0) {
      int index = random.below(activeCount);
      int client = active[index];
      now += 1 + random.below(MAX_STEP_NANOS);
      store.background();
      if (step(client)) {
        now = planting.transactionEnded(now, workload, () -> nextSession++);
        if (--transactionsLeft[client] == 0) {
          active[index] = active[--activeCount];
        }
      }
    }
  }

  /** Lets a client do its next thing; true when that ended its transaction. */
  private boolean step(int client) {
    if (operationsLeft[client] == NOT_BEGUN) {
      now = Math.max(now, freeAt[client] + 1);
      start[client] = now;
      operationsLeft[client] = workload.nextLength();
      store.begin(client, session[client]);
      return false;
    }
    while (operationsLeft[client] > 0) {
      operationsLeft[client]--;
      if (!access(client)) {
        end(client, Outcome.ABORTED);
        return true;
      }
      if (!store.isAtomic()) {
        return false;
      }
    }
    end(client, outcome(client));
    return true;
  }

  /** Makes one access; false when the store refused it and aborted the transaction. */
  private boolean access(int client) {
    workload.next();
    int key = workload.key();
    boolean onlyReads = workload.isRead();
    if (onlyReads || compares || spec.kind().readsFirst(random)) {
      int version = store.read(client, key);
      if (version == Store.REFUSED) {
        return false;
      }
      if (compares && !onlyReads && version != seen(client, key)) {
        recorded[client].addOther(key, seen(client, key));
        return true;
      }
      recorded[client].add(readKind, key, version);
      see(client, key, version);
    }
    if (!onlyReads) {
      int value = workload.issueValue();
      if (!store.write(client, key, value)) {
        return false;
      }
      recorded[client].add(writeKind, key, value);
      see(client, key, value);
    }
    return true;
  }

  private int seen(int client, int key) {
    return seen.getOrDefault((long) client << 32 | key, 0);
  }

  private void see(int client, int key, int value) {
    if (compares) {
      seen.put((long) client << 32 | key, value);
    }
  }

  /** Ends a client's transaction in the store and says what the client learns of it. */
  private Outcome outcome(int client) {
    if (!spec.everyTransactionCommits()) {
      double fate = random.nextDouble();
      if (fate < spec.abortRate()) {
        store.abort(client);
        return Outcome.ABORTED;
      }
      if (fate < spec.abortRate() + spec.indeterminateRate()) {
        if (random.chance(0.5)) {
          // The store may still refuse; the client does not learn that either.
          commit(client);
        } else {
          store.abort(client);
        }
        return Outcome.INDETERMINATE;
      }
    }
    return commit(client) ? Outcome.COMMITTED : Outcome.ABORTED;
  }

  private boolean commit(int client) {
    boolean committed = store.commit(client);
    if (committed && numbers) {
      commits++;
      Recorded transaction = recorded[client];
      for (int i = 0; i < transaction.size; i++) {
        if (KINDS[transaction.kinds[i]] == OpKind.WRITE && transaction.isLastWrite(i)) {
          numberOf.put(version(transaction.keys[i], transaction.values[i]), commits);
        }
      }
    }
    return committed;
  }

  private static long version(int key, int value) {
    return (long) key << 32 | value;
  }

  private void end(int client, Outcome outcome) {
    freeAt[client] = now + 1 + random.below(MAX_RESPONSE_NANOS);
    emit(client, outcome);
    operationsLeft[client] = NOT_BEGUN;
    if (outcome == Outcome.INDETERMINATE) {
      session[client] = nextSession++;
    }
  }

  private void emit(int client, Outcome outcome) {
    Recorded transaction = recorded[client];
    sink.begin(session[client]);
    for (int i = 0; i < transaction.size; i++) {
      OpKind kind = KINDS[transaction.kinds[i]];
      if (transaction.isOther(i)) {
        sink.otherRead(transaction.keys[i], transaction.values[i]);
      } else if (kind == OpKind.LIST_READ) {
        int length = lists.length(transaction.values[i]);
        if (length > elements.length) {
          elements = new long[length * 2];
        }
        lists.copy(transaction.values[i], elements);
        sink.listRead(transaction.keys[i], elements, length);
      } else {
        emit(kind, transaction.keys[i], transaction.values[i], outcome);
      }
    }
    boolean ended = spec.times() && outcome != Outcome.INDETERMINATE;
    sink.end(
        outcome,
        spec.times() ? start[client] : History.ABSENT,
        ended ? freeAt[client] : History.ABSENT);
    transaction.clear();
  }

  /** A client learns the number of what it wrote when it learns that it committed. */
  private void emit(OpKind kind, int key, int value, Outcome outcome) {
    boolean known = kind == OpKind.READ || outcome == Outcome.COMMITTED;
    Integer number = numbers && known ? numberOf.get(version(key, value)) : null;
    if (number == null) {
      sink.op(kind, key, value);
    } else {
      sink.numbered(kind, key, value, number);
    }
  }
}
