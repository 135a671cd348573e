package dev.assay.explain;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What {@code assay explain} says about a level or an anomaly besides its definition, from the
 * resource named after its id.
 *
 * @param history a small history in {@code assay-jsonl} that shows the anomaly, or that the level
 *     forbids
 * @param walk a walk through it
 * @param source the paper or tool that defined it
 */
public record Example(String history, String walk, String source) {
  /** The example of the level or anomaly with this id. */
  public static Example of(String id) {
    Map<String, String> sections = sections(id);
    String reference = sections.get("example");
    String history = reference == null ? sections.get("history") : of(reference).history();
    return new Example(history, sections.get("walk"), sections.get("source"));
  }

  /** Sections begin with their name and a colon at the start of a line. */
  private static Map<String, String> sections(String id) {
    Map<String, String> sections = new LinkedHashMap<>();
    String name = null;
    for (String line : text(id).lines().toList()) {
      int colon = line.indexOf(':');
      String head = colon < 0 ? "" : line.substring(0, colon);
      if (head.equals("example")) {
        sections.put(head, line.substring(colon + 1).strip());
      } else if (head.equals("history") || head.equals("walk") || head.equals("source")) {
        name = head;
      } else if (name != null && !line.isEmpty()) {
        sections.merge(name, line + "\n", String::concat);
      }
    }
    return sections;
  }

  private static String text(String id) {
    try (InputStream in = Example.class.getResourceAsStream(id + ".txt")) {
      if (in == null) {
        throw new IllegalArgumentException("no example of " + id);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
