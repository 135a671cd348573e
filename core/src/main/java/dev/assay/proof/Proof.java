package dev.assay.proof;

import dev.assay.check.Verdict;
import dev.assay.level.Level;
import java.util.List;
import java.util.Map;

/**
 * What proves the verdicts about one history; {@link ProofWriter} writes it.
 *
 * @param transactions the number of transactions in the history
 * @param given what the verdicts rest on beside it, by the numbers that claims have
 * @param orders commit orders, for levels that hold
 * @param arguments why levels are violated
 * @param claims one for each level
 */
public record Proof(
    int transactions,
    List<GivenOrders> given,
    List<Order> orders,
    List<Argument> arguments,
    List<Claim> claims) {
  public Proof {
    given = List.copyOf(given);
    orders = List.copyOf(orders);
    arguments = List.copyOf(arguments);
    claims = List.copyOf(claims);
  }

  /**
   * A commit order.
   *
   * @param from the writes chosen for reads that may have seen one of several
   */
  record Order(Map<Sources.Place, Integer> from, int[] order) {}

  /**
   * A verdict and what proves it.
   *
   * @param proof the number of its order or argument, or −1
   * @param given the number of what it rests on beside the history
   * @param unproven why there is none; null if there is one or the verdict is unknown
   */
  record Claim(Level level, Verdict verdict, int proof, int given, String unproven) {
    boolean isProven() {
      return proof >= 0;
    }
  }

  /** How many verdicts are proven. */
  public int proven() {
    return (int) claims.stream().filter(Claim::isProven).count();
  }

  /** How many verdicts are not, though the level holds or is violated. */
  public int unproven() {
    return (int) claims.stream().filter(claim -> claim.unproven != null).count();
  }
}
