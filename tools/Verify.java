import java.nio.file.*;
import java.util.*;
import java.util.regex.*;
import java.util.stream.*;
/** Verifies the proofs that {@code assay check --proof} writes. It shares nothing with Assay but
 * the definitions of docs/levels.md and the format of docs/proofs.md, which explains the rules. */
public final class Verify {
  public static void main(String[] args) {
    try {
      require(args.length == 2, "usage: java Verify.java history.jsonl proof.json");
      var all = verify(Files.readString(Path.of(args[0])), Files.readString(Path.of(args[1])));
      all.forEach(System.out::println);
      System.exit(all.stream().anyMatch(a -> a.contains(": refused: ")) ? 1
          : all.stream().allMatch(a -> a.contains(": accepted")) ? 0 : 2);
    } catch (java.io.IOException | RuntimeException e) {
      System.err.println("Verify: cannot read the input: " + e.getMessage());
      System.exit(254);
    }
  }
  public static List<String> verify(String history, String proof) { // A line for each level.
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
        answers.add(level + "refused: " + said("\"" + e.getMessage())); // May quote the proof.
      }
    }
    return answers;
  }
  static String judge(Recorded all, Rule rule, Map<?, ?> proof, Map<?, ?> each) {
    String verdict = text(each.get("verdict"));
    if (verdict.equals("unknown")) return "nothing is claimed: " + said(each.get("why"));
    if (each.containsKey("unproven")) return "not proven: " + said(each.get("unproven"));
    String foreign = rule == null ? "this level" : all.foreign;
    if (foreign != null) return "not proven: proofs do not cover " + foreign;
    if (verdict.equals("violated")) {
      refute(all, rule, map(list(proof.get("arguments")).get(num(each.get("argument")))), Map.of());
    } else {
      Map<?, ?> found = map(list(proof.get("orders")).get(num(each.get("order"))));
      Map<List<Integer>, Integer> from = list(get(found, "from", List.of())).stream()
          .map(Verify::ints).collect(Collectors.toMap(c -> c.subList(0, 2), c -> c.get(2)));
      World w = World.of(all, from, rule);
      for (int[] read : w.sources) for (int s : read) require(s != OPEN, "no write is chosen");
      boolean rt = rule.has("rt") || w.counting().anyMatch(t -> w.rule(t).has("rt"));
      require(verdict.equals("holds") && (all.timed || !rt), "there are no times");
      require(w.anomalies().isEmpty(), String.join(", ", w.anomalies()));
      if (!rule.has("cut")) order(w, ints(found.get("order"))); // A cut is of no order.
      if (rule.has("serial") && !all.order.isEmpty()) // A serial order that is given must do, too.
        order(World.of(all, from, RULES.get("replay")), all.order);
    }
    return ("accepted " + all.by).strip();
  }
  static void require(boolean condition, String otherwise) {
    if (!condition) throw new IllegalArgumentException(otherwise);
  }
  // ---- The history. Names and values are JSON, compared as text.
  record Key(char type, Object name) {} // Registers, lists, sets and counters are different keys.
  record Item(Key set, Object value) {} // An element of a set, absent or added; additions commute.
  /** What was written or seen: a value (or what it is not), its version's number; elements. */
  record Op(int txn, boolean write, Key key, List<?> values, Object not, Object number) {
    Object value() { return values.isEmpty() ? null : values.get(0); }
    boolean reads(char type) { return !write && key.type == type; }
    long amount() { return Long.parseLong(value().toString().replace("null", "0")); }
  }
  /** The outcome is "given" where the client did not learn of the commit. */
  record Txn(Object session, String outcome, Object level, Long start, Long end, int[] ops) {
    boolean isCommitted() { return outcome.equals("committed"); }
    boolean endsBefore(Txn o) { // An end before the start is ignored.
      return isCommitted() && end != null && (start == null || start <= end)
          && o.start != null && end < o.start;
    }
  }
  static final class Recorded { // Transactions and operations are numbered from 0 through the file.
    final List<Txn> txns = new ArrayList<>(); final List<Op> ops = new ArrayList<>();
    final Map<Key, Map<Object, List<Integer>>> writes = new HashMap<>();
    final List<List<Integer>> versions; // Orders of writes that are given beside the history,
    final List<Integer> order; final String by; // and of transactions; who says so.
    final Map<List<Object>, Integer> last = new HashMap<>(); // Writes, by transaction and key.
    final Map<Integer, Long> left = new HashMap<>(); // Numbers of the versions that they made.
    final Map<Object, List<?>> starts = new HashMap<>(); // Initial values of some registers,
    List<?> initial = List.of("null"); // and of all others.
    Object reader = ""; boolean timed; String foreign; // The session that reads in the end.
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
        txns.add(new Txn(fields.get("session"), outcome, get(fields, "level", "null"), start, end,
            IntStream.range(first, ops.size()).toArray()));
        timed |= start != null || end != null;
      }
    }
    static Long time(Object o) { return "null".equals(o) ? null : Long.valueOf((String) o); }
    private void header(Map<?, ?> fields) {
      Object s = get(fields, "initial", "null");
      if (s instanceof Map<?, ?> m) m.forEach((k, v) -> starts.put("\"" + k, List.of(plain(v))));
      else if (s instanceof List<?> l)
        l.forEach(p -> starts.put(list(p).get(0), List.of(plain(list(p).get(1)))));
      if (!(s instanceof String)) s = get(fields, "initialOfOthers", "null");
      initial = s.equals("0") ? List.of("0", "null") : List.of(s);
      reader = text(get(map(get(fields, "metadata", Map.of())), "final-session", "\"\n"));
      if (of(fields.get("metadata"), "counters") != null) foreign = "counters from any start";
    }
    private void add(List<?> op) { // One that depends on what is there is a read and a write.
      String kind = said(op.get(0));
      Object value = op.size() > 2 ? op.get(2) : null, done = op.get(op.size() - 1);
      boolean cas = kind.equals("cas"), delete = kind.equals("delete"), did = done.equals("true");
      if (cas || delete || kind.equals("put-if-absent")) {
        Object old = cas ? value : "null", made = delete ? "null" : op.get(op.size() - 2);
        if (value != null) add(List.of("\"r", op.get(1), did == delete ? Map.of("not", old) : old));
        if (did || value == null) add(List.of("\"w", op.get(1), made));
        return;
      }
      int write = List.of("w", "append", "add", "inc").indexOf(kind);
      if (write < 0 && !kind.matches("r[lsc]?")) foreign = "operations " + kind;
      char type = write >= 0 ? "rlsc".charAt(write) : value == null ? '?'
          : kind.length() > 1 ? kind.charAt(1) : value instanceof List ? 'l' : 'r';
      Key key = new Key(type, op.get(1));
      List<?> values = value instanceof List<?> l ? l : value == null ? List.of() : List.of(value);
      Object number = of(value, "version");
      ops.add(new Op(txns.size(), write >= 0, key, values, of(value, "not"), number));
      if (write < 0) return;
      writes.computeIfAbsent(key, k -> new HashMap<>())
          .computeIfAbsent(plain(value), w -> new ArrayList<>()).add(ops.size() - 1);
      left.remove(last.put(List.of(txns.size(), key), ops.size() - 1));
      if (number != null) left.put(ops.size() - 1, time(number));
    }
    static Object plain(Object o) { return of(o, "version") == null ? o : of(o, "value"); }
    boolean isInitial(Key key, Object value) { // Of a register; nil is one beside 0.
      return key.type == 'r' && starts.getOrDefault(key.name, initial).contains(plain(value));
    }
    boolean isLoaded(int write) { // First in session, all initial, before readers of them end.
      Txn txn = txns.get(ops.get(write).txn);
      return txn.isCommitted() && ops(txn).allMatch(op -> op.write
          && isInitial(op.key, op.value()) && !op.value().equals("null") && op.number == null)
          && txns.stream().takeWhile(o -> o != txn).noneMatch(o -> o.session.equals(txn.session))
          && txns.stream().filter(o -> o.endsBefore(txn)).flatMap(this::ops)
              .noneMatch(op -> !op.write && isInitial(op.key, op.value()));
    }
    boolean given(int a, int b) { return order.contains(a) && order.indexOf(a) < order.indexOf(b); }
    Stream<Op> ops(Txn txn) { return IntStream.of(txn.ops).mapToObj(ops::get); }
    List<Integer> candidates(Op read, int element) { // Writes of it; the start, if none loaded it.
      boolean counter = read.key.type == 'c', other = counter || read.not != null;
      Object named = other ? read.not : plain(read.values.get(element));
      Map<Object, List<Integer>> all = writes.getOrDefault(read.key, Map.of());
      List<Integer> found = new ArrayList<>(other ? List.of() : all.getOrDefault(named, List.of()));
      if (other) all.forEach((value, by) -> { if (!value.equals(named)) found.addAll(by); });
      List<Integer> exact = found.stream().filter(
          i -> read.number != null && read.number.equals(ops.get(i).number)).toList();
      if (!exact.isEmpty()) return exact;
      found.removeIf(i -> read.number != null && ops.get(i).number != null);
      boolean initial = isInitial(read.key, named) != other;
      if (initial && found.stream().noneMatch(this::isLoaded)) found.add(INITIAL);
      if (counter || found.isEmpty()) found.add(THIN_AIR); // The sums tell what a counter shows.
      return found;
    }
  }
  // ---- Which write each read saw, which transactions count, and what that says of their order.
  static final int INITIAL = -1, THIN_AIR = -2, OPEN = -3;
  record Read(int reader, int op, Object key, int writer, int write) {} // Without key: of elements.
  static final class World { // The history with the write behind what was read; OPEN if not chosen.
    final Recorded all; final List<Txn> txns; final List<Op> ops; final int[][] sources;
    final Rule rule; final boolean sessions; // Whether session order is respected.
    final int[] owner, counted; final boolean[] counts; // Owners of operations; those who count.
    final List<List<Read>> reads = new ArrayList<>(); final Set<String> anomalies = new HashSet<>();
    final Map<Object, Set<Integer>> writers = new HashMap<>();
    final Map<Key, List<Object>> traces = new HashMap<>(); // The longest read of each list.
    static World of(Recorded all, Map<List<Integer>, Integer> choices, Rule rule) {
      int[][] seen = new int[all.ops.size()][];
      for (int i = 0; i < seen.length; i++) {
        Op op = all.ops.get(i);
        seen[i] = new int[op.write ? 0 : op.values.size()];
        for (int e = 0; e < seen[i].length; e++) {
          List<Integer> possible = all.candidates(op, e);
          int choice = choices.getOrDefault(List.of(i, e), OPEN);
          require(choice == OPEN || possible.contains(choice), "nothing wrote what is chosen");
          seen[i][e] = possible.size() == 1 ? possible.get(0) : choice;
        }
      }
      World w = new World(all, all.txns, all.ops.stream().mapToInt(Op::txn).toArray(), seen, rule);
      return rule.has("parts") ? w.divided() : w;
    }
    private World divided() { // Each part has the number of its first operation.
      List<Txn> parts = new ArrayList<>();
      int[] part = IntStream.range(0, owner.length).toArray(); // Of each operation.
      for (Txn txn : txns) for (int i : txn.ops) {
        int last = rule.has("runs") ? i - 1 : i; // Of those that may begin its part.
        for (int j = rule.has("keys") ? txn.ops[0] : Math.max(last, txn.ops[0]); j < i; j++)
          if (name(i).equals(name(j)) || (j == last && all.isLoaded(i))) part[i] = part[j];
        Object session = rule.has("keys") ? List.of(txn.session, name(i)) : txn.session;
        boolean settled = rule.has("single") && counts[owner[i]]; // For the whole.
        String outcome = part[i] != i ? "" : settled ? "committed" : txn.outcome;
        parts.add(new Txn(session, outcome, txn.level, txn.start, txn.end, txn.ops));
      }
      return new World(all, parts, part, sources, rule);
    }
    private World(Recorded all, List<Txn> txns, int[] owner, int[][] sources, Rule rule) {
      this.all = all; this.txns = txns; this.ops = all.ops; this.sources = sources;
      this.owner = owner; this.rule = rule; counts = new boolean[maker(all.ops.size())];
      for (int t = 0; t < counts.length; t++) reads.add(new ArrayList<>()); // Makers read nothing.
      for (int t = 0; t < txns.size(); t++)
        if (txns.get(t).outcome.matches("committed|given")) count(t);
      counted = IntStream.range(0, owner.length).filter(i -> counts[owner[i]]).toArray();
      for (int i : counted) {
        Op op = ops.get(i);
        Object key = op.key.type == 's' && op.write ? new Item(op.key, op.value()) : op.key;
        if (op.write) writers.computeIfAbsent(key, k -> new TreeSet<>()).add(owner[i]);
        if (op.reads('l')) traces.merge(op.key, trace(i), (a, b) -> a.size() >= b.size() ? a : b);
      }
      for (int i : counted) if (!ops.get(i).write) read(i, ops.get(i));
      sessions = counting().anyMatch(t -> rule(t).has("so"));
      require(!rule.has("mixed") || counting().allMatch(t -> rule(t).has("mix")), "not to mix");
    }
    IntStream counting() { return IntStream.range(0, txns.size()).filter(t -> counts[t]); }
    int maker(int read) { return txns.size() + read; } // Of the version of a counter that it shows.
    /** What is required of a transaction: by its own level, if levels are mixed. */
    Rule rule(int t) { return rule.has("mixed") ? RULES.get(text(txns.get(t).level)) : rule; }
    private void count(int t) { // And with it each of unknown outcome whose writes it read.
      if (counts[t]) return; else counts[t] = true;
      for (int i : in(t).toArray()) for (int s : sources[i]) if (written(s)) count(owner[s]);
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
      if (!op.reads('c') || version(i) != OPEN || last(owner[i], i, op.key, true) >= 0) return;
      counts[maker(i)] = rule(owner[i]).reads.contains("B"); // Else it may be thin air.
      writers.computeIfAbsent(op.key, k -> new TreeSet<>()).add(maker(i));
      reads.get(owner[i]).add(new Read(owner[i], i, op.key, maker(i), maker(i)));
    }
    Stream<Read> by(int reader) { return reads.get(reader).stream(); }
    Object name(int i) { return ops.get(i).key.name; }
    boolean aborted(int s) { return s >= 0 && txn(s).outcome.equals("aborted"); }
    boolean written(int s) { return s >= 0 && !aborted(s); }
    Txn txn(int i) { return txns.get(owner[i]); }
    int owner(int s) { return s < 0 ? s : owner[s]; }
    boolean isLast(int i) { return Set.of(all.reader, "\"" + all.reader).contains(txn(i).session); }
    boolean session(int a, int b) {
      return sessions && a < b && txns.get(a).session.equals(txns.get(b).session) && meet(a, b);
    }
    boolean realTime(int a, int b) {
      return rule(b).has("rt") && txns.get(a).endsBefore(txns.get(b)) && meet(a, b);
    }
    boolean meet(int a, int b) { // Some levels order only those that access a common key.
      return !rule.has("common")
          || in(a).anyMatch(i -> in(b).anyMatch(j -> name(i).equals(name(j))));
    }
    boolean writes(int t, Object key) { return writers.getOrDefault(key, Set.of()).contains(t); }
    IntStream in(int t) { return IntStream.of(txns.get(t).ops).filter(i -> owner[i] == t); }
    IntStream writesOf(int t) { return in(t).filter(i -> ops.get(i).write); }
    IntStream uses(int t, Key key, boolean write) {
      return in(t).filter(i -> ops.get(i).write == write && ops.get(i).key.equals(key));
    }
    boolean conflict(int a, int b) { return writesOf(a).anyMatch(i -> writes(b, ops.get(i).key)); }
    /** The write of the version that a read of a register or list saw. */
    int version(int i) { return IntStream.of(sources[i]).reduce(INITIAL, (a, b) -> b); }
    List<Object> seen(int i) { // The writes behind what a read saw, and thin air.
      return IntStream.range(0, sources[i].length).mapToObj(e -> sources[i][e] == THIN_AIR
          ? ops.get(i).values.get(e) : (Object) sources[i][e]).toList();
    }
    List<Object> trace(int i) { // What a list shows, without what aborted; nothing if one is open.
      Stream<Object> shown = seen(i).stream().filter(s -> !(s instanceof Integer w && aborted(w)));
      return seen(i).contains(OPEN) ? List.of() : shown.toList();
    }
    int last(int t, int before, Key key, boolean write) { // Use of a key before a place; else -1.
      return uses(t, key, write).filter(i -> i < before).max().orElse(-1);
    }
    boolean leads(int a, int b, String ways, int until) { // By reads before a place or a write.
      if (ways.contains("/"))
        return Stream.of(ways.split("/")).anyMatch(way -> leads(a, b, way, until));
      String rest = ways.substring(0, Math.max(ways.length() - 3, 0));
      return ways.isEmpty() ? a == b : ways.endsWith("wr")
          ? by(b).anyMatch(r -> r.writer >= 0 && r.op < until && leads(a, r.writer, rest, r.write))
          : ways.endsWith("so") && b < txns.size() && IntStream.range(0, b)
              .anyMatch(t -> session(t, b) && leads(a, t, rest, ops.size()));
    }
    boolean known(int a, int b) { // By numbers, by the longest read of a list, or as it is given.
      if (a == b || Math.max(a, b) >= txns.size()) return false;
      return writesOf(b).anyMatch(i -> uses(a, ops.get(i).key, true).anyMatch(j ->
          all.left.getOrDefault(j, Long.MAX_VALUE) < all.left.getOrDefault(i, Long.MIN_VALUE))
          || Stream.concat(
              Stream.of(traces.getOrDefault(ops.get(i).key, List.of())), // What it lacks is later.
              all.versions.stream().filter(v -> txns == all.txns && v.contains(i))) // Not of parts.
              .anyMatch(v -> v.stream().takeWhile(s -> !s.equals(i))
                  .anyMatch(s -> s instanceof Integer n && owner(n) == a)));
    }
    boolean has(Edge e, Before before) { // By an order of those who write a common key.
      return counts[e.a] && counts[e.b] && e.a != e.b && switch (e.kind) {
        case "so" -> session(e.a, e.b);
        case "rt" -> realTime(e.a, e.b);
        case "gv" -> rule.has("replay") && e.a < txns.size() && all.given(e.a, e.b);
        case "wr" -> rule(e.b).has("wr") && by(e.b).anyMatch(r -> r.op == e.op && r.writer == e.a);
        case "ww" -> conflict(Math.min(e.a, e.b), Math.max(e.a, e.b)) && before.test(e.a, e.b);
        case "rw" -> by(e.a).anyMatch(r -> r.op == e.op && r.key != null && r.writer != e.b
            && writes(e.b, r.key) && (r.writer < 0 || before.test(r.writer, e.b)));
        default -> false;
      };
    }
    /** Whether a counter may change so from a version, or its start (-1), to one not before it. */
    boolean addsUp(int from, int read, Before before) {
      Op last = ops.get(read);
      int own = last(owner[read], read, last.key, true), to = own < 0 ? maker(read) : owner[read];
      String asked = own < 0 ? "B" : "BC"; // Without these, it may be thin air.
      require(last.reads('c') && counts[to] && rule(owner[read]).reads.contains(asked), "no sum");
      long least = from < 0 ? 0 : ops.get(from - txns.size()).amount(), most = least;
      for (int i : all.candidates(last, 0).stream().filter(this::written).toList()) {
        int t = owner[i];
        boolean mine = t == owner[read], later = mine ? i > read : before.test(to, t);
        if (later || (from >= 0 && before.test(t, from))) continue;
        boolean between = (from < 0 || before.test(from, t)) && (mine || before.test(t, to));
        long n = ops.get(i).amount(); // What may be between counts in the favour of the reads.
        least = Math.addExact(least, between ? n : Math.min(n, 0));
        most = Math.addExact(most, between ? n : Math.max(n, 0));
      }
      return least <= last.amount() && last.amount() <= most;
    }
    // ---- Anomalies of single reads.
    Set<String> anomalies() { // All that the level forbids, as "anomaly at operation".
      for (int i : counted) {
        Op op = ops.get(i);
        for (int s : sources[i]) {
          if (s == THIN_AIR) found("B thin-air-read", i);
          if (aborted(s)) found("B aborted-read", i);
          if (owner(s) == owner[i] && s > i) found("B future-read", i);
        }
        if (op.reads('s')) readSet(i, op);
        if (!op.write && "rlc".indexOf(op.key.type) >= 0) readVersion(i, op);
      }
      Map<List<Object>, Read> updates = new HashMap<>(); // One for each version and who updates it.
      for (List<Read> own : reads) for (Read r : own)
        if (r.key instanceof Key k && last(r.reader, r.op, k, true) < 0 && writes(r.reader, k)) {
          Read other = updates.putIfAbsent(List.of(k, r.writer), r);
          if (other != null && other.reader != r.reader) found("F lost-update", r.op);
        }
      // Elements never go away: what the last session reads has all that were added before.
      Map<Key, Integer> finals = new HashMap<>();
      int[] told = IntStream.of(counted).filter(i -> txn(i).isCommitted()
          && "ls".indexOf(ops.get(i).key.type) >= 0).toArray();
      for (int i : told) if (isLast(i) && !ops.get(i).write) finals.put(ops.get(i).key, i);
      for (int i : told) {
        Integer read = isLast(i) || !ops.get(i).write ? null : finals.get(ops.get(i).key);
        if (read == null || ops.get(read).values.containsAll(ops.get(i).values)) continue;
        Long end = txn(i).end, start = txn(read).start;
        if (end == null || start == null || end < start) found("E lost-write", read);
      }
      return anomalies;
    }
    private void found(String anomaly, int i) {
      boolean forbidden = rule(owner[i]).reads.indexOf(anomaly.charAt(0)) >= 0;
      if (forbidden) anomalies.add(anomaly.substring(2) + " at " + i);
    }
    private void readVersion(int i, Op op) { // Against what its transaction read and wrote.
      int own = last(owner[i], i, op.key, true), before = last(owner[i], i, op.key, false);
      int version = version(i);
      boolean mine = owner(version) == owner[i], list = op.reads('l');
      boolean last = version < 0 || version == last(owner[version], 1 << 30, op.key, true);
      if (!mine && !last) found("B intermediate-read", i);
      List<Integer> since =
          uses(owner[i], op.key, true).filter(j -> before < j && j < i).boxed().toList();
      if (op.reads('c') && before >= 0 && op.amount() != since.stream()
          .map(j -> ops.get(j).amount()).reduce(ops.get(before).amount(), Math::addExact))
        found("D non-repeatable-read", i);
      List<Object> seen = seen(i);
      if (seen.contains(OPEN)) return;
      int rest = seen.size() - since.size(); // A list ends in what was appended since that read.
      boolean ends = !list || (rest >= 0 && seen.subList(rest, seen.size()).equals(since));
      if (!ends || (own >= 0 && version != own))
        found(mine && version < own ? "C not-my-last-write" : "C not-my-own-write", i);
      boolean again = before >= 0 && !seen(before).contains(OPEN)
          && (list ? ends : since.isEmpty());
      boolean named = again && op.not == null && ops.get(before).not == null; // What nobody wrote.
      if (again && (named || version != version(before))
          && !seen(before).equals(seen.subList(0, rest))) found("D non-repeatable-read", i);
      boolean agrees = !list || Collections.indexOfSubList(traces.get(op.key), trace(i)) == 0;
      if (!agrees) found("A incompatible-order", i);
      Set<Object> shown = new HashSet<>();
      boolean onAborted = false;
      for (Object one : list ? seen : List.of()) {
        int s = one instanceof Integer write ? write : THIN_AIR;
        if (onAborted && written(s)) found("B dirty-update", i);
        onAborted |= aborted(s);
        if (!shown.add(one)) found("A duplicate-write", i);
        else if (written(s)
            && uses(owner[s], op.key, true).anyMatch(j -> j < s && !shown.contains(j))
            && in(owner[s]).noneMatch(j -> j < s && seen(j).contains(s))) // No future read.
          found("A incompatible-order", i);
      }
    }
    private void readSet(int i, Op op) { // Shows what it did before, own and whole additions.
      int before = last(owner[i], i, op.key, false);
      Set<Object> seen = new HashSet<>(op.values);
      Set<Object> earlier = new HashSet<>(before < 0 ? seen : ops.get(before).values);
      if (!seen.containsAll(added(owner[i], op.key, 0, i))) found("C not-my-own-write", i);
      for (Set<Object> s : List.of(seen, earlier)) s.addAll(added(owner[i], op.key, before, i));
      if (!seen.equals(earlier)) found("D non-repeatable-read", i);
      for (int s : sources[i]) if (s >= 0 && owner[s] != owner[i]) {
        List<Object> all = added(owner[s], op.key, 0, ops.size());
        all = all.subList(all.indexOf(ops.get(s).value()), all.size());
        if (!op.values.containsAll(all)) found("B intermediate-read", i);
      }
    }
    private List<Object> added(int t, Key set, int from, int to) { // Before the last one.
      return uses(t, set, true).filter(i -> from <= i && i < to)
          .mapToObj(i -> ops.get(i).value()).distinct().toList();
    }
  }
  // ---- The levels.
  record Rule(String reads, String sees, List<String> words) { // Letters of anomalies, see below.
    boolean has(String word) { return words.lastIndexOf(word) > 2; }
    int until(int read) { return has("earlier") ? read : Integer.MAX_VALUE; }
  }
  /** Name, anomalies it forbids, what a reader sees (or the edges to it), orders it respects. *
   * is for three levels: as it is, strong-session- (so), strong- (so rt); "mix": can be mixed. */
  static final String LEVELS = """
      serializable ABCDE ALL wr mix serial *, repeatable-read ABCDE ALL wr mix *,
      snapshot-isolation ABCDE SNAPSHOT wr ww mix *, consistent-view ABCDE PAST wr ww *,
      adya-read-committed AB NOTHING wr mix *, read-uncommitted A NOTHING mix *,
      cursor-stability ABF NOTHING wr, cut-isolation D NOTHING cut, prefix ABCDE PREFIX wr so mix,
      update-atomic ABCDE NEIGHBOURS wr ww so, causal ABCDE CAUSES wr so mix,
      read-atomic ABCDE so/wr wr so mix, read-committed ABC wr wr so earlier mix,
      monotonic-atomic-view ABC wr wr earlier mix, pram ABC so/wr.so/so.wr wr so,
      read-your-writes ABC so wr so, monotonic-reads ABC wr.so wr so,
      monotonic-writes ABC so.wr wr so, writes-follow-reads ABC wr.so.wr/wr.wr wr so,
      replay ABCDE ALL wr replay, mixed ABCDE ALL mixed,
      serializable-linearizable-keys ABCDE ALL wr so rt common serial,
      causal-non-transactional ABCD CAUSES wr so parts single,
      sequential ABCD ALL wr so parts runs, linearizable ABCD ALL wr so rt parts keys""";
  static final Map<String, Rule> RULES = new HashMap<>();
  static {
    Map<String, String> forms = Map.of("strong-session-", " so", "strong-", " so rt", "", "");
    for (String row : LEVELS.split(",\\s+")) forms.forEach((form, more) -> {
      List<String> words = List.of((row + more).split(" "));
      Rule rule = new Rule(words.get(1), words.get(2), words);
      if (form.isEmpty() || row.endsWith("*")) RULES.put(form + words.get(0), rule);
    });
    RULES.put("strict-serializable", RULES.remove("strong-serializable"));
    RULES.put("parallel-snapshot-isolation", RULES.remove("strong-session-consistent-view"));
  }
  // ---- A level holds: a commit order in which every read saw the last version it had to see.
  static void order(World w, List<Integer> order) {
    require(order.stream().sorted().toList().equals(w.counting().boxed().toList()), "not all once");
    int[] place = new int[w.counts.length];
    BitSet[] past = new BitSet[place.length]; // What causes a transaction, through many steps.
    for (int i = 0; i < order.size(); i++) place[order.get(i)] = i + 1;
    Map<Object, Long> sums = new HashMap<>(Map.of(INITIAL, 0L)); // Of counters, after each write.
    for (int t : order) w.writesOf(t).filter(i -> w.ops.get(i).key.type == 'c').forEach(
        i -> sums.put(i, sums.merge(w.ops.get(i).key, w.ops.get(i).amount(), Math::addExact)));
    for (int i : w.counted) if (w.ops.get(i).reads('c') && w.version(i) != THIN_AIR)
      require(Objects.equals(sums.get(w.version(i)), w.ops.get(i).amount()), "sum at " + i);
    for (int b : order) {
      Rule rule = w.rule(b);
      BitSet before = new BitSet(), causes = past[b] = new BitSet();
      w.by(b).filter(r -> rule.has("wr") && r.writer >= 0).forEach(r -> causes.set(r.writer));
      for (int a : order) {
        if (w.session(a, b)) causes.set(a);
        boolean ww = rule.has("ww") && place[a] < place[b] && w.conflict(a, b);
        before.set(a, causes.get(a) || w.realTime(a, b) || ww);
        require(place[a] <= place[b] || !(before.get(a) || w.known(a, b)), a + " is before " + b);
      }
      if (rule.sees.equals("PAST")) causes.or(before);
      causes.stream().boxed().toList().forEach(a -> causes.or(past[a]));
      BitSet must = Map.of("PAST", causes, "CAUSES", causes, "NEIGHBOURS", before)
          .getOrDefault(rule.sees, new BitSet());
      int last = rule.sees.equals("ALL") ? place[b] : rule.sees.matches("SNAPSHOT|PREFIX")
          ? before.stream().map(t -> place[t]).max().orElse(0) : 0; // Up to this it sees all.
      for (Read r : w.reads.get(b)) for (int t : w.writers.getOrDefault(r.key, Set.of())) {
        boolean later = (r.writer < 0 ? 0 : place[r.writer]) < place[t] && place[t] < place[b];
        if (later) require(place[t] > last && !must.get(t)
            && !w.leads(t, b, rule.sees, rule.until(r.op)), r.op + " must see what " + t + " did");
      }
    }
  }
  // ---- A level is violated: steps that lead to a cycle it forbids, for every choice of writers.
  static void refute(Recorded all, Rule rule, Map<?, ?> why, Map<List<Integer>, Integer> from) {
    World w = World.of(all, from, rule);
    if (why.containsKey("split")) {
      List<Integer> read = ints(why.get("split")), writes = ints(why.get("writes"));
      Op op = all.ops.get(read.get(0)); // What reads of counters saw is a matter of sums.
      require(!op.reads('c') && writes.containsAll(all.candidates(op, read.get(1))), "not all");
      for (int i = 0; i < writes.size(); i++) {
        Map<List<Integer>, Integer> more = new HashMap<>(from);
        more.put(read, writes.get(i));
        refute(all, rule, map(list(why.get("cases")).get(i)), more);
      }
    } else if (why.containsKey("read")) {
      String anomaly = text(why.get("read")) + " at " + num(why.get("at"));
      require(w.anomalies().contains(anomaly), "there is no forbidden " + anomaly);
    } else if (why.containsKey("replay")) { // By the serial order that is given.
      require(rule.has("serial"), "the level is not about a serial order");
      cycle(World.of(all, from, RULES.get("replay")), list(why.get("replay")), w::known);
    } else {
      require(!rule.has("cut"), "the level does not forbid cycles");
      steps(w, list(why.get("steps")));
    }
  }
  interface Before { boolean test(int a, int b); } // Of transactions, and of makers of versions.
  static void steps(World w, List<?> steps) {
    Map<List<Integer>, List<Set<List<Integer>>>> shown = new HashMap<>(); // If other pairs are.
    for (Object step : steps) {
      List<Integer> pair = ints(get(map(step), "before", List.of()));
      Set<List<Integer>> given = list(get(map(step), "if", List.of())).stream()
          .map(Verify::ints).collect(Collectors.toSet()), supposed = new HashSet<>(given);
      boolean versions = !pair.isEmpty() && Collections.min(pair) >= w.txns.size(); // May be equal.
      if (!pair.isEmpty() && !versions) supposed.add(List.of(pair.get(1), pair.get(0)));
      Before before = (a, b) -> w.counts[a] && w.counts[b] && (w.known(a, b)
          || supposed.contains(List.of(a, b))
          || shown.getOrDefault(List.of(a, b), List.of()).stream().anyMatch(supposed::containsAll));
      int sum = num(get(map(step), "sum", "-1")), of = versions ? pair.get(0) - w.maker(0) : sum;
      if (sum < 0) cycle(w, list(map(step).get("cycle")), before);
      else require(!w.addsUp(versions ? pair.get(1) : -1, of, before), "the sum may be so");
      if (pair.isEmpty() && given.isEmpty()) return;
      shown.computeIfAbsent(pair, p -> new ArrayList<>()).add(given);
    }
    require(false, "no step closes a cycle without assumptions");
  }
  /** By what a reader must see: after which edges its rw leads forward in the commit order, */
  static final Map<String, String> FORWARD = Map.of("ALL", "..", "PREFIX", "so|rt|wr|gv",
      "SNAPSHOT", "so|rt|wr|gv|ww"); // and the ways from what it must see to itself.
  static final Map<String, String> WAYS = Map.of("PAST", "((so|rt|wr|ww)\\.?)+",
      "CAUSES", "((so|wr)\\.?)+", "NEIGHBOURS", "so|rt|wr|ww");
  record Edge(String kind, int a, int b, int op) {}
  static void cycle(World w, List<?> cycle, Before before) { // It is there, and forbidden.
    List<Edge> edges = new ArrayList<>(cycle.stream().map(Verify::list).map(e -> new Edge(
        text(e.get(0)), num(e.get(1)), num(e.get(2)), e.size() > 3 ? num(e.get(3)) : -1)).toList());
    Edge last = edges.get(edges.size() - 1), rw = null; // One that follows if the others lead back.
    for (Edge e : edges) {
      require(last.b == e.a && w.has(e, before), "not shown after " + last + ": " + e);
      String forward = FORWARD.getOrDefault(w.rule(e.a).sees, "never");
      if (e.kind.equals("rw") && !last.kind.matches(forward)) rw = e;
      last = e;
    }
    if (rw == null) return;
    Collections.rotate(edges, -edges.indexOf(rw));
    String back = edges.stream().skip(1).map(Edge::kind).collect(Collectors.joining("."));
    String sees = w.rule(rw.a).sees, way = WAYS.get(sees);
    require(way == null ? w.leads(rw.b, rw.a, sees, w.rule(rw.a).until(rw.op)) : back.matches(way),
        "the level does not forbid a cycle of " + edges);
  }
  // ---- JSON: maps, lists, strings behind a quote, all else as text; skips commas and colons.
  static List<?> list(Object o) { return (List<?>) o; }
  static Map<?, ?> map(Object o) { return (Map<?, ?>) o; }
  static int num(Object o) { return Integer.parseInt((String) o); }
  static List<Integer> ints(Object o) { return list(o).stream().map(Verify::num).toList(); }
  static String text(Object o) { return ((String) o).substring(1); }
  static String said(Object o) { return text(o).replaceAll("[:\\p{Cntrl}]", " "); } // No answer.
  static Object of(Object o, String k) { return o instanceof Map<?, ?> m ? m.get(k) : null; }
  static Object get(Map<?, ?> m, String k, Object or) { return m.containsKey(k) ? m.get(k) : or; }
  static final Pattern TOKEN = Pattern.compile(
      "\"[^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+\"|[{}\\[\\]]|[^\\s{}\\[\\]:,\"]+");
  static final Pattern ESCAPE = Pattern.compile("\\\\(?:u(....)|(.))");
  static Object parse(String text) {
    Iterator<String> tokens = TOKEN.matcher(text).results().map(MatchResult::group).iterator();
    Object value = value(tokens.next(), tokens);
    require(!tokens.hasNext(), "more than one JSON value");
    return value;
  }
  static Object value(String token, Iterator<String> rest) {
    String end = token.equals("{") ? "}" : "]";
    if (!"{[".contains(token)) return scalar(token);
    List<Object> all = new ArrayList<>(); // Of an object, names and values by turns.
    for (String t = rest.next(); !t.equals(end); t = rest.next()) all.add(value(t, rest));
    return end.equals("]") ? all : IntStream.range(0, (all.size() + 1) / 2).boxed()
        .collect(Collectors.toMap(i -> text(all.get(2 * i)), i -> all.get(2 * i + 1)));
  }
  static Object scalar(String token) { // Equal numbers get equal texts; 1 and 1.0 are two values.
    if (token.matches("null|true|false|-?\\d+")) return token;
    if (token.startsWith("\""))
      return ESCAPE.matcher(token.substring(0, token.length() - 1)).replaceAll(m ->
          Matcher.quoteReplacement(m.group(1) != null ? "" + (char) Integer.parseInt(m.group(1), 16)
              : "bfnrt".contains(m.group(2)) ? m.group().translateEscapes() : m.group(2)));
    String number = new java.math.BigDecimal(token).stripTrailingZeros().toPlainString();
    return number.equals("0") && token.startsWith("-") ? "-0." : number + ".";
  }
}
