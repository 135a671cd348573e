package dev.assay.history;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The nodes of the store that a run was recorded from. In a history these are metadata: {@code
 * node.1} is the address of the first node, {@code node.1.role} what it is for, where nodes differ,
 * and {@code node.1.sessions} lists the names of the sessions that worked on it, as in {@code
 * 0-3,7}. Where sessions change nodes, {@code node.ids} is the number of nodes, and the id of a
 * transaction modulo that number is its node, counted from 0.
 */
public final class Nodes {
  private static final String PREFIX = "node.";
  private static final String SESSIONS = ".sessions";
  private static final String ROLE = ".role";
  private static final String IDS = PREFIX + "ids";

  /** The role of nodes that are all alike, which is not named. */
  private static final String NO_ROLE = "node";

  /** Maximum session number; a larger one is not a list of sessions. */
  private static final int MAX_SESSION = 1 << 24;

  private final List<String> addresses = new ArrayList<>();
  private final List<String> roles = new ArrayList<>();
  private final List<BitSet> sessions = new ArrayList<>();
  private final History history;
  private final boolean byId;

  private Nodes(History history) {
    this.history = history;
    this.byId = history.metadata().containsKey(IDS);
  }

  /** The nodes in the metadata of a history; none without such metadata. */
  public static Nodes of(History history) {
    Nodes nodes = new Nodes(history);
    Map<String, String> metadata = history.metadata();
    for (int i = 1; metadata.containsKey(PREFIX + i); i++) {
      nodes.addresses.add(metadata.get(PREFIX + i));
      nodes.roles.add(metadata.getOrDefault(PREFIX + i + ROLE, NO_ROLE));
      nodes.sessions.add(parsed(metadata.getOrDefault(PREFIX + i + SESSIONS, "")));
    }
    return nodes;
  }

  /**
   * The metadata for these nodes.
   *
   * @param sessions of each node, the numbers that its sessions have as names
   * @param byId whether sessions change nodes, and ids say where each transaction ran
   */
  public static Map<String, String> metadata(
      List<String> addresses, List<String> roles, List<BitSet> sessions, boolean byId) {
    Map<String, String> metadata = new LinkedHashMap<>();
    for (int i = 0; i < addresses.size(); i++) {
      metadata.put(PREFIX + (i + 1), addresses.get(i));
      if (!roles.get(i).equals(NO_ROLE)) {
        metadata.put(PREFIX + (i + 1) + ROLE, roles.get(i));
      }
      metadata.putAll(sessions(i, sessions.get(i)));
    }
    if (byId) {
      metadata.put(IDS, Integer.toString(addresses.size()));
    }
    return metadata;
  }

  /** The metadata that say which sessions worked on a node; nodes are counted from 0. */
  public static Map<String, String> sessions(int node, BitSet sessions) {
    return Map.of(PREFIX + (node + 1) + SESSIONS, text(sessions));
  }

  public int count() {
    return addresses.size();
  }

  /** The number of the node that a transaction ran on, counted from 1; 0 if unknown. */
  public int number(int txn) {
    String session = history.sessionText(history.session(txn));
    if (session.matches("\\d{1,8}")) {
      for (int i = 0; i < sessions.size(); i++) {
        if (sessions.get(i).get(Integer.parseInt(session))) {
          return i + 1;
        }
      }
    }
    // A part of a history that is shown has its names as texts.
    String id = byId ? String.valueOf(history.ownId(txn)) : "";
    return id.matches("\\d{1,18}") ? (int) (Long.parseLong(id) % addresses.size()) + 1 : 0;
  }

  /** The address of the node that a transaction ran on, or null if unknown. */
  public String address(int txn) {
    int number = number(txn);
    return number == 0 ? null : addresses.get(number - 1);
  }

  /** The node of a transaction in words, such as {@code replica 2}; null if unknown. */
  public String name(int txn) {
    int number = number(txn);
    if (number == 0) {
      return null;
    }
    String role = roles.get(number - 1);
    int place = 0;
    int all = 0;
    for (int i = 0; i < roles.size(); i++) {
      if (roles.get(i).equals(role)) {
        all++;
        place += i < number ? 1 : 0;
      }
    }
    return all == 1 ? role : role + " " + place;
  }

  private static String text(BitSet numbers) {
    StringBuilder text = new StringBuilder();
    for (int from = numbers.nextSetBit(0); from >= 0; ) {
      int end = numbers.nextClearBit(from);
      text.append(text.length() == 0 ? "" : ",").append(from);
      if (end - from > 1) {
        text.append('-').append(end - 1);
      }
      from = numbers.nextSetBit(end);
    }
    return text.toString();
  }

  /** Ignores anything that is not a list of numbers and ranges. */
  private static BitSet parsed(String text) {
    BitSet numbers = new BitSet();
    for (String part : text.split(",")) {
      if (part.matches("\\d{1,8}(-\\d{1,8})?")) {
        String[] ends = part.split("-");
        int from = Integer.parseInt(ends[0]);
        int to = Integer.parseInt(ends[ends.length - 1]);
        if (from <= to && to < MAX_SESSION) {
          numbers.set(from, to + 1);
        }
      }
    }
    return numbers;
  }
}
