package dev.assay.check.weak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.weak.CausalPastTest.Prepared;
import dev.assay.history.History;
import dev.assay.level.Axiom;
import dev.assay.resolve.KeyAccess;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Indexes of reads must say the same as a look at all of them. */
class WideTransactionsTest {
  private static final List<Axiom> AXIOMS =
      List.of(
          Axiom.READ_COMMITTED,
          Axiom.READ_ATOMIC,
          Axiom.MONOTONIC_READS,
          Axiom.MONOTONIC_WRITES,
          Axiom.WRITES_FOLLOW_READS,
          Axiom.PRAM);

  @Test
  void premisesAreTheSameWithIndexedReads() {
    int required = 0;
    for (int seed = 0; seed < 30; seed++) {
      Prepared prepared = Prepared.of(CausalPastTest.random(new Random(seed), 60, 4));
      AxiomPremises plain = new AxiomPremises(prepared.causality(), Integer.MAX_VALUE);
      AxiomPremises indexed = new AxiomPremises(prepared.causality(), 0);
      plain.prepareReaders();
      indexed.prepareReaders();
      for (KeyAccess part : prepared.access()) {
        for (int k = 0; k < part.size(); k++) {
          for (int read = part.firstRead(k); read < part.endRead(k); read++) {
            required += compare(plain, indexed, prepared.causality(), part, k, read);
          }
        }
      }
    }
    assertThat(required).isGreaterThan(1000);
  }

  /** Returns how many writers the reader must see. */
  private static int compare(
      AxiomPremises plain,
      AxiomPremises indexed,
      Causality causality,
      KeyAccess part,
      int k,
      int read) {
    int t1 = part.source(read);
    int t3 = part.reader(read);
    int key = part.key(k);
    if (t1 < -1 || !causality.counts(t3) || (t1 >= 0 && !causality.counts(t1))) {
      return 0;
    }
    assertThat(indexed.lastRead(t1, t3, key)).isEqualTo(plain.lastRead(t1, t3, key));
    assertThat(indexed.followsReads(t3)).isEqualTo(plain.followsReads(t3));
    int required = 0;
    for (int w = part.firstWriter(k); w < part.endWriter(k); w++) {
      int t2 = part.writer(w);
      if (t2 == t1 || t2 == t3 || !causality.counts(t2)) {
        continue;
      }
      assertThat(indexed.otherKeyRead(t2, t3, key)).isEqualTo(plain.otherKeyRead(t2, t3, key));
      for (Axiom axiom : AXIOMS) {
        boolean must = plain.test(axiom, null, t1, t2, t3, key);
        assertThat(indexed.test(axiom, null, t1, t2, t3, key)).as(axiom.name()).isEqualTo(must);
        if (must) {
          required++;
          assertThat(indexed.steps(axiom, t1, t2, t3, key)).isNotEmpty();
        }
      }
    }
    return required;
  }

  @Test
  void firstReadsFindTheNextWriterThatASessionHadReadFrom() {
    int found = 0;
    for (int seed = 0; seed < 30; seed++) {
      History history = CausalPastTest.random(new Random(seed), 200, 5);
      Prepared prepared = Prepared.of(history);
      AxiomPremises premises = new AxiomPremises(prepared.causality());
      premises.prepareReaders();
      CommitOrder order = prepared.search().firstGuess();
      KeyWriters writers = new KeyWriters();
      for (KeyAccess part : prepared.access()) {
        for (int k = 0; k < part.size(); k++) {
          writers.load(part, k, order);
          FirstReads firstReads = new FirstReads(history, premises, order, writers);
          for (int session = 0; session < history.sessionCount(); session++) {
            for (int place = 0; place < history.sessionSize(session); place += 3) {
              for (int from = 0; from <= writers.size(); from++) {
                int expected = Integer.MAX_VALUE;
                for (int w = writers.size() - 1; w >= from; w--) {
                  int reader = premises.readerIn(session, order.at(writers.rank(w)));
                  boolean before = reader >= 0 && history.placeInSession(reader) < place;
                  expected = before ? w : expected;
                }
                int group = firstReads.group(session);
                int next = group < 0 ? Integer.MAX_VALUE : firstReads.next(group, from, place);
                assertThat(next).isEqualTo(expected);
                found += next == Integer.MAX_VALUE ? 0 : 1;
              }
            }
          }
        }
      }
    }
    assertThat(found).isGreaterThan(1000);
  }
}
