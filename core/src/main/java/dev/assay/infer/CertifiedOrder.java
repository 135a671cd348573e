package dev.assay.infer;

import dev.assay.graph.EdgeList;
import dev.assay.history.History;
import dev.assay.history.OpKind;
import dev.assay.history.VersionCertificate;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The order of versions of registers that a certificate gives where nothing else is given, and it
 * contradicts neither itself nor what was read. Most certificates are such; that they are shows key
 * by key, without a list of all versions.
 */
final class CertifiedOrder {
  private final History history;
  private final ReadsFrom reads;
  private final EdgeList order;
  private final EdgeList reasons;

  private EdgesByKey byKey;

  // The writers of the current key, numbered as they are listed, and the edges between them.
  private final int[] local;
  private int[] waitsFor = new int[16];
  private int[] firstEdge = new int[16];
  private int[] place = new int[16];
  private int[] queue = new int[16];
  private int[] edgeFrom = new int[16];
  private int[] edgeTo = new int[16];
  private int[] nextEdge = new int[16];
  private int edges;

  /** For each key how many of its versions are known to be followed by which. */
  private final int[] followed;

  private final BitSet seen = new BitSet();
  private final BitSet ordered = new BitSet();

  private CertifiedOrder(History history, ReadsFrom reads, int size) {
    this.history = history;
    this.reads = reads;
    this.order = new EdgeList(size);
    this.reasons = new EdgeList(size);
    this.local = new int[history.transactionCount()];
    this.followed = new int[history.keys().count()];
  }

  /** The order, or null where the certificate contradicts something or itself. */
  static CertifiedOrder of(History history, ReadsFrom reads, VersionCertificate certificate) {
    int size = 0;
    for (VersionCertificate.Chain chain : certificate.chains()) {
      size += chain.size();
    }
    CertifiedOrder certified = new CertifiedOrder(history, reads, size);
    for (VersionCertificate.Chain chain : certificate.chains()) {
      if (!certified.add(chain)) {
        return null;
      }
    }
    certified.byKey = new EdgesByKey(certified.order, history.keys().count());
    for (KeyAccess access : reads.access()) {
      for (int i = 0; i < access.size(); i++) {
        if (!certified.fits(access, i)) {
          return null;
        }
      }
    }
    return certified.fitsWithoutReads() ? certified : null;
  }

  /** Edges between transactions, labelled with the key and marked with a reason. */
  EdgeList order() {
    return order;
  }

  /** The edges of the order by their keys. */
  EdgesByKey byKey() {
    return byKey;
  }

  /** Earlier and later write, labelled with the source. */
  EdgeList reasons() {
    return reasons;
  }

  /**
   * For how many of the registers all, part or nothing is known, through reads too; null where
   * which reads tell something takes a closer look.
   */
  KnownOrders known() {
    if (reads.ambiguousReads() > 0 || !reads.chosen().isEmpty()) {
      return null;
    }
    int[] versions = new int[history.keys().count()];
    BitSet registers = new BitSet();
    for (int txn = 0; txn < history.transactionCount(); txn++) {
      if (!count(txn, versions, registers)) {
        return null;
      }
    }
    int total = 0;
    int partial = 0;
    for (int key = registers.nextSetBit(0); key >= 0; key = registers.nextSetBit(key + 1)) {
      boolean whole = followed[key] >= versions[key] - 1;
      total += whole ? 1 : 0;
      partial += !whole && ordered.get(key) ? 1 : 0;
    }
    return new KnownOrders(total, partial, registers.cardinality() - total - partial);
  }

  /**
   * Counts the versions that a transaction made; false where it read one that its writer replaced
   * itself.
   */
  private boolean count(int txn, int[] versions, BitSet registers) {
    boolean counts = reads.counts(txn);
    int end = history.endOp(txn);
    for (int op = history.firstOp(txn); op < end; op++) {
      OpKind kind = history.kind(op);
      if (kind.type() == OpKind.Type.REGISTER) {
        registers.set(history.key(op));
        int source = reads.source(op);
        if (kind == OpKind.WRITE) {
          versions[history.key(op)] += counts && !reads.isOverwritten(op) ? 1 : 0;
        } else if (source >= 0 && reads.isOverwritten(source) && !isWithin(source, txn)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isWithin(int op, int txn) {
    return op >= history.firstOp(txn) && op < history.endOp(txn);
  }

  /** Adds a chain; false where it puts something before the initial version. */
  private boolean add(VersionCertificate.Chain chain) {
    int before = -1;
    int beforeOp = -1;
    boolean begun = false;
    for (int i = 0; i < chain.size(); i++) {
      int write = chain.write(i);
      if (write == VersionCertificate.INITIAL) {
        if (begun) {
          return false;
        }
        continue;
      }
      int writer = history.transactionOf(write);
      if (writer == before || history.kind(write) != OpKind.WRITE || !reads.counts(writer)) {
        continue;
      }
      if (begun) {
        order.add(before, writer, chain.key(), reasons.size());
        reasons.add(beforeOp, write, Reason.Source.CERTIFICATE.ordinal(), 0);
      }
      begun = true;
      before = writer;
      beforeOp = write;
    }
    return true;
  }

  /**
   * Whether the writers of a key can stand in a line, each after those that the certificate puts
   * before it and the one whose version it read.
   */
  private boolean fits(KeyAccess access, int index) {
    int writers = 0;
    ensure(access.endWriter(index) - access.firstWriter(index));
    for (int i = access.firstWriter(index); i < access.endWriter(index); i++) {
      if (reads.counts(access.writer(i))) {
        writers = number(access.writer(i), writers);
      }
    }
    int key = access.key(index);
    linkGiven(key, writers);
    for (int i = access.firstRead(index); i < access.endRead(index); i++) {
      int reader = access.reader(i);
      int source = access.source(i);
      boolean rewritten = source >= 0 && source != reader && isNumbered(source, writers);
      if (rewritten && isNumbered(reader, writers)) {
        link(local[source], local[reader]);
      }
    }
    return line(key, writers);
  }

  /** Whether the writers of each key that matters to no read can stand in a line. */
  private boolean fitsWithoutReads() {
    for (int key = 0; key < history.keys().count(); key++) {
      if (seen.get(key) || byKey.first(key) == byKey.end(key)) {
        continue;
      }
      int writers = 0;
      for (int i = byKey.first(key); i < byKey.end(key); i++) {
        ensure(writers + 2);
        writers = number(order.from(byKey.edge(i)), writers);
        writers = number(order.to(byKey.edge(i)), writers);
      }
      linkGiven(key, writers);
      if (!line(key, writers)) {
        return false;
      }
    }
    return true;
  }

  /** Numbers a writer if it has no number yet; how many there are then. */
  private int number(int writer, int writers) {
    if (isNumbered(writer, writers)) {
      return writers;
    }
    queue[writers] = writer;
    local[writer] = writers;
    return writers + 1;
  }

  private boolean isNumbered(int txn, int writers) {
    return local[txn] < writers && queue[local[txn]] == txn;
  }

  private void linkGiven(int key, int writers) {
    seen.set(key);
    Arrays.fill(waitsFor, 0, writers, 0);
    Arrays.fill(firstEdge, 0, writers, -1);
    edges = 0;
    for (int i = byKey.first(key); i < byKey.end(key); i++) {
      link(local[order.from(byKey.edge(i))], local[order.to(byKey.edge(i))]);
    }
  }

  private void ensure(int writers) {
    if (writers > waitsFor.length) {
      int capacity = writers + (writers >>> 1);
      waitsFor = new int[capacity];
      firstEdge = new int[capacity];
      place = new int[capacity];
      queue = Arrays.copyOf(queue, capacity);
    }
  }

  private void link(int from, int to) {
    if (edges == edgeTo.length) {
      edgeFrom = Arrays.copyOf(edgeFrom, edges * 2);
      edgeTo = Arrays.copyOf(edgeTo, edges * 2);
      nextEdge = Arrays.copyOf(nextEdge, edges * 2);
    }
    edgeFrom[edges] = from;
    edgeTo[edges] = to;
    nextEdge[edges] = firstEdge[from];
    firstEdge[from] = edges++;
    waitsFor[to]++;
  }

  /** Puts the writers in a line, and counts who is known to come right after whom. */
  private boolean line(int key, int writers) {
    int size = 0;
    for (int i = 0; i < writers; i++) {
      if (waitsFor[i] == 0) {
        queue[size++] = i;
      }
    }
    for (int head = 0; head < size; head++) {
      place[queue[head]] = head;
      for (int e = firstEdge[queue[head]]; e >= 0; e = nextEdge[e]) {
        if (--waitsFor[edgeTo[e]] == 0) {
          queue[size++] = edgeTo[e];
        }
      }
    }
    if (size < writers) {
      return false;
    }
    for (int e = 0; e < edges; e++) {
      boolean neighbours = place[edgeTo[e]] == place[edgeFrom[e]] + 1;
      if (neighbours && waitsFor[edgeFrom[e]] == 0) {
        waitsFor[edgeFrom[e]] = -1;
        followed[key]++;
      }
    }
    ordered.set(key, edges > 0);
    return true;
  }
}
