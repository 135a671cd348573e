package dev.assay.format;

import dev.assay.format.binary.AssayBinary;
import dev.assay.format.checkers.AwditTest;
import dev.assay.format.checkers.Chronos;
import dev.assay.format.checkers.Cobra;
import dev.assay.format.checkers.Dbcop;
import dev.assay.format.checkers.PlumeText;
import dev.assay.format.checkers.ViperLog;
import dev.assay.format.jepsen.JepsenEdn;
import dev.assay.format.jepsen.JepsenJson;
import dev.assay.format.jsonl.AssayJsonl;
import dev.assay.format.jsonl.HtmlReport;
import dev.assay.format.jsonl.ParquetFormat;
import dev.assay.history.History;
import dev.assay.history.InvalidHistoryException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** The list of formats, and the way in: {@code Formats.read(Input.of(path))}. */
public final class Formats {
  /** In order of detection: formats whose content cannot be mistaken come first. */
  private static final List<HistoryFormat> ALL =
      List.of(
          new AssayBinary(),
          new ParquetFormat(),
          new HtmlReport(),
          new Dbcop(),
          new Cobra(),
          new ViperLog(),
          new JepsenEdn(),
          new Chronos(),
          new JepsenJson(),
          new PlumeText(),
          new AwditTest(),
          new AssayJsonl());

  private Formats() {}

  public static List<HistoryFormat> all() {
    return ALL;
  }

  public static Optional<HistoryFormat> byId(String id) {
    return ALL.stream().filter(f -> f.id().equals(id)).findFirst();
  }

  /** The format that a file of this name would be written in, compression suffix aside. */
  public static Optional<HistoryFormat> byName(String fileName) {
    String name = fileName.toLowerCase(Locale.ROOT).replaceAll("\\.(gz|zst)$", "");
    return ALL.stream()
        .filter(HistoryFormat::isWritable)
        .filter(f -> f.extensions().stream().anyMatch(name::endsWith))
        .findFirst();
  }

  /** The format of this input by its content, or empty when no reader claims it. */
  public static Optional<HistoryFormat> detect(Input input) throws IOException, ParseException {
    for (HistoryFormat format : ALL) {
      if (format.recognises(input)) {
        return Optional.of(format);
      }
    }
    return Optional.empty();
  }

  /** Reads a history in whatever format it is. */
  public static History read(Input input) throws ParseException {
    return read(input, ReadOptions.NONE);
  }

  /** Reads a history in a given format. */
  public static History read(Input input, HistoryFormat format) throws ParseException {
    return read(input, ReadOptions.NONE.format(format));
  }

  /** Reads a history, with what is declared about it. */
  public static History read(Input input, ReadOptions options) throws ParseException {
    try {
      input.head();
      HistoryFormat format = options.format();
      if (format == null) {
        format = detect(input).orElse(null);
      }
      if (format == null) {
        throw unclaimed(input);
      }
      return options.applied(format.read(input));
    } catch (IOException e) {
      throw input.explained(e);
    } catch (InvalidHistoryException e) {
      throw ParseException.ofFile(input.name(), e.getMessage(), e.expected(), null);
    }
  }

  /**
   * Reads the input again for the places of the operations of these transactions. What cannot be
   * found, because the input can be read only once or has changed since, stays unknown.
   */
  public static OperationPlaces locate(
      Input input, History history, Collection<Integer> transactions) {
    OperationPlaces places = new OperationPlaces(history, transactions);
    HistoryFormat format = byId(history.origin().format()).orElse(null);
    if (format != null && input.canBeReadAgain() && !places.complete()) {
      try {
        format.locate(input, history, places);
      } catch (IOException | ParseException | Input.GivenUp e) {
        // It was read well before, so it has changed or the time is up: nothing to show.
      }
    }
    return places;
  }

  /** Says that no reader claims an input. */
  public static ParseException unclaimed(Input input) throws IOException, ParseException {
    String known = ALL.stream().map(HistoryFormat::id).collect(Collectors.joining(", "));
    boolean empty = !input.isFolder() && input.head().length == 0;
    if (HtmlReport.isPage(input)) {
      return ParseException.ofFile(
          input.name(),
          "is a report without a history",
          "a report of assay check --report that shows an anomaly",
          "check the history itself; in the folder of a run it is next to the report");
    }
    return ParseException.ofFile(
        input.name(),
        empty ? "is empty" : "is not in a format that Assay reads",
        "one of " + known,
        empty ? null : "name the format with --format if you know it");
  }
}
