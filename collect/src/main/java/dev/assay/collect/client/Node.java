package dev.assay.collect.client;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A node of a store.
 *
 * @param url where it is
 */
public record Node(Role role, String url) {
  /** What a node is for. */
  public enum Role {
    /** Reads and writes, like every other node. */
    NODE,
    /** Takes the writes. */
    PRIMARY,
    /** Only reads. */
    REPLICA;

    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Separates addresses; a comma also separates the hosts of one JDBC URL. */
  private static final Pattern NEXT = Pattern.compile(",(?=jdbc:|[a-z][a-z0-9+.-]*://)");

  /** A node as it is written: {@code replica=URL}, or the URL alone. */
  public static Node parse(String text) {
    for (Role role : Role.values()) {
      if (text.startsWith(role.id() + "=")) {
        return new Node(role, text.substring(role.id().length() + 1));
      }
    }
    return new Node(Role.NODE, text);
  }

  /** The nodes of a text such as {@code replica=URL,URL}. */
  public static List<Node> parseAll(String text) {
    Node first = parse(text);
    return NEXT.splitAsStream(first.url()).map(url -> new Node(first.role(), url)).toList();
  }

  /** As {@link #parse} reads it. */
  public String text() {
    return role == Role.NODE ? url : role.id() + "=" + url;
  }

  public boolean isReadOnly() {
    return role == Role.REPLICA;
  }
}
