package dev.assay.history;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The database node of each session of a recorded run: a session stays on one node. In a history
 * these are metadata: {@code node.1} is the address of the first node and {@code node.1.sessions}
 * lists the names of its sessions, as in {@code 0-3,7}.
 */
public final class Nodes {
  private static final String PREFIX = "node.";
  private static final String SESSIONS = ".sessions";

  /** Maximum session number; a larger one is not a list of sessions. */
  private static final int MAX_SESSION = 1 << 24;

  private final List<String> addresses = new ArrayList<>();
  private final List<BitSet> sessions = new ArrayList<>();

  private Nodes() {}

  /** The nodes in the metadata of a history; none without such metadata. */
  public static Nodes of(History history) {
    Nodes nodes = new Nodes();
    Map<String, String> metadata = history.metadata();
    for (int i = 1; metadata.containsKey(PREFIX + i); i++) {
      nodes.addresses.add(metadata.get(PREFIX + i));
      nodes.sessions.add(parsed(metadata.getOrDefault(PREFIX + i + SESSIONS, "")));
    }
    return nodes;
  }

  /** The metadata for these nodes, each with the numbers that its sessions have as names. */
  public static Map<String, String> metadata(List<String> addresses, List<BitSet> sessions) {
    Map<String, String> metadata = new LinkedHashMap<>();
    for (int i = 0; i < addresses.size(); i++) {
      metadata.put(PREFIX + (i + 1), addresses.get(i));
      metadata.put(PREFIX + (i + 1) + SESSIONS, text(sessions.get(i)));
    }
    return metadata;
  }

  public int count() {
    return addresses.size();
  }

  /** The number of the node that a session worked on, counted from 1; 0 if unknown. */
  public int number(String session) {
    if (session.matches("\\d{1,8}")) {
      for (int i = 0; i < sessions.size(); i++) {
        if (sessions.get(i).get(Integer.parseInt(session))) {
          return i + 1;
        }
      }
    }
    return 0;
  }

  /** The address of the node that a session worked on, or null if unknown. */
  public String address(String session) {
    int number = number(session);
    return number == 0 ? null : addresses.get(number - 1);
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
