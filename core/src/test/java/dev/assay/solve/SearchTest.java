package dev.assay.solve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.graph.IntList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The search against all assignments of a few variables, with short jumps and with long ones, and
 * with next to no learned clauses kept.
 */
class SearchTest {
  private static final int VARIABLES = 11;
  private static final int ROUNDS = 3000;

  /** Learned clauses that are kept beside two for each variable: one or two in all. */
  private static final int HARDLY_ANY = 1 - 2 * VARIABLES;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 5, 100})
  void whatTheSearchAnswersIsWhatAllAssignmentsSay(int longestJump) {
    compareWithAllAssignments(longestJump, Search.MAX_LEARNED);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 2, 100})
  void deletingClausesDoesNotChangeTheAnswer(int longestJump) {
    compareWithAllAssignments(longestJump, HARDLY_ANY);
  }

  private static void compareWithAllAssignments(int longestJump, int mostLearned) {
    Random random = new Random(longestJump);
    int found = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<int[]> clauses = sets(random, random.nextInt(30));
      Forbidden theory = new Forbidden(sets(random, random.nextInt(45)), random);
      Search search = new Search(theory, () -> false, longestJump, mostLearned);
      theory.search = search;
      for (int v = 0; v < VARIABLES; v++) {
        search.addVariable();
      }
      clauses.forEach(clause -> search.addClause(ints(clause)));
      boolean expected = hasSolution(clauses, theory.sets);
      Search.Result result = search.run(Long.MAX_VALUE);
      assertThat(result)
          .as("round %d", round)
          .isEqualTo(expected ? Search.Result.FOUND : Search.Result.REFUTED);
      if (expected) {
        found++;
        assertThat(clauses).allMatch(clause -> anyTrue(clause, search));
        assertThat(theory.sets).noneMatch(set -> allTrue(set, search));
        assertThat(theory.taken).hasSize(VARIABLES).allMatch(literal -> search.value(literal) > 0);
      }
    }
    assertThat(found).isBetween(ROUNDS / 10, ROUNDS * 9 / 10);
  }

  /** One pigeon more than there are holes: the number of conflicts grows exponentially. */
  @Test
  void theNumberOfLearnedClausesIsBoundedInALongSearch() {
    int holes = 7;
    int mostLearned = 50;
    int bound = mostLearned + 2 * holes * (holes + 1);
    int[] most = new int[1];
    Search[] search = new Search[1];
    Forbidden nothing =
        new Forbidden(List.of(), new Random(1)) {
          @Override
          public boolean take(int literal, IntList together) {
            most[0] = Math.max(most[0], search[0].learnedCount());
            return true;
          }

          @Override
          public void giveBackTo(int mark) {}
        };
    search[0] = new Search(nothing, () -> false, Search.MAX_JUMP, mostLearned);
    for (int v = 0; v < holes * (holes + 1); v++) {
      search[0].addVariable();
    }
    for (int pigeon = 0; pigeon <= holes; pigeon++) {
      IntList somewhere = new IntList(holes);
      for (int hole = 0; hole < holes; hole++) {
        somewhere.add(2 * (pigeon * holes + hole));
        for (int other = 0; other < pigeon; other++) {
          search[0].addClause(
              ints(new int[] {2 * (pigeon * holes + hole) + 1, 2 * (other * holes + hole) + 1}));
        }
      }
      search[0].addClause(somewhere);
    }
    assertThat(search[0].run(Long.MAX_VALUE)).isEqualTo(Search.Result.REFUTED);
    assertThat(search[0].conflicts()).isGreaterThan(10L * bound);
    assertThat(most[0]).isBetween(bound / 2, bound);
  }

  /** Four of five literals of a learned clause follow from the first. */
  @Test
  void literalsThatOthersImplyAreLeftOutOfLearnedClauses() {
    int chain = 4;
    Forbidden theory = new Forbidden(List.of(), new Random(1));
    Search search = new Search(theory, () -> false);
    theory.search = search;
    // Variable 0 implies 1, 1 implies 2 and so on; all of them with x exclude y and not y.
    for (int v = 0; v < chain + 2; v++) {
      search.addVariable();
    }
    for (int v = 0; v + 1 < chain; v++) {
      search.addClause(ints(new int[] {2 * v + 1, 2 * (v + 1)}));
    }
    int x = 2 * chain;
    int y = 2 * chain + 2;
    search.addClause(ints(new int[] {1, 3, 5, 7, x + 1, y}));
    search.addClause(ints(new int[] {1, 3, 5, 7, x + 1, y + 1}));
    theory.preferred = variable -> search.value(0) == 0 ? 0 : x;
    assertThat(search.run(1)).isEqualTo(Search.Result.EXPIRED);
    assertThat(search.lastLearned()).containsExactly(x + 1, 1);
  }

  /** Two to four literals of different variables each. */
  private static List<int[]> sets(Random random, int count) {
    List<int[]> sets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sets.add(
          random
              .ints(0, VARIABLES)
              .distinct()
              .limit(2 + random.nextInt(3))
              .map(variable -> 2 * variable + random.nextInt(2))
              .toArray());
    }
    return sets;
  }

  private static IntList ints(int[] items) {
    IntList ints = new IntList(4);
    for (int item : items) {
      ints.add(item);
    }
    return ints;
  }

  private static boolean hasSolution(List<int[]> clauses, List<int[]> forbidden) {
    for (int bits = 0; bits < 1 << VARIABLES; bits++) {
      if (isSolution(bits, clauses, forbidden)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isSolution(int bits, List<int[]> clauses, List<int[]> forbidden) {
    for (int[] clause : clauses) {
      boolean any = false;
      for (int literal : clause) {
        any |= isTrue(bits, literal);
      }
      if (!any) {
        return false;
      }
    }
    for (int[] set : forbidden) {
      boolean all = true;
      for (int literal : set) {
        all &= isTrue(bits, literal);
      }
      if (all) {
        return false;
      }
    }
    return true;
  }

  /** Even literals say that their variable is set. */
  private static boolean isTrue(int bits, int literal) {
    return ((bits >> (literal >> 1)) & 1) != (literal & 1);
  }

  private static boolean anyTrue(int[] literals, Search search) {
    for (int literal : literals) {
      if (search.value(literal) > 0) {
        return true;
      }
    }
    return false;
  }

  private static boolean allTrue(int[] literals, Search search) {
    for (int literal : literals) {
      if (search.value(literal) <= 0) {
        return false;
      }
    }
    return true;
  }

  /** A theory in which some literals cannot be true together. */
  private static class Forbidden implements Search.Theory {
    private final List<int[]> sets;
    private final List<Integer> taken = new ArrayList<>();
    private IntUnaryOperator preferred;
    private Search search;

    Forbidden(List<int[]> sets, Random random) {
      this.sets = sets;
      this.preferred = variable -> 2 * variable + random.nextInt(2);
    }

    @Override
    public boolean take(int literal, IntList together) {
      assertThat(taken).doesNotContain(literal, literal ^ 1);
      assertThat(taken).allMatch(other -> search.value(other) > 0);
      taken.add(literal);
      for (int[] set : sets) {
        boolean all = true;
        boolean has = false;
        for (int other : set) {
          all &= taken.contains(other);
          has |= other == literal;
        }
        if (all && has) {
          for (int other : set) {
            together.add(other);
          }
          return false;
        }
      }
      return true;
    }

    @Override
    public int mark() {
      return taken.size();
    }

    @Override
    public void giveBackTo(int mark) {
      taken.subList(mark, taken.size()).clear();
    }

    @Override
    public int prefer(int variable) {
      return preferred.applyAsInt(variable);
    }

    @Override
    public boolean isComplete() {
      return taken.size() == search.variables();
    }
  }
}
