package dev.assay.render;

import dev.assay.explain.Cause;
import dev.assay.explain.Story;
import dev.assay.explain.Wording;
import dev.assay.history.History;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How to read names and values of recordings, for those who see them the first time. */
public final class NameHint {
  private static final Pattern RECORDED = Pattern.compile("\\bT(\\d+)/#(\\d+)");
  private static final Pattern READ = Pattern.compile("\\bread (\\S+) = ");

  private NameHint() {}

  /** What a name in these stories means; empty where none is that of a recording. */
  public static String of(History history, List<Cause> causes) {
    for (Cause cause : causes) {
      String told = told(cause.story());
      Matcher name = RECORDED.matcher(told);
      if (name.find()) {
        return name.group()
            + " is transaction "
            + name.group(2)
            + " of client "
            + name.group(1)
            + keys(history, cause.story(), told);
      }
    }
    return "";
  }

  /** The sentences of a story. */
  private static String told(Story story) {
    StringBuilder told = new StringBuilder(story.what());
    story.steps().forEach(step -> told.append("; ").append(step.sentence()));
    return told.toString();
  }

  /** What the numbers after read and write are. */
  private static String keys(History history, Story story, String told) {
    Wording wording = new Wording(history);
    if (!story.isPlain()) {
      Matcher read = READ.matcher(told);
      return read.find() ? "; " + read.group(1) + " is a key" : "";
    }
    List<String> shown = new ArrayList<>();
    for (int op : story.operations()) {
      // What follows "select" is a condition.
      if (!history.kind(op).isPredicate()) {
        shown.add(wording.operation(op));
      }
    }
    if (shown.isEmpty()) {
      return "";
    }
    String[] words = shown.get(0).split(" ");
    String key = words.length > 1 ? "; " + words[1] + " is a key" : "";
    boolean nil = shown.stream().anyMatch(text -> text.endsWith(" nil"));
    return key + (nil && !key.isEmpty() ? ", nil means no row yet" : "");
  }
}
