package dev.assay.collect.workload;

import dev.assay.collect.client.ClientException;
import dev.assay.history.OpKind;

/** The workload of a {@link WorkloadSpec} on a database. */
public final class ParametricWorkload implements LiveWorkload {
  /** The share of deletions among the writes of conditional workloads. */
  private static final double DELETIONS = 0.1;

  private final WorkloadSpec spec;
  private final LiveKeys keys;

  public ParametricWorkload(WorkloadSpec spec) {
    this.spec = spec;
    this.keys = new LiveKeys(spec.kind(), spec.keys(), spec.writesPerKey());
  }

  @Override
  public Client client(SplitMix random) {
    return new Drawn(random);
  }

  @Override
  public void forEachKey(KeyVisitor visitor) {
    keys.forEach(visitor);
  }

  @Override
  public String describe() {
    return "%s, %d sessions, %s operations, %d keys at a time (%s), %d writes each, %s reads"
        .formatted(
            spec.kind().id(),
            spec.sessions(),
            spec.lengths(),
            spec.keys(),
            spec.distribution().id(),
            spec.writesPerKey(),
            spec.readRatio());
  }

  private final class Drawn implements Client {
    private final SplitMix random;
    private final KeyChooser chooser = new KeyChooser(spec.distribution(), spec.keys());
    private final int[] places = new int[spec.maxOperations()];
    private final long[] read = new long[spec.maxOperations()];
    private final boolean[] reads = new boolean[spec.maxOperations()];
    private final boolean[] readsFirst = new boolean[spec.maxOperations()];
    private final boolean[] deletes = new boolean[spec.maxOperations()];
    private final boolean compares = spec.kind() == WorkloadKind.CAS;
    private final boolean numbers = spec.kind() == WorkloadKind.VERSIONS;
    private int length;
    private boolean writes;

    Drawn(SplitMix random) {
      this.random = random;
    }

    @Override
    public void draw(boolean onlyReads) {
      writes = false;
      length = spec.minOperations();
      length += random.below(spec.maxOperations() - spec.minOperations() + 1);
      for (int i = 0; i < length; i++) {
        places[i] = chooser.next(random);
        reads[i] = random.chance(spec.readRatio()) || onlyReads;
        writes |= !reads[i];
        readsFirst[i] = spec.kind().readsFirst(random);
        deletes[i] = compares && random.chance(DELETIONS);
      }
    }

    @Override
    public boolean onlyReads() {
      return !writes;
    }

    @Override
    public void committed() {
      for (int i = 0; i < length; i++) {
        if (reads[i]) {
          keys.seen(places[i], read[i]);
        }
      }
    }

    @Override
    public void run(Access access) throws ClientException {
      for (int i = 0; i < length; i++) {
        OpKind.Type type = spec.kind().type(places[i]);
        if (numbers) {
          if (reads[i]) {
            read[i] = keys.toRead(places[i]);
            access.readVersion(read[i]);
          } else {
            access.writeVersion(keys.claim(places[i]));
          }
          continue;
        }
        if (reads[i]) {
          read[i] = keys.toRead(places[i]);
          access.read(type, read[i]);
          continue;
        }
        long key = keys.claim(places[i]);
        if (compares) {
          if (deletes[i]) {
            access.delete(key);
          } else {
            access.compareAndSet(key);
          }
          continue;
        }
        if (readsFirst[i]) {
          access.read(type, key);
        }
        access.write(type, key);
      }
    }
  }
}
