package dev.assay.collect;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The smallest histories that show each anomaly, and why they do. In those of Adya's cycles a
 * reader at the end sees every list as it finally was, which makes the order of versions known; in
 * most, {@code s0} writes first versions so that no read of an initial version is involved.
 *
 * <p>Anomalies that need predicates, a certificate or a marked final read are not among them.
 */
public final class Planted {
  private static final Map<String, Example> EXAMPLES = new LinkedHashMap<>();

  private record Example(String why, String text) {}

  private Planted() {}

  static {
    inOneRead();
    inOneList();
    overOrderOfReads();
    overWholeTransactions();
    ofVersions();
    cycles();
    cyclesWithProcessOrder();
    cyclesWithRealTime();
  }

  /** The ids that can be planted. */
  public static Set<String> ids() {
    return Collections.unmodifiableSet(EXAMPLES.keySet());
  }

  /** A sentence that says why the example shows this anomaly. */
  public static String why(String id) {
    return example(id).why();
  }

  /** The example itself, one transaction a line. */
  public static List<String> lines(String id) {
    return example(id).text().lines().toList();
  }

  static Schedule schedule(String id) {
    return Schedule.parse(example(id).text());
  }

  private static Example example(String id) {
    Example example = EXAMPLES.get(id);
    if (example == null) {
      throw new IllegalArgumentException(
          "no anomaly '%s' can be planted; choose one of %s"
              .formatted(id, String.join(", ", EXAMPLES.keySet())));
    }
    return example;
  }

  private static void add(String id, String why, String text) {
    EXAMPLES.put(id, new Example(why, text));
  }

  private static void inOneRead() {
    add(
        "thin-air-read",
        "No transaction writes the value 1 that s1 reads.",
        """
        s1: r(x,1)
        """);
    add(
        "aborted-read",
        "s2 reads what s1 wrote in a transaction that aborted.",
        """
        s1 aborted: w(x,1)
        s2: r(x,1)
        """);
    add(
        "future-read",
        "s1 reads the value it writes only afterwards.",
        """
        s1: r(x,1) w(x,1)
        """);
    add(
        "not-my-own-write",
        "s2 writes x and then reads the write of s1 instead of its own.",
        """
        s1: w(x,1)
        s2: w(x,2) r(x,1)
        """);
    add(
        "not-my-last-write",
        "s1 reads the first of its two writes of x after making both.",
        """
        s1: w(x,1) w(x,2) r(x,1)
        """);
    add(
        "intermediate-read",
        "s2 reads a write of x that s1 replaced in the same transaction.",
        """
        s1: w(x,1) w(x,2)
        s2: r(x,1)
        """);
    add(
        "non-repeatable-read",
        "s3 reads x twice without writing it and sees two versions.",
        """
        s1: w(x,1)
        s2: w(x,2)
        s3: r(x,1) r(x,2)
        """);
  }

  private static void inOneList() {
    add(
        "dirty-update",
        "s2 appended to a list that ended in the aborted append of s1, as s3 sees (and by seeing"
            + " it reads an aborted element).",
        """
        s1 aborted: a(x,1)
        s2: a(x,2)
        s3: r(x,[1 2])
        """);
    add(
        "duplicate-write",
        "s1 appended 1 once, and s2 reads it twice in one list.",
        """
        s1: a(x,1)
        s2: r(x,[1 1])
        """);
    add(
        "incompatible-order",
        "s3 and s4 read the same two elements in opposite orders.",
        """
        s1: a(x,1)
        s2: a(x,2)
        s3: r(x,[1 2])
        s4: r(x,[2 1])
        """);
  }

  private static void overOrderOfReads() {
    add(
        "cyclic-causality",
        "s1 reads from s2 and s2 reads from s1.",
        """
        s1: r(x,1) w(y,1)
        s2: r(y,1) w(x,1)
        """);
    add(
        "cyclic-versions",
        "s1 replaces version 1 of x by 2 and s2 replaces 2 by 1 (so each also reads from the"
            + " other).",
        """
        s1: r(x,1) w(x,2)
        s2: r(x,2) w(x,1)
        """);
    add(
        "non-monotonic-read-co",
        "s3 reads y from s2 and after that x from s1, although s2 had read and replaced that x.",
        """
        s1: w(x,1)
        s2: r(x,1) w(x,2) w(y,1)
        s3: r(y,1) r(x,1)
        """);
    add(
        "non-monotonic-read-cm",
        "s3 reads from s2 and then an x that s2 must have written earlier than s1; s4 reads from s1"
            + " and then an x that says the opposite.",
        """
        s1: w(x,1) w(z,1)
        s2: w(x,2) w(y,1)
        s3: r(y,1) r(x,1)
        s4: r(z,1) r(x,2)
        """);
  }

  private static void overWholeTransactions() {
    add(
        "fractured-read-co",
        "s3 reads x from s1 and y from s2, although s2 wrote both after reading that x.",
        """
        s1: w(x,1)
        s2: r(x,1) w(x,2) w(y,1)
        s3: r(x,1) r(y,1)
        """);
    add(
        "fractured-read-cm",
        "s3 sees only y of s2's writes of x and y, so s2 came before s1; s4 sees only z of s1's"
            + " writes of x and z, so s1 came before s2.",
        """
        s1: w(x,1) w(z,1)
        s2: w(x,2) w(y,1)
        s3: r(x,1) r(y,1)
        s4: r(x,2) r(z,1)
        """);
    add(
        "co-conflict",
        "s4 follows s2 through s3 but reads the x of s1 that s2 had read and replaced.",
        """
        s1: w(x,1)
        s2: r(x,1) w(x,2) w(y,1)
        s3: r(y,1) w(z,1)
        s4: r(z,1) r(x,1)
        """);
    add(
        "cm-conflict",
        "s5 follows s2 through s4 but reads x from s1, so s2 came before s1; s6 follows s1 through"
            + " s3 but reads x from s2, so s1 came before s2.",
        """
        s1: w(x,1) w(y,1)
        s2: w(x,2) w(z,1)
        s3: r(y,1) w(v,1)
        s4: r(z,1) w(w,1)
        s5: r(w,1) r(x,1)
        s6: r(v,1) r(x,2)
        """);
  }

  private static void ofVersions() {
    add(
        "initial-read",
        "s2 reads from s1 and then the initial version of x, which s1 had replaced.",
        """
        s1: w(x,1) w(y,1)
        s2: r(y,1) r(x,nil)
        """);
    add(
        "lost-update",
        "s2 and s3 read the same version of x and both replace it.",
        """
        s1: w(x,1)
        s2: r(x,1) w(x,2)
        s3: r(x,1) w(x,3)
        """);
  }

  private static void cycles() {
    add(
        "G0",
        "ww(x) from s1 to s2, ww(y) from s2 to s1.",
        """
        s1: a(x,1) a(y,1)
        s2: a(x,2) a(y,2)
        s3: r(x,[1 2]) r(y,[2 1])
        """);
    add(
        "G1c",
        "ww(x) from s1 to s2, wr(y) from s2 to s1.",
        """
        s1: a(x,1) r(y,[1])
        s2: a(x,2) a(y,1)
        s3: r(x,[1 2])
        """);
    add(
        "G-single-item",
        "Read skew: rw(y) from s2 to s1, which replaced the y it read, and wr(x) back.",
        """
        s0: a(x,1) a(y,1)
        s1: a(x,2) a(y,2)
        s2: r(y,[1]) r(x,[1 2])
        s3: r(x,[1 2]) r(y,[1 2])
        """);
    add(
        "G-nonadjacent-item",
        "Long fork: wr(x) from s1 to s3, rw(y) to s2, wr(y) to s4, rw(x) back to s1.",
        """
        s0: a(x,1) a(y,1)
        s1: a(x,2)
        s2: a(y,2)
        s3: r(x,[1 2]) r(y,[1])
        s4: r(x,[1]) r(y,[1 2])
        """);
    add(
        "G2-item",
        "Write skew: rw(y) from s1 to s2 and rw(x) back; each replaced what the other read.",
        """
        s0: a(x,1) a(y,1)
        s1: r(x,[1]) r(y,[1]) a(x,2)
        s2: r(x,[1]) r(y,[1]) a(y,2)
        s3: r(x,[1 2]) r(y,[1 2])
        """);
  }

  private static void cyclesWithProcessOrder() {
    add(
        "G0-process",
        "s1 appends 1 and in its next transaction 2, but ww(x) leads from 2 to 1.",
        """
        s1: a(x,1)
        s1: a(x,2)
        s2: r(x,[2 1])
        """);
    add(
        "G1c-process",
        "s1 reads an element that it appends only in its next transaction.",
        """
        s1: r(x,[1])
        s1: a(x,1)
        """);
    add(
        "G-single-item-process",
        "s1 appends 2 and in its next transaction does not see it: rw(x) back.",
        """
        s0: a(x,1)
        s1: a(x,2)
        s1: r(x,[1])
        s2: r(x,[1 2])
        """);
    add(
        "G-nonadjacent-item-process",
        "s1 goes from its append to its read, rw(y) from there to s2, wr(y) to s3, rw(x) back.",
        """
        s0: a(x,1) a(y,1)
        s1: a(x,2)
        s1: r(y,[1])
        s2: a(y,2)
        s3: r(y,[1 2]) r(x,[1])
        s4: r(x,[1 2])
        """);
    add(
        "G2-item-process",
        "s1 goes from its append to its read, rw(y) from there to s2, rw(x) from s2 back.",
        """
        s0: a(x,1) a(y,1)
        s1: a(x,2)
        s1: r(y,[1])
        s2: r(x,[1]) a(y,2)
        s3: r(x,[1 2]) r(y,[1 2])
        """);
  }

  private static void cyclesWithRealTime() {
    add(
        "G0-realtime",
        "s1 ends before s2 begins, but ww(x) leads from s2 to s1.",
        """
        s1 @0-1: a(x,1)
        s2 @2-3: a(x,2)
        s3: r(x,[2 1])
        """);
    add(
        "G1c-realtime",
        "s1 ends before s2 begins, but reads what s2 appends.",
        """
        s1 @0-1: r(x,[1])
        s2 @2-3: a(x,1)
        """);
    add(
        "G-single-item-realtime",
        "s1 ends before s2 begins, but s2 does not see its append: rw(x) back.",
        """
        s0: a(x,1)
        s1 @0-1: a(x,2)
        s2 @2-3: r(x,[1])
        s3: r(x,[1 2])
        """);
    add(
        "G-nonadjacent-item-realtime",
        "s1 ends before s2 begins, rw(y) from s2 to s3, wr(y) to s4, rw(x) back to s1.",
        """
        s0: a(x,1) a(y,1)
        s1 @0-1: a(x,2)
        s2 @2-3: r(y,[1])
        s3: a(y,2)
        s4: r(y,[1 2]) r(x,[1])
        s5: r(x,[1 2])
        """);
    add(
        "G2-item-realtime",
        "s1 ends before s2 begins, rw(y) from s2 to s3, rw(x) from s3 back to s1.",
        """
        s0: a(x,1) a(y,1)
        s1 @0-1: a(x,2)
        s2 @2-3: r(y,[1])
        s3: r(x,[1]) a(y,2)
        s4: r(x,[1 2]) r(y,[1 2])
        """);
  }
}
