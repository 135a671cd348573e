package dev.assay.format;

import dev.assay.history.DeclaredLoader;
import dev.assay.history.History;

/**
 * How a history is to be read, and what is declared about it beside what it says itself.
 *
 * @param format the format; null to find it by content
 * @param loader the session that loaded the initial state and precedes all others; null for none
 * @param incomplete whether clients are missing from the recording, so that a value that no
 *     recorded client wrote was written by one of them
 */
public record ReadOptions(HistoryFormat format, String loader, boolean incomplete) {
  /** Whatever the history itself says. */
  public static final ReadOptions NONE = new ReadOptions(null, null, false);

  /** The format to read; null to find it by content. */
  public ReadOptions format(HistoryFormat newFormat) {
    return new ReadOptions(newFormat, loader, incomplete);
  }

  /** Declares the session of this name to be the loader. */
  public ReadOptions loader(String session) {
    return new ReadOptions(format, session, incomplete);
  }

  /** Declares that clients are missing from the recording. */
  public ReadOptions incomplete(boolean missing) {
    return new ReadOptions(format, loader, missing);
  }

  History applied(History history) throws ParseException {
    History loaded = loader == null ? history : DeclaredLoader.session(history, loader);
    return incomplete ? CutShort.completed(loaded) : loaded;
  }
}
