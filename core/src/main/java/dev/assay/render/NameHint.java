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
  private static final Pattern RECORDED = Pattern.compile("T(\\d+)/#(\\d+)");

  private NameHint() {}

  /** What a name in these stories means; empty where none is that of a recording. */
  public static String of(History history, List<Cause> causes) {
    Wording wording = new Wording(history);
    for (Cause cause : causes) {
      for (int txn : cause.story().transactions()) {
        Matcher name = RECORDED.matcher(wording.name(txn));
        if (name.matches()) {
          return name.group()
              + " is transaction "
              + name.group(2)
              + " of client "
              + name.group(1)
              + keys(cause.story(), wording);
        }
      }
    }
    return "";
  }

  /** What the numbers after read and write are. */
  private static String keys(Story story, Wording wording) {
    if (!story.isPlain() || story.operations().isEmpty()) {
      return "";
    }
    List<String> shown = new ArrayList<>();
    story.operations().forEach(op -> shown.add(wording.operation(op)));
    String first = shown.get(0);
    String[] words = first.split(" ");
    String key = words.length > 1 ? "; " + words[1] + " is a key" : "";
    boolean nil = shown.stream().anyMatch(text -> text.endsWith(" nil"));
    return key + (nil && !key.isEmpty() ? ", nil means no row yet" : "");
  }
}
