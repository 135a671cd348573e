import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.*;
import java.util.*;
import java.util.function.*;
import java.util.regex.*;
import java.util.stream.*;

/**
 * Verifies the proofs that {@code assay check --proof} writes. It shares nothing with Assay but the
 * definitions of docs/levels.md and the format of docs/proofs.md, which explains the rules.
 *
 * <pre>java tools/Verify.java history.jsonl proof.json</pre>
 *
 * <p>Exit code 0: all verdicts are accepted; 1: one is refused; 2: one is unknown or not proven.
 */
public final class Verify {
  public static void main(String[] args) {
    try {
      require(args.length == 2, "usage: java Verify.java history.jsonl proof.json");
      String history = Files.readString(Path.of(args[0]));
      List<String> all = verify(history, Files.readString(Path.of(args[1])));
      all.forEach(System.out::println);
      System.exit(all.stream().anyMatch(a -> a.contains(": refused: ")) ? 1
          : all.stream().allMatch(a -> a.contains(": accepted")) ? 0 : 2);
    } catch (IOException | RuntimeException e) {
      System.err.println("Verify: cannot read the input: " + e.getMessage());
      System.exit(254);
    }
  }
  /** The answers, one line for each level of the proof. */
  public static List<String> verify(String history, String proof) {
    Map<?, ?> all = map(parse(proof));
    require("1".equals(all.get("assay-proof")), "not a proof of version 1");
    List<Recorded> known = Stream.concat(Stream.of(Map.of()), list(get(all, "given", List.of()))
        .stream()).map(given -> new Recorded(history, map(given))).toList();
    List<String> answers = new ArrayList<>();
    for (Object each : list(all.get("levels"))) {
      Map<?, ?> claim = map(each);
      String level = said(claim.get("level")) + ": " + said(claim.get("verdict")) + ": ";
      try {
        Recorded recorded = known.get(1 + num(get(claim, "given", "-1")));
        require(num(all.get("transactions")) == recorded.txns.size(), "about another history");
        answers.add(level + judge(recorded, RULES.get(text(claim.get("level"))), all, claim));
      } catch (RuntimeException e) {
        boolean wrong = e.getClass() == IllegalArgumentException.class; // By require below.
        answers.add(level + "refused: " + (wrong ? e.getMessage() : "not a proof, " + e));
      }
    }
    return answers;
  }
  static String judge(Recorded all, Rule rule, Map<?, ?> proof, Map<?, ?> claim) {
    String verdict = text(claim.get("verdict"));
    if (verdict.equals("unknown")) return "nothing is claimed: " + said(claim.get("why"));
    if (claim.containsKey("unproven")) return "not proven: " + said(claim.get("unproven"));
    String foreign = rule == null ? "this level" : all.foreign;
    if (foreign != null) return "not proven: proofs do not cover " + foreign;
    if (verdict.equals("violated")) {
      Object why = list(proof.get("arguments")).get(num(claim.get("argument")));
      refute(all, rule, map(why), Map.of());
    } else {
      require(verdict.equals("holds") && (all.timed || !rule.has("rt")), "there are no times");
      Map<?, ?> found = map(list(proof.get("orders")).get(num(claim.get("order"))));
      Map<List<Integer>, Integer> from = list(get(found, "from", List.of())).stream()
          .map(Verify::ints).collect(Collectors.toMap(c -> c.subList(0, 2), c -> c.get(2)));
      World w = World.of(all, from, rule);
      boolean open = Stream.of(w.sources).flatMapToInt(IntStream::of).anyMatch(s -> s == OPEN);
      require(!open, "a read of one of several writes, none of which is chosen");
      for (String a : anomalies(w)) require(!rule.forbids(a.split(" ")[0]), a);
      int n = rule.has("cut") ? 0 : w.txns.size(); // An order says nothing of a cut.
      if (n > 0) new Order(w, rule, ints(found.get("order")), new int[n], new BitSet[n]).verify();
      if (rule.has("serial") && !all.order.isEmpty()) // A serial order that is given must do, too.
        new Order(w, RULES.get("replay"), all.order, new int[n], new BitSet[n]).verify();
    }
    return ("accepted " + all.by).strip();
  }
  static void require(boolean condition, String otherwise) {
    if (!condition) throw new IllegalArgumentException(otherwise);
  }

  // ---- The history. Names and values are JSON, compared as text.
  /** Registers 'r', lists 'l' and sets 's' are different keys even under one name. */
  record Key(char type, Object name) {}
  record Item(Key set, Object value) {} // An element of a set, absent or added; additions commute.
  /** What was written, or what a read saw: one value of a register, elements of a list or set. */
  record Op(boolean write, Key key, List<?> values, Object not) { // Not: what was not seen.
    boolean reads(char type) { return !write && key.type == type; }
    boolean writes(Key other) { return write && key.equals(other); }
  }
  /** The outcome is "given" where the client did not learn of the commit. */
  record Txn(Object session, String outcome, Long start, Long end, int first, int last) {
    boolean isCommitted() { return outcome.equals("committed"); }
    boolean endsBefore(Txn o) { // An end before the start is ignored.
      return isCommitted() && end != null && (start == null || start <= end)
          && o.start != null && end < o.start;
    }
  }
  /** Transactions and operations, both numbered from 0 through the file. */
  static final class Recorded {
    final List<Txn> txns = new ArrayList<>(); final List<Op> ops = new ArrayList<>();
    final Map<Key, Map<List<?>, List<Integer>>> writes = new HashMap<>();
    final List<List<Integer>> versions; // Orders of writes that are given beside the history,
    final List<Integer> order; final String by; // and of transactions; who says so.
    final Map<Object, List<?>> starts = new HashMap<>(); // The initial values of some registers,
    List<?> initial = List.of("null"); // and of all others.
    Object last = ""; boolean timed; String foreign; // The session that reads in the end.
    Recorded(String text, Map<?, ?> given) {
      by = said(get(given, "by", "\""));
      versions = list(get(given, "versions", List.of())).stream().map(Verify::ints).toList();
      order = ints(get(given, "order", List.of()));
      List<Integer> committed = ints(get(given, "committed", List.of()));
      for (String line : text.replace("\ufeff", "").split("\r?\n")) {
        Map<?, ?> fields = line.isBlank() ? Map.of() : map(parse(line));
        require(!fields.containsKey("loader"), "a loader; assay convert makes it initial values");
        if (fields.containsKey("assay")) header(fields);
        if (!fields.containsKey("ops")) continue;
        int first = ops.size();
        Long start = time(get(fields, "start", "null")), end = time(get(fields, "end", "null"));
        String outcome = text(get(fields, "outcome", "\"committed"));
        if (outcome.equals("indeterminate") && committed.contains(txns.size())) outcome = "given";
        list(fields.get("ops")).forEach(op -> add(list(op)));
        txns.add(new Txn(fields.get("session"), outcome, start, end, first, ops.size()));
        timed |= start != null || end != null;
      }
    }
    static Long time(Object o) { return o.equals("null") ? null : Long.valueOf((String) o); }
    private void header(Map<?, ?> fields) {
      Object s = get(fields, "initial", "null");
      if (s instanceof Map<?, ?> m) m.forEach((key, v) -> starts.put("\"" + key, List.of(v)));
      if (s instanceof List<?> l) l.forEach(p -> starts.put(list(p).get(0), list(p).subList(1, 2)));
      if (!(s instanceof String)) s = get(fields, "initialOfOthers", "null");
      initial = s.equals("0") ? List.of("0", "null") : List.of(s);
      last = text(get(map(get(fields, "metadata", Map.of())), "final-session", "\"\n"));
    }
    private void add(List<?> op) {
      String kind = said(op.get(0));
      Object value = op.size() > 2 ? op.get(2) : null;
      int write = List.of("w", "append", "add").indexOf(kind);
      if (write < 0 && !Set.of("r", "rl", "rs").contains(kind)) foreign = "operations " + kind;
      char type = write >= 0 ? "rls".charAt(write) : value == null ? '?'
          : kind.length() > 1 ? kind.charAt(1) : value instanceof List ? 'l' : 'r';
      Key key = new Key(type, op.get(1));
      List<?> values = value instanceof List<?> l ? l : value == null ? List.of() : List.of(value);
      if (write >= 0) writes.computeIfAbsent(key, k -> new HashMap<>())
          .computeIfAbsent(values, w -> new ArrayList<>()).add(ops.size());
      ops.add(new Op(write >= 0, key, values, value instanceof Map<?, ?> m ? m.get("not") : null));
    }
    /** Whether a register is read or written with its initial value; nil is one beside 0. */
    boolean isInitial(Key key, List<?> value) {
      return key.type == 'r' && starts.getOrDefault(key.name, initial).containsAll(value);
    }
    /** By the first of a session, all initial values, not after a reader of one has ended. */
    boolean isLoaded(int write) {
      Txn txn = txns.stream().filter(t -> t.first <= write && write < t.last).findFirst().get();
      return txn.isCommitted() && ops(txn).allMatch(op -> op.write
          && isInitial(op.key, op.values) && !op.values.contains("null"))
          && txns.stream().noneMatch(o -> o.first < txn.first && o.session.equals(txn.session))
          && txns.stream().filter(o -> o.endsBefore(txn)).flatMap(this::ops)
              .noneMatch(op -> !op.write && isInitial(op.key, op.values));
    }
    boolean given(int a, int b) { return order.contains(a) && order.indexOf(a) < order.indexOf(b); }
    Stream<Op> ops(Txn txn) { return ops.subList(txn.first, txn.last).stream(); }
    /** All writes of what was read, and the initial state unless a loader wrote it. */
    List<Integer> candidates(Op read, int element) {
      boolean other = read.not != null;
      List<?> named = List.of(other ? read.not : read.values.get(element));
      Map<List<?>, List<Integer>> all = writes.getOrDefault(read.key, Map.of());
      List<Integer> found = new ArrayList<>(other ? List.of() : all.getOrDefault(named, List.of()));
      if (other) all.forEach((value, by) -> { if (!value.equals(named)) found.addAll(by); });
      boolean initial = isInitial(read.key, named) != other;
      if (initial && found.stream().noneMatch(this::isLoaded)) found.add(INITIAL);
      return found.isEmpty() ? List.of(THIN_AIR) : found;
    }
  }

  // ---- Which write each read saw, which transactions count, and what that says of their order.
  static final int INITIAL = -1, THIN_AIR = -2, OPEN = -3;
  /** A read from another transaction or the initial state; of what a set shows, without a key. */
  record Read(int reader, int op, Object key, int writer, int write) {}
  /** The history with the write behind everything read; OPEN where one of several is not chosen. */
  static final class World {
    final Recorded all; final List<Txn> txns; final List<Op> ops; final int[][] sources;
    final int[] owner; final boolean[] counts; // The transaction of each operation; if it counts.
    final List<List<Read>> reads = new ArrayList<>(); // By reader.
    final Map<Object, Set<Integer>> writers = new HashMap<>();
    final Map<Key, List<Object>> traces = new HashMap<>(); // The longest read of each list.
    final Set<Key> disputed = new HashSet<>(); // Lists of which two reads show different orders.
    static World of(Recorded all, Map<List<Integer>, Integer> choices, Rule rule) {
      int[][] sources = new int[all.ops.size()][];
      for (int i = 0; i < sources.length; i++) {
        Op op = all.ops.get(i);
        sources[i] = new int[op.write ? 0 : op.values.size()];
        for (int e = 0; e < sources[i].length; e++) {
          List<Integer> possible = all.candidates(op, e);
          int choice = choices.getOrDefault(List.of(i, e), OPEN);
          require(choice == OPEN || possible.contains(choice), "nothing wrote what is chosen");
          sources[i][e] = possible.size() == 1 ? possible.get(0) : choice;
        }
      }
      World whole = new World(all, all.txns, sources);
      // Split: every operation is a transaction; which of them count is settled before.
      return !rule.has("split") ? whole : new World(all, IntStream.range(0, sources.length)
          .mapToObj(i -> new Txn(all.txns.get(whole.owner[i]).session, whole.counts[whole.owner[i]]
              ? "committed" : all.txns.get(whole.owner[i]).outcome, null, null, i, i + 1))
          .toList(), sources);
    }
    private World(Recorded all, List<Txn> txns, int[][] sources) {
      this.all = all; this.txns = txns; this.ops = all.ops; this.sources = sources;
      owner = new int[ops.size()]; counts = new boolean[txns.size()];
      for (Txn txn : txns) {
        Arrays.fill(owner, txn.first, txn.last, reads.size());
        reads.add(new ArrayList<>());
      }
      Predicate<Txn> known = txn -> txn.outcome.matches("committed|given");
      for (int t = 0; t < counts.length; t++) if (known.test(txns.get(t))) count(t);
      int[] counted = IntStream.range(0, owner.length).filter(i -> counts[owner[i]]).toArray();
      for (int i : counted) {
        Op op = ops.get(i);
        Object key = op.key.type == 's' && op.write ? new Item(op.key, op.values.get(0)) : op.key;
        if (op.write) writers.computeIfAbsent(key, k -> new TreeSet<>()).add(owner[i]);
        List<Object> trace = op.reads('l') ? trace(i) : null;
        if (trace != null) traces.merge(op.key, trace, (a, b) -> a.size() >= b.size() ? a : b);
      }
      for (int i : counted) if (!ops.get(i).write) read(i, ops.get(i));
    }
    /** A transaction counts, and with it each of unknown outcome whose writes it read. */
    private void count(int t) {
      if (counts[t]) return; else counts[t] = true;
      for (int i = txns.get(t).first; i < txns.get(t).last; i++) {
        for (int s : sources[i]) if (written(s)) count(owner[s]);
      }
    }
    private void read(int i, Op op) {
      boolean set = op.key.type == 's';
      for (int s : set ? sources[i] : op.reads('?') ? new int[0] : new int[] {version(i)}) {
        boolean other = s >= INITIAL && owner(s) != owner[i] && !aborted(s);
        if (other) reads.get(owner[i]).add(new Read(owner[i], i, set ? null : op.key, owner(s), s));
      }
      for (Object key : set ? writers.keySet() : Set.of()) {
        boolean in = key instanceof Item x && x.set.equals(op.key) && !op.values.contains(x.value);
        if (in) reads.get(owner[i]).add(new Read(owner[i], i, key, INITIAL, INITIAL));
      }
      List<Object> trace = op.reads('l') ? trace(i) : null;
      boolean prefix = trace == null || traces.get(op.key).subList(0, trace.size()).equals(trace);
      if (!prefix) disputed.add(op.key);
    }
    Stream<Read> by(int reader) { return reads.get(reader).stream(); }
    boolean aborted(int s) { return s >= 0 && txns.get(owner[s]).outcome.equals("aborted"); }
    boolean written(int s) { return s >= 0 && !aborted(s); }
    int owner(int s) { return s < 0 ? s : owner[s]; }
    Object session(int t) { return txns.get(t).session; }
    boolean isLast(int i) { return Set.of(all.last, "\"" + all.last).contains(session(owner[i])); }
    boolean session(int a, int b) { return a >= 0 && a < b && session(a).equals(session(b)); }
    boolean writes(int t, Object key) { return writers.getOrDefault(key, Set.of()).contains(t); }
    IntStream writesOf(int t) {
      return IntStream.range(txns.get(t).first, txns.get(t).last).filter(i -> ops.get(i).write);
    }
    boolean conflict(int a, int b) { return writesOf(a).anyMatch(i -> writes(b, ops.get(i).key)); }
    /** The write of the version that a read of a register or list saw. */
    int version(int i) { return IntStream.of(sources[i]).reduce(INITIAL, (a, b) -> b); }
    /** What a list read shows, without what aborted; null if some source is open. */
    List<Object> trace(int i) {
      int[] s = sources[i];
      List<Object> trace = IntStream.range(0, s.length).filter(e -> !aborted(s[e])).mapToObj(
          e -> s[e] == THIN_AIR ? ops.get(i).values.get(e) : (Object) s[e]).toList();
      return trace.contains(OPEN) ? null : trace;
    }
    /** The last write, or the last read, of a key in a transaction before a place; else -1. */
    int last(int t, int before, Key key, boolean write) {
      return IntStream.range(txns.get(t).first, Math.min(before, txns.get(t).last))
          .filter(i -> ops.get(i).write == write && ops.get(i).key.equals(key)).max().orElse(-1);
    }
    /** Whether edges lead from one to another, by reads before a place, or before what is read. */
    boolean leads(int a, int b, String way, int until) {
      if (way.isEmpty()) return a == b;
      String rest = way.substring(0, way.length() - 3);
      return way.endsWith("wr ") ? by(b).anyMatch(
              r -> r.writer >= 0 && r.op < until && leads(a, r.writer, rest, r.write))
          : IntStream.range(0, b).anyMatch(t -> session(t, b) && leads(a, t, rest, ops.size()));
    }
    /** Whether it is given, or the longest read of a list shows, that one wrote before another. */
    boolean known(int a, int b) {
      return a != b && writesOf(b).anyMatch(i -> Stream.concat(
          Stream.of(traces.getOrDefault(ops.get(i).key, List.of())), // What it lacks is later.
          all.versions.stream().filter(v -> txns == all.txns && v.contains(i))) // Not of a split.
          .anyMatch(v -> v.stream().takeWhile(s -> !s.equals(i))
              .anyMatch(s -> s instanceof Integer n && owner(n) == a)));
    }
  }

  // ---- Anomalies of single reads.
  /** All of them, as "anomaly at operation". */
  static Set<String> anomalies(World w) {
    Set<String> found = new HashSet<>();
    IntStream.range(0, w.owner.length).filter(i -> w.counts[w.owner[i]]).forEach(i -> {
      Op op = w.ops.get(i);
      Consumer<String> here = anomaly -> found.add(anomaly + " at " + i);
      for (int s : w.sources[i]) {
        if (s == THIN_AIR) here.accept("thin-air-read");
        if (w.aborted(s)) here.accept("aborted-read");
        if (w.owner(s) == w.owner[i] && s > i) here.accept("future-read");
      }
      if (op.reads('s')) readSet(w, i, op, here);
      if ((op.reads('r') || op.reads('l')) && w.version(i) != OPEN) readVersion(w, i, op, here);
    });
    Map<List<Object>, Read> updates = new HashMap<>(); // One for each version and who updates it.
    for (Read r : w.reads.stream().flatMap(List::stream).filter(r -> r.key instanceof Key k
        && w.last(r.reader, r.op, k, true) < 0 && w.writes(r.reader, k)).toList()) {
      Read other = updates.putIfAbsent(List.of(r.key, r.writer), r);
      if (other != null && other.reader != r.reader) found.add("lost-update at " + r.op);
    }
    return readFinally(w, found);
  }
  /** Elements never go away: what the last session reads has all that were added before. */
  static Set<String> readFinally(World w, Set<String> found) {
    int[] told = IntStream.range(0, w.owner.length).filter(i -> w.txns.get(w.owner[i])
        .isCommitted() && "ls".indexOf(w.ops.get(i).key.type) >= 0).toArray();
    for (int i : told) {
      int read = IntStream.of(told).filter(r -> w.isLast(r) && !w.ops.get(r).write
          && w.ops.get(r).key.name.equals(w.ops.get(i).key.name)).max().orElse(-1);
      if (read < 0 || w.isLast(i) || !w.ops.get(i).write) continue;
      Long end = w.txns.get(w.owner[i]).end, start = w.txns.get(w.owner[read]).start;
      boolean lost = !w.ops.get(read).values.containsAll(w.ops.get(i).values);
      if (lost && (end == null || start == null || end < start)) found.add("lost-write at " + read);
    }
    return found;
  }
  static void readVersion(World w, int i, Op op, Consumer<String> found) {
    int own = w.last(w.owner[i], i, op.key, true), before = w.last(w.owner[i], i, op.key, false);
    int version = w.version(i);
    boolean mine = w.owner(version) == w.owner[i];
    boolean last = version < 0 || version == w.last(w.owner[version], 1 << 30, op.key, true);
    if (!mine && !last) found.accept("intermediate-read");
    String notOwn = mine && version < own ? "not-my-last-write" : "not-my-own-write";
    if (op.reads('l') && w.trace(i) != null) readList(w, i, op, before, own, notOwn, found);
    if (op.reads('l')) return;
    if (mine ? version < own : own >= 0 && version != THIN_AIR) found.accept(notOwn);
    int first = before > own ? w.version(before) : OPEN;
    boolean same = before <= own || op.values.equals(w.ops.get(before).values)
        || op.not != null || w.ops.get(before).not != null;
    if (!same || (first != OPEN && first != version)) found.accept("non-repeatable-read");
  }
  /** A read of a list ends in what was appended since the last read, and repeats that one. */
  static void readList(World w, int i, Op op, int prev, int own, String bad, Consumer<String> out) {
    List<Integer> sources = IntStream.of(w.sources[i]).boxed().toList();
    List<Integer> appended = w.writesOf(w.owner[i])
        .filter(j -> prev < j && j < i && w.ops.get(j).writes(op.key)).boxed().toList();
    int rest = sources.size() - appended.size();
    boolean ends = rest >= 0 && sources.subList(rest, sources.size()).equals(appended);
    if (!ends || (own >= 0 && w.version(i) != own)) out.accept(bad);
    boolean same = !ends || prev < 0 || (op.values.subList(0, rest).equals(w.ops.get(prev).values)
        && (w.trace(prev) == null
            || Arrays.equals(Arrays.copyOf(w.sources[i], rest), w.sources[prev])));
    if (!same) out.accept("non-repeatable-read");
    if (w.disputed.contains(op.key)) out.accept("incompatible-order");
    Set<Object> shown = new HashSet<>();
    boolean onAborted = false;
    for (int e = 0; e < sources.size(); e++) {
      int s = sources.get(e);
      if (onAborted && w.written(s)) out.accept("dirty-update");
      onAborted |= w.aborted(s);
      boolean once = shown.add(s == THIN_AIR ? op.values.get(e) : (Object) s);
      if (!once) out.accept("duplicate-write");
      if (!once || !w.written(s)) continue;
      int first = w.txns.get(w.owner[s]).first; // Read before it was appended: a future read.
      boolean foreseen = Stream.of(w.sources).skip(first).limit(s - first)
          .flatMapToInt(IntStream::of).anyMatch(seen -> seen == s);
      boolean lacks = w.writesOf(w.owner[s]).anyMatch(
          j -> j < s && w.ops.get(j).writes(op.key) && !shown.contains(j));
      if (lacks && !foreseen) out.accept("incompatible-order");
    }
  }
  /** A read of a set shows own additions, whole transactions, and what the last read showed. */
  static void readSet(World w, int i, Op op, Consumer<String> found) {
    int start = w.txns.get(w.owner[i]).first, before = w.last(w.owner[i], i, op.key, false);
    List<?> earlier = before < 0 ? op.values : w.ops.get(before).values;
    if (!op.values.containsAll(added(w, op.key, start, i))) found.accept("not-my-own-write");
    Set<Object> since = added(w, op.key, Math.max(before, start), i);
    boolean same = Stream.concat(op.values.stream(), earlier.stream()).allMatch(
        e -> since.contains(e) || (op.values.contains(e) && earlier.contains(e)));
    if (!same) found.accept("non-repeatable-read");
    for (int s : w.sources[i]) {
      if (s < 0 || w.owner[s] == w.owner[i]) continue;
      Txn writer = w.txns.get(w.owner[s]);
      int first = writer.first + w.ops.subList(writer.first, s + 1).indexOf(w.ops.get(s));
      Set<Object> later = added(w, op.key, first, writer.last);
      later.removeAll(added(w, op.key, writer.first, first));
      if (!op.values.containsAll(later)) found.accept("intermediate-read");
    }
  }
  static Set<Object> added(World w, Key set, int from, int to) {
    Stream<Op> adds = w.ops.subList(from, to).stream().filter(op -> op.writes(set));
    return adds.map(op -> op.values.get(0)).collect(Collectors.toSet());
  }

  // ---- The levels.
  /** What a reader must see. In a cycle with one rw the other edges must match the pattern. */
  enum Sees {
    NOTHING(""), ALL(".*"), SNAPSHOT(".*"), PREFIX(".*"), PAST(".*"), NEIGHBOURS("\\w+ "),
    CAUSES("((so|wr) )+"), SOURCES("so |wr "), EARLIER("wr "), OWN("so "), READS("wr so "),
    WRITES("so wr "), FOLLOWS("wr so wr |wr wr "), PRAM("so |wr so |so wr ");
    final String back; Sees(String back) { this.back = back; }
    boolean overwrites() { return this == SNAPSHOT || this == PAST || this == NEIGHBOURS; }
  }
  /** Letters of the anomalies that a level forbids, and the orders its commit order respects. */
  record Rule(String reads, Sees sees, List<String> words) {
    boolean has(String word) { return words.contains(word); }
    boolean forbids(String a) { return reads.indexOf(READS.charAt(READS.indexOf(a) - 2)) >= 0; }
    int until(int read) { return sees == Sees.EARLIER ? read : Integer.MAX_VALUE; }
  }
  static final String READS = """
      A duplicate-write A incompatible-order B thin-air-read B aborted-read B intermediate-read
      B future-read B dirty-update C not-my-own-write C not-my-last-write D non-repeatable-read
      E lost-write F lost-update""";
  /** Name, anomalies it forbids, what a reader sees, and the orders it respects; a star is for
   * three levels: as it is, with sessions (strong-session-), with real time too (strong-). */
  static final String LEVELS = """
      serializable ABCDE ALL wr serial *, repeatable-read ABCDE ALL wr *,
      snapshot-isolation ABCDE SNAPSHOT wr *, consistent-view ABCDE PAST wr *,
      adya-read-committed AB NOTHING wr *, read-uncommitted A NOTHING *,
      cursor-stability ABF NOTHING wr, cut-isolation D NOTHING cut, prefix ABCDE PREFIX wr so,
      update-atomic ABCDE NEIGHBOURS wr so, causal ABCDE CAUSES wr so, replay ABCDE ALL wr replay,
      read-atomic ABCDE SOURCES wr so, read-committed ABC EARLIER wr so,
      monotonic-atomic-view ABC EARLIER wr, pram ABC PRAM wr so, read-your-writes ABC OWN wr so,
      monotonic-reads ABC READS wr so, monotonic-writes ABC WRITES wr so,
      writes-follow-reads ABC FOLLOWS wr so, causal-non-transactional ABCD CAUSES wr so split""";
  static final Map<String, Rule> RULES = new HashMap<>();
  static {
    for (String row : LEVELS.split(",\\s+")) {
      for (String more : row.endsWith("*") ? List.of("", " so", " so rt") : List.of("")) {
        List<String> words = List.of((row + more).split(" "));
        String prefix = more.isEmpty() ? "" : more.equals(" so") ? "strong-session-" : "strong-";
        RULES.put(prefix + words.get(0), new Rule(words.get(1), Sees.valueOf(words.get(2)), words));
      }
    }
    RULES.put("strict-serializable", RULES.remove("strong-serializable"));
    RULES.put("parallel-snapshot-isolation", RULES.remove("strong-session-consistent-view"));
  }

  // ---- A level holds: a commit order in which every read saw the last version it had to see.
  record Order(World w, Rule rule, List<Integer> order, int[] place, BitSet[] before) {
    void verify() {
      for (int i = 0; i < order.size(); i++) place[order.get(i)] = i + 1;
      boolean all = IntStream.range(0, place.length).allMatch(t -> w.counts[t] == place[t] > 0);
      require(all && Set.copyOf(order).size() == order.size(), "not all, or one of them twice");
      for (int b : order) {
        before[b] = new BitSet();
        w.by(b).filter(r -> rule.has("wr") && r.writer >= 0).forEach(r -> before[b].set(r.writer));
        for (int a : order) {
          boolean so = rule.has("so") && w.session(a, b);
          boolean rt = rule.has("rt") && w.txns.get(a).endsBefore(w.txns.get(b));
          boolean ww = rule.sees.overwrites() && place[a] < place[b] && w.conflict(a, b);
          if (so || rt || ww) before[b].set(a);
          boolean wrong = place[a] > place[b] && (before[b].get(a) || w.known(a, b));
          require(!wrong, a + " must come before " + b);
        }
        boolean past = rule.sees == Sees.PAST || rule.sees == Sees.CAUSES; // Through many steps.
        if (past) before[b].stream().boxed().toList().forEach(t -> before[b].or(before[t]));
        int last = before[b].stream().map(t -> place[t]).max().orElse(0);
        for (Read r : w.reads.get(b)) {
          int from = r.writer < 0 ? 0 : place[r.writer];
          for (int t : w.writers.getOrDefault(r.key, Set.of())) {
            boolean between = from < place[t] && place[t] < place[b];
            require(!between || !sees(t, r, last), r.op + " must see what " + t + " wrote");
          }
        }
      }
    }
    private boolean sees(int t, Read r, int last) {
      return switch (rule.sees) {
        case NOTHING, ALL -> rule.sees == Sees.ALL;
        case SNAPSHOT, PREFIX -> place[t] <= last;
        case PAST, CAUSES, NEIGHBOURS -> before[r.reader].get(t);
        default -> Stream.of(rule.sees.back.split("\\|")).anyMatch(
            way -> w.leads(t, r.reader, way, rule.until(r.op)));
      };
    }
  }

  // ---- A level is violated: steps that lead to a cycle it forbids, for every choice of writers.
  static void refute(Recorded all, Rule rule, Map<?, ?> why, Map<List<Integer>, Integer> from) {
    World w = World.of(all, from, rule);
    if (why.containsKey("split")) {
      List<Integer> read = ints(why.get("split")), writes = ints(why.get("writes"));
      List<Integer> possible = all.candidates(all.ops.get(read.get(0)), read.get(1));
      require(writes.containsAll(possible), "not all writes are considered");
      for (int i = 0; i < writes.size(); i++) {
        Map<List<Integer>, Integer> more = new HashMap<>(from);
        more.put(read, writes.get(i));
        refute(all, rule, map(list(why.get("cases")).get(i)), more);
      }
    } else if (why.containsKey("read")) {
      String anomaly = text(why.get("read")) + " at " + num(why.get("at"));
      require(rule.forbids(anomaly.split(" ")[0]), "the level does not forbid " + anomaly);
      require(anomalies(w).contains(anomaly), "there is no " + anomaly);
    } else if (why.containsKey("replay")) { // By the serial order that is given.
      require(rule.has("serial"), "the level is not about a serial order");
      cycle(w, RULES.get("replay"), list(why.get("replay")), w::known);
    } else {
      require(!rule.has("cut"), "the level does not forbid cycles");
      steps(w, rule, list(why.get("steps")));
    }
  }
  record Step(List<Integer> pair, Set<List<Integer>> given) {} // One before another, if others are.
  static void steps(World w, Rule rule, List<?> steps) {
    List<Step> shown = new ArrayList<>();
    for (Object step : steps) {
      List<Integer> pair = ints(get(map(step), "before", List.of()));
      Set<List<Integer>> given = list(get(map(step), "if", List.of())).stream()
          .map(Verify::ints).collect(Collectors.toSet()), supposed = new HashSet<>(given);
      if (!pair.isEmpty()) supposed.add(List.of(pair.get(1), pair.get(0)));
      cycle(w, rule, list(map(step).get("cycle")), (a, b) -> w.known(a, b)
          || supposed.contains(List.of(a, b)) || shown.stream().anyMatch(s ->
              s.pair.equals(List.of(a, b)) && supposed.containsAll(s.given)));
      if (pair.isEmpty() && given.isEmpty()) return;
      shown.add(new Step(pair, given));
    }
    require(false, "no step closes a cycle without assumptions");
  }
  /** Whether a cycle is there, by the orders that are shown so far, and the level forbids it. */
  static void cycle(World w, Rule rule, List<?> cycle, BiPredicate<Integer, Integer> before) {
    String kinds = ""; List<Integer> last = List.of(); // All kinds of edges, and the last rw.
    for (int i = 0; i < cycle.size(); i++) {
      List<?> edge = list(cycle.get(i));
      String kind = text(edge.get(0));
      int a = num(edge.get(1)), b = num(edge.get(2)), op = edge.size() > 3 ? num(edge.get(3)) : -1;
      require(num(list(cycle.get((i + 1) % cycle.size())).get(1)) == b, "a cycle is not closed");
      require(w.counts[a] && w.counts[b] && a != b, "a transaction that does not count");
      require(switch (kind) {
        case "so" -> rule.has("so") && w.session(a, b);
        case "rt" -> rule.has("rt") && w.txns.get(a).endsBefore(w.txns.get(b));
        case "gv" -> rule.has("replay") && w.all.given(a, b);
        case "wr" -> rule.has("wr") && w.by(b).anyMatch(r -> r.op == op && r.writer == a);
        case "ww" -> w.conflict(a, b) && before.test(a, b);
        case "rw" -> w.by(a).anyMatch(r -> r.op == op && r.key != null && r.writer != b
            && w.writes(b, r.key) && (r.writer < 0 || before.test(r.writer, b)));
        default -> false;
      }, "not shown: " + kind + " from " + a + " to " + b);
      kinds += kind + " ";
      if (kind.equals("rw")) last = List.of(a, b, op);
    }
    int rw = kinds.indexOf("rw ");
    String round = kinds + kinds.substring(0, 3); // A cycle without edges ends here.
    String back = kinds.substring(rw + 3) + kinds.substring(0, Math.max(rw, 0));
    require(rw < 0 || switch (rule.sees) {
      case NOTHING, ALL -> rule.sees == Sees.ALL;
      case SNAPSHOT -> !round.contains("rw rw");
      case PREFIX -> !round.contains("rw rw") && !round.contains("ww rw");
      case PAST, CAUSES, NEIGHBOURS -> !back.contains("rw") && back.matches(rule.sees.back);
      default -> back.matches(rule.sees.back)
          && w.leads(last.get(1), last.get(0), back, rule.until(last.get(2)));
    }, "the level does not forbid a cycle of " + kinds);
  }

  // ---- JSON: maps, lists, strings behind a quote, all else as text; skips commas and colons.
  static List<?> list(Object o) { return (List<?>) o; }
  static Map<?, ?> map(Object o) { return (Map<?, ?>) o; }
  static int num(Object o) { return Integer.parseInt((String) o); }
  static List<Integer> ints(Object o) { return list(o).stream().map(Verify::num).toList(); }
  static String text(Object o) { return ((String) o).substring(1); }
  /** A text of the proof, changed so that it cannot be taken for an answer. */
  static String said(Object o) { return text(o).replaceAll("[:\\p{Cntrl}]", " "); }
  static Object get(Map<?, ?> m, String k, Object or) { return m.containsKey(k) ? m.get(k) : or; }
  static final Pattern TOKEN = Pattern.compile(
      "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"|[{}\\[\\]]|[^\\s{}\\[\\]:,\"]+");
  static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");
  static Object parse(String text) {
    Stream<String> all = TOKEN.matcher(text).results().map(MatchResult::group);
    Deque<String> tokens = new ArrayDeque<>(all.toList());
    Object value = value(tokens);
    require(tokens.isEmpty(), "more than one JSON value");
    return value;
  }
  static Object value(Deque<String> tokens) {
    String token = tokens.remove();
    if (!token.equals("{") && !token.equals("[")) return scalar(token);
    boolean object = token.equals("{");
    Map<String, Object> map = new HashMap<>();
    List<Object> list = new ArrayList<>();
    while (!tokens.element().equals(object ? "}" : "]")) {
      if (!object) list.add(value(tokens));
      else map.put(text(scalar(tokens.remove())), value(tokens));
    }
    tokens.remove();
    return object ? map : list;
  }
  /** Equal numbers get equal texts; 1 and 1.0 are different values. */
  static Object scalar(String token) {
    if (Set.of("null", "true", "false").contains(token) || token.matches("-?\\d+")) return token;
    if (token.startsWith("\"")) {
      return ESCAPE.matcher(token.substring(0, token.length() - 1)).replaceAll(m ->
          Matcher.quoteReplacement(m.group(1) != null ? "" + (char) Integer.parseInt(m.group(1), 16)
              : "bfnrt".contains(m.group(2)) ? m.group().translateEscapes() : m.group(2)));
    }
    String number = new BigDecimal(token).stripTrailingZeros().toPlainString();
    return number.equals("0") && token.startsWith("-") ? "-0." : number + ".";
  }
}
