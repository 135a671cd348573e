package dev.assay.format.jsonl;

import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.LineReader;
import dev.assay.format.ParseException;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * The history inside a page that {@code --report} wrote: the part of the original that shows what
 * the page is about, as {@code assay-jsonl} between two lines of markup.
 */
public final class HtmlReport implements HistoryFormat {
  public static final String ID = "html-report";

  /** The line before the history. */
  public static final String BEGIN = "<script type=\"application/x-assay-jsonl\">";

  /** The line before the certificate of the history. */
  public static final String BEGIN_CERTIFICATE =
      "<script type=\"application/x-assay-certificate\">";

  /** The line after either. */
  public static final String END = "</script>";

  /** What the beginning of every page says. */
  public static final String MARK = "<meta name=\"generator\" content=\"Assay ";

  /** What the beginning of a page with a history says. */
  public static final String WITH_HISTORY = "<meta name=\"assay-history\" content=\"";

  /** What the beginning of a page says whose history needs something assumed. */
  public static final String ASSUMING = "<meta name=\"assay-infer\" content=\"";

  @Override
  public String id() {
    return ID;
  }

  @Override
  public String title() {
    return "a page that --report wrote, with the history it shows";
  }

  @Override
  public List<String> extensions() {
    return List.of();
  }

  @Override
  public boolean recognises(Input input) throws IOException, ParseException {
    return isPage(input) && head(input).contains(WITH_HISTORY);
  }

  /** Whether this is a page that Assay wrote, with or without a history. */
  public static boolean isPage(Input input) throws IOException, ParseException {
    return head(input).contains(MARK);
  }

  private static String head(Input input) throws IOException, ParseException {
    byte[] head = input.head();
    return new String(head, 0, Math.min(head.length, 2048), StandardCharsets.ISO_8859_1);
  }

  /** The ids of what the history in a page needs assumed, separated by commas; often empty. */
  public static String assumptions(Input input) throws ParseException {
    try {
      String head = head(input);
      int begin = head.indexOf(ASSUMING);
      int from = begin + ASSUMING.length();
      return begin < 0 ? "" : head.substring(from, Math.max(from, head.indexOf('"', from)));
    } catch (IOException e) {
      throw input.explained(e);
    }
  }

  /** The certificate in a page; {@link VersionCertificate#NONE} where it has none. */
  public static VersionCertificate certificate(Input input, History history) throws ParseException {
    try (InputStream in = input.open()) {
      Block block = new Block(in, input.name(), BEGIN_CERTIFICATE);
      byte[] lines = block.readAllBytes();
      return block.blocks == 0
          ? VersionCertificate.NONE
          : VersionCertificates.read(Input.of(input.name(), lines), history);
    } catch (Block.Wrong e) {
      throw e.explained();
    } catch (IOException e) {
      throw input.explained(e);
    }
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    // For the certificate in it.
    input.keep();
    try (InputStream in = input.open()) {
      Block block = new Block(in, input.name(), BEGIN);
      return new AssayJsonlReader(Input.of(input.name(), block), ID).read();
    } catch (Block.Wrong e) {
      throw e.explained();
    }
  }

  /**
   * The lines of the history; all others are empty, so that lines keep their numbers and messages
   * point into the page.
   */
  private static final class Block extends InputStream {
    private static final byte[] LAST = END.getBytes(StandardCharsets.UTF_8);

    private final LineReader lines;
    private final String name;
    private final byte[] first;
    private InputStream line = InputStream.nullInputStream();
    private boolean inside;
    private int blocks;
    private boolean ended;

    /** A page that is not as Assay writes it. */
    private static final class Wrong extends IOException {
      private static final long serialVersionUID = 1;
      private final transient ParseException explained;

      Wrong(ParseException explained) {
        super(explained.getMessage());
        this.explained = explained;
      }

      ParseException explained() {
        return explained;
      }
    }

    Block(InputStream in, String name, String begin) {
      this.lines = new LineReader(in);
      this.name = name;
      this.first = begin.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int count = line.read(buffer, offset, length);
      while (count < 0 && !ended) {
        next();
        count = line.read(buffer, offset, length);
      }
      return count;
    }

    private void next() throws IOException {
      if (!lines.next()) {
        ended = true;
        requireWhole();
        return;
      }
      boolean shown = inside;
      if (inside && is(LAST)) {
        inside = false;
        shown = false;
      } else if (!inside && is(first)) {
        inside = true;
        blocks++;
        requireOne();
      }
      byte[] text = {'\n'};
      if (shown) {
        int size = lines.end() - lines.start();
        text = Arrays.copyOfRange(lines.bytes(), lines.start(), lines.end() + 1);
        text[size] = '\n';
      }
      line = new ByteArrayInputStream(text);
    }

    private boolean is(byte[] mark) {
      return Arrays.equals(lines.bytes(), lines.start(), lines.end(), mark, 0, mark.length);
    }

    private void requireOne() throws Wrong {
      if (blocks > 1) {
        throw new Wrong(
            ParseException.ofFile(
                name,
                "is a report on several histories",
                "a report on one history",
                "check the histories themselves, or make a report of each"));
      }
    }

    private void requireWhole() throws Wrong {
      boolean needed = Arrays.equals(first, BEGIN.getBytes(StandardCharsets.UTF_8));
      if (inside || (needed && blocks == 0)) {
        throw new Wrong(
            ParseException.ofFile(
                name,
                inside ? "ends inside the history" : "is a report without its history",
                "the line " + (inside ? END : BEGIN),
                "copy the file again, or write the report anew with: assay check --report"));
      }
    }
  }
}
