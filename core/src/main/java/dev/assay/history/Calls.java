package dev.assay.history;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Where in an application its operations come from, if it was recorded by the driver. In a history
 * these are metadata: {@code call.METHOD.r.TABLE} lists the places, as in a stack trace, from which
 * transactions of a method read rows of a table, and {@code call.METHOD.w.TABLE} those from which
 * they write them. The id of a transaction is {@code METHOD#12}, and a row is {@code TABLE/KEY}.
 */
public final class Calls {
  private static final String PREFIX = "call.";

  /** The table in the condition of a predicate. */
  private static final Pattern TABLE =
      Pattern.compile("\\[\"=\",\"table\",\\{\"text\":\"(.*?)\"}]");

  private final History history;
  private final boolean known;

  private Calls(History history) {
    this.history = history;
    this.known = history.metadata().keySet().stream().anyMatch(name -> name.startsWith(PREFIX));
  }

  /** The places in the metadata of a history; none without such metadata. */
  public static Calls of(History history) {
    return new Calls(history);
  }

  /** The places that those of some operations come from that belong to a transaction. */
  public List<String> of(int txn, Collection<Integer> operations) {
    Set<String> places = new LinkedHashSet<>();
    if (known && history.ownId(txn) instanceof String id && id.contains("#")) {
      String method = id.substring(0, id.lastIndexOf('#'));
      for (int op = history.firstOp(txn); op < history.endOp(txn); op++) {
        String at = operations.contains(op) ? at(method, op) : null;
        if (at != null) {
          places.addAll(List.of(at.split(", ")));
        }
      }
    }
    return List.copyOf(places);
  }

  /** The places that the operations of a transaction come from. */
  public List<String> ofAll(int txn) {
    return of(txn, IntStream.range(history.firstOp(txn), history.endOp(txn)).boxed().toList());
  }

  private String at(String method, int op) {
    OpKind kind = history.kind(op);
    String key = String.valueOf(history.operation(op).key());
    String table = key.contains("/") ? key.substring(0, key.indexOf('/')) : key;
    Matcher condition = TABLE.matcher(key);
    if (kind.isPredicate() && condition.find()) {
      table = condition.group(1);
    }
    return history.metadata().get(PREFIX + method + (kind.isWrite() ? ".w." : ".r.") + table);
  }
}
