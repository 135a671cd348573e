package dev.assay.format;

import dev.assay.history.History;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** A file format of histories. To add one: one class like this, one line in {@link Formats}. */
public interface HistoryFormat {
  /** The name users give it with {@code --format} and {@code --to}. */
  String id();

  /** Its users and how it looks, in one line. */
  String title();

  /** File name endings, with the dot, that mean this format when a file is written. */
  List<String> extensions();

  /**
   * Whether this input is in this format, judged by its content: {@link Input#head} for a file, the
   * names and beginnings of {@link Input#files} for a folder. Must be cheap, and must say no to
   * what another format claims.
   */
  boolean recognises(Input input) throws IOException, ParseException;

  /** Reads all of the input. */
  History read(Input input) throws IOException, ParseException;

  /**
   * Notes the places of operations of a history that was read from this input, in formats where
   * they are not simply with their transaction. Reads the input again, because to remember this for
   * every operation would cost more than all else that is kept of it.
   */
  default void locate(Input input, History history, OperationPlaces places)
      throws IOException, ParseException {}

  /**
   * A reader of an input of this name, piece by piece.
   *
   * @throws ParseException if histories in this format can only be read as a whole
   */
  default PieceReader pieces(String name) throws ParseException {
    throw ParseException.ofFile(
        name,
        "is in the format " + id() + ", which can only be read as a whole",
        "a format whose transactions are in the order they ended, such as assay-jsonl",
        "check it with enough memory, ASSAY_JAVA_OPTS=-Xmx16g, or convert it");
  }

  default boolean isWritable() {
    return false;
  }

  /**
   * What would be lost if this history were written in this format, one phrase each ("3 real
   * times"); empty when nothing is.
   */
  default List<String> losses(History history) {
    return List.of();
  }

  /** Writes the history, leaving out what {@link #losses} names. */
  default void write(History history, OutputStream out) throws IOException {
    throw new UnsupportedOperationException(id() + " cannot be written");
  }
}
