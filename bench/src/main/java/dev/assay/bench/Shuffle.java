package dev.assay.bench;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Lists a plume-text file in another order without changing the history: the transactions of a
 * session and the operations of a transaction keep their order. Generated files are in the order in
 * which the store committed, which no recorded run does so exactly.
 */
enum Shuffle {
  /** As generated: in commit order. */
  NONE("commit order"),

  /** Transactions of all sessions mixed at random. */
  BY_TRANSACTION("by transaction"),

  /** One session after the other. */
  BY_SESSION("by session"),

  /** Operations of all sessions mixed at random, so that transactions are torn apart. */
  INTERLEAVED("interleaved");

  private static final int BUFFER = 1 << 20;

  private final String title;

  Shuffle(String title) {
    this.title = title;
  }

  /** How tables call it. */
  String title() {
    return title;
  }

  /** The file in this order; made once, beside the given one. */
  Path of(Path file) throws IOException {
    if (this == NONE) {
      return file;
    }
    String prefix = name().toLowerCase(Locale.ROOT).replace('_', '-') + "-";
    Path shuffled = file.resolveSibling(prefix + file.getFileName());
    if (!Files.exists(shuffled)) {
      Path unfinished = file.resolveSibling(prefix + file.getFileName() + ".part");
      Units units = new Units(Files.readAllBytes(file), this == INTERLEAVED);
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(unfinished), BUFFER)) {
        units.write(turns(units), out);
      }
      Files.move(unfinished, shuffled);
    }
    return shuffled;
  }

  /** Whose turn it is: a session for each unit. */
  private int[] turns(Units units) {
    int[] turns = Arrays.copyOf(units.session, units.count);
    if (this == BY_SESSION) {
      Arrays.sort(turns);
      return turns;
    }
    Random random = new Random(1);
    for (int i = turns.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int turn = turns[i];
      turns[i] = turns[other];
      turns[other] = turn;
    }
    return turns;
  }

  /** Transactions or lines of a file, and the session of each. */
  private static final class Units {
    private final byte[] text;
    private int count;
    private int[] session = new int[1024];
    private int[] start = new int[1024];
    private final Map<String, Integer> sessions = new HashMap<>();

    Units(byte[] text, boolean lines) {
      this.text = text;
      int lastSession = -1;
      int lastLength = -1;
      int line = 0;
      while (line < text.length) {
        int end = line;
        while (end < text.length && text[end] != '\n') {
          end++;
        }
        int second = comma(comma(line) + 1);
        int length = end - second;
        boolean same =
            lastSession >= 0
                && Arrays.equals(text, second, end, text, lastSession, lastSession + lastLength);
        if (lines || !same) {
          add(line, second + 1);
        }
        lastSession = second;
        lastLength = length;
        line = end + 1;
      }
    }

    private int comma(int from) {
      int i = from;
      while (text[i] != ',') {
        i++;
      }
      return i;
    }

    private void add(int from, int field) {
      if (count == start.length) {
        start = Arrays.copyOf(start, count * 2);
        session = Arrays.copyOf(session, count * 2);
      }
      String name = new String(text, field, comma(field) - field, StandardCharsets.US_ASCII);
      start[count] = from;
      session[count++] = sessions.computeIfAbsent(name, key -> sessions.size());
    }

    private int end(int unit) {
      return unit + 1 < count ? start[unit + 1] : text.length;
    }

    /** Writes the next unit of each session whose turn it is. */
    void write(int[] turns, OutputStream out) throws IOException {
      int[] next = new int[sessions.size()];
      for (int s = 0; s < next.length; s++) {
        next[s] = following(s, 0);
      }
      int[] after = successors();
      for (int turn : turns) {
        int unit = next[turn];
        out.write(text, start[unit], end(unit) - start[unit]);
        next[turn] = after[unit];
      }
    }

    private int following(int wanted, int from) {
      int unit = from;
      while (session[unit] != wanted) {
        unit++;
      }
      return unit;
    }

    /** For each unit the next of its session. */
    private int[] successors() {
      int[] after = new int[count];
      int[] last = new int[sessions.size()];
      for (int unit = count - 1; unit >= 0; unit--) {
        after[unit] = last[session[unit]];
        last[session[unit]] = unit;
      }
      return after;
    }
  }
}
