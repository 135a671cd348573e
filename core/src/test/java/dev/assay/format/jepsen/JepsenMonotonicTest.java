package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** CockroachDB's monotonic: adds that look up the largest number and insert the next. */
class JepsenMonotonicTest {
  private static final String FIRST = "{:val -1, :sts 0, :node -1, :tb -1}";

  private static History read(String text) throws ParseException {
    return Formats.read(Input.of("h", text.getBytes(StandardCharsets.UTF_8)));
  }

  private static Report check(String text) throws ParseException {
    return Assay.check(read(text), Level.surveyed(), Budget.of(Duration.ofSeconds(20)));
  }

  private static String op(String type, int process, String f, String value) {
    return "{:type :%s, :f :%s, :value %s, :process %d}\n".formatted(type, f, value, process);
  }

  /** A row as the database gives it, with a timestamp beyond 64 bits. */
  private static String row(int val) {
    return val < 0 ? FIRST : row(val, val);
  }

  private static String row(int val, int time) {
    return "{:val %d, :sts 14799154461836407%05d00000N, :node 2, :tb 0}".formatted(val, time);
  }

  private static String begin(int process) {
    return op("invoke", process, "add", "7");
  }

  private static String saw(int process, int val) {
    return op("ok", process, "add", row(val));
  }

  private static String add(int process, int val) {
    return begin(process) + saw(process, val);
  }

  private static String lost(int process) {
    return begin(process) + op("info", process, "add", "7");
  }

  private static String all(int process, String... rows) {
    String vector = "[" + FIRST + " " + String.join(" ", rows) + "]";
    return op("invoke", process, "read", "nil") + op("ok", process, "read", vector);
  }

  private static String[] rows(int upTo) {
    return IntStream.rangeClosed(0, upTo).mapToObj(v -> row(v)).toArray(String[]::new);
  }

  @Test
  void addsThatFollowEachOtherAreStrictSerializable() throws ParseException {
    Report report = check(add(0, -1) + add(1, 0) + add(0, 1) + all(0, rows(2)) + all(1, rows(2)));
    assertThat(report.holds(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(report.anomalies()).isEmpty();
  }

  @Test
  void aLongRunIsDecided() throws ParseException {
    String adds =
        IntStream.range(0, 300).mapToObj(v -> add(v % 5, v - 1)).collect(Collectors.joining());
    String reads =
        IntStream.range(0, 5).mapToObj(p -> all(p, rows(299))).collect(Collectors.joining());
    assertThat(check(adds + reads).holds(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  /** Nobody updated what another did, so this is write skew, by a phantom. */
  @Test
  void twoThatSeeTheSameLargestAreNotSerializableButOfOneSnapshot() throws ParseException {
    String twice = begin(0) + begin(1) + saw(0, -1) + saw(1, -1);
    for (String after :
        List.of(
            "",
            all(0, row(0, 0), row(0, 1)),
            all(0, row(0, 0), row(0, 1)) + add(2, 0) + all(1, row(0, 0), row(0, 1), row(1, 3)))) {
      Report report = check(twice + after);
      assertThat(report.violated(Level.SERIALIZABLE)).as(after).isTrue();
      assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).as(after).isFalse();
      assertThat(report.violated(Level.REPEATABLE_READ)).as(after).isFalse();
    }
    assertThat(check(twice).holds(Level.STRONG_SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void aStaleLookUpViolatesRealTime() throws ParseException {
    Report report = check(add(0, -1) + add(1, 0) + add(2, 1) + add(3, 1) + all(0, rows(2)));
    assertThat(report.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).isTrue();
  }

  @Test
  void aRowThatAReadMissesIsStaleIfItIsTheLastAndAHoleOtherwise() throws ParseException {
    String adds = add(0, -1) + add(0, 0) + add(0, 1);
    Report stale = check(adds + all(1, rows(1)));
    assertThat(stale.violated(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(stale.holds(Level.STRONG_SESSION_SERIALIZABLE)).isTrue();
    Report hole = check(adds + all(1, row(0), row(2)));
    assertThat(hole.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(hole.violated(Level.SNAPSHOT_ISOLATION)).isTrue();
    assertThat(hole.violated(Level.ADYA_READ_COMMITTED)).isFalse();
  }

  @Test
  void anAddOfUnknownOutcomeMayHaveInserted() throws ParseException {
    for (String rest :
        List.of(
            // It did not; or it did, and the next one, or a read, saw that.
            add(1, 0) + all(1, rows(1)), add(1, 1) + all(1, rows(2)), all(1, rows(1)))) {
      Report report = check(add(1, -1) + lost(0) + rest);
      assertThat(report.holds(Level.STRICT_SERIALIZABLE)).as(rest).isTrue();
    }
    // It may take effect whenever it likes, but only after it began.
    String late = add(1, -1) + lost(0) + add(1, 0) + all(1, rows(1)) + add(1, 2) + all(1, rows(3));
    assertThat(check(late).holds(Level.STRICT_SERIALIZABLE)).isTrue();
    Report early = check(add(1, -1) + all(1, rows(1)) + lost(0));
    assertThat(early.violated(Level.STRICT_SERIALIZABLE)).isTrue();
  }

  @Test
  void twoOfUnknownOutcomeMayFollowEachOther() throws ParseException {
    String adds = lost(0) + lost(1) + add(2, 1);
    assertThat(check(adds + all(2, rows(2))).holds(Level.STRICT_SERIALIZABLE)).isTrue();
    // Whoever inserted 2 saw 1, so 1 was there, and was read by none but one.
    Report hole = check(adds + all(2, row(0), row(2)));
    assertThat(hole.violated(Level.SERIALIZABLE)).isTrue();
    assertThat(hole.violated(Level.ADYA_READ_COMMITTED)).isFalse();
  }

  /** Nobody saw the row of 0, but that of 1 shows that it was there. */
  @Test
  void aNumberShowsThatTheOneBeforeWasInserted() throws ParseException {
    String adds = lost(0) + lost(1);
    assertThat(check(adds + all(2, rows(1))).holds(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(check(adds + all(2, row(1))).violated(Level.SERIALIZABLE)).isTrue();
    assertThat(check(lost(0) + all(2, row(900_000_000))).violated(Level.ADYA_READ_COMMITTED))
        .isTrue();
  }

  @Test
  void whatNobodyCanHaveInsertedIsThinAir() throws ParseException {
    for (String rows :
        List.of(add(0, -1) + all(0, rows(1)), lost(0) + all(1, rows(1)), add(0, 5))) {
      Report report = check(rows);
      assertThat(report.violated(Level.ADYA_READ_COMMITTED)).as(rows).isTrue();
      assertThat(report.anomalies())
          .extracting(a -> a.type())
          .as(rows)
          .contains(AnomalyType.THIN_AIR_READ);
    }
    String failed = begin(0) + op("fail", 0, "add", "7");
    assertThat(check(failed + add(1, -1) + all(1, rows(0))).holds(Level.STRICT_SERIALIZABLE))
        .isTrue();
    assertThat(check(failed + add(1, -1) + all(1, rows(1))).violated(Level.SERIALIZABLE)).isTrue();
  }

  /** With two tables an add only inserts, and shows what. */
  @Test
  void rowsOfTwoTablesAreThoseThatTheirAddsInserted() throws ParseException {
    String row = "{:val %d, :sts %d, :proc %d, :tb %d, :node 1}";
    String one = row.formatted(4, 10, 0, 0);
    String two = row.formatted(6, 20, 1, 1);
    String adds = begin(0) + op("ok", 0, "add", one) + begin(1) + op("ok", 1, "add", two) + lost(3);
    String read = op("invoke", 2, "read", "nil");
    Report good = check(adds + read + op("ok", 2, "read", "[" + one + two + "]"));
    assertThat(good.holds(Level.STRICT_SERIALIZABLE)).isTrue();
    String third = row.formatted(5, 30, 3, 1);
    Report recovered = check(adds + read + op("ok", 2, "read", "[" + one + two + third + "]"));
    assertThat(recovered.holds(Level.STRICT_SERIALIZABLE)).isTrue();
    Report lost = check(adds + read + op("ok", 2, "read", "[" + two + "]"));
    assertThat(lost.violated(Level.STRICT_SERIALIZABLE)).isTrue();
    assertThat(lost.holds(Level.SERIALIZABLE)).isTrue();
  }

  @Test
  void timestampsAgainstTheNumbersAreNoted() throws ParseException {
    String adds = add(0, -1) + op("invoke", 1, "add", "1") + op("ok", 1, "add", row(0, 9));
    History history = read(adds + all(0, row(0, 9), row(1, 3)));
    assertThat(history.metadata().get("note.disordered")).startsWith("1 row has a timestamp");
    assertThat(read(add(0, -1) + add(1, 0) + all(0, rows(1))).metadata())
        .doesNotContainKey("note.disordered");
  }

  @Test
  void whatIsNoRowIsRefused() {
    for (String wrong :
        List.of(
            add(0, -1) + begin(1) + op("ok", 1, "add", "{:sts 5}"),
            add(0, -1) + begin(1) + op("ok", 1, "add", "5"),
            add(0, -1) + all(0, "{:val nil}"),
            add(0, -1) + all(0, "5"),
            add(0, -1) + op("invoke", 0, "write", "3"))) {
      assertThatThrownBy(() -> read(wrong))
          .as(wrong)
          .isInstanceOf(ParseException.class)
          .hasMessageContaining("whose :f is");
    }
  }

  // ---- simulated runs

  /** A run, and whether two adds inserted the same number. */
  private record Run(String edn, boolean twice) {}

  /**
   * Adds that look up the largest number when they begin, or at one moment with their insertion;
   * one in four loses its connection, before or after that. All clients read at the end.
   */
  private static Run run(boolean snapshots, long seed) {
    Random random = new Random(seed);
    StringBuilder edn = new StringBuilder();
    List<String> rows = new ArrayList<>(List.of(FIRST));
    int[] seen = {-2, -2, -2};
    int largest = -1;
    boolean twice = false;
    for (int step = 0; step < 14; step++) {
      int process = random.nextInt(seen.length);
      if (seen[process] == -2) {
        edn.append(begin(process));
        seen[process] = largest;
        continue;
      }
      int saw = snapshots ? seen[process] : largest;
      seen[process] = -2;
      boolean loses = random.nextInt(4) == 0;
      String before =
          rows.stream().filter(row -> row.contains(":val " + saw + ",")).findAny().get();
      if (!loses || random.nextBoolean()) {
        rows.add(row(saw + 1, step));
        twice |= saw + 1 <= largest;
        largest = Math.max(largest, saw + 1);
      }
      edn.append(loses ? op("info", process, "add", "7") : op("ok", process, "add", before));
    }
    for (int process = seen.length; process < 2 * seen.length; process++) {
      edn.append(all(process, rows.subList(1, rows.size()).toArray(String[]::new)));
    }
    return new Run(edn.toString(), twice);
  }

  @Test
  void whatAStoreThatKeepsItsPromiseDoesIsNoViolation() throws ParseException {
    int violated = 0;
    for (long seed = 0; seed < 60; seed++) {
      Run serial = run(false, seed);
      assertThat(check(serial.edn()).holds(Level.STRICT_SERIALIZABLE)).as(serial.edn()).isTrue();
      Run skewed = run(true, seed);
      Report report = check(skewed.edn());
      assertThat(report.violated(Level.STRONG_SNAPSHOT_ISOLATION)).as(skewed.edn()).isFalse();
      if (!skewed.twice()) {
        assertThat(report.violated(Level.STRICT_SERIALIZABLE)).as(skewed.edn()).isFalse();
      }
      violated += report.violated(Level.SERIALIZABLE) ? 1 : 0;
    }
    assertThat(violated).isGreaterThan(20);
  }
}
