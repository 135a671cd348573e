package dev.assay.format;

import dev.assay.history.DeclaredLoader;
import dev.assay.history.History;

/**
 * How a history is to be read, and what is declared about it beside what it says itself.
 *
 * @param format the format; null to find it by content
 * @param loader the session that loaded the initial state and precedes all others; null for none
 */
public record ReadOptions(HistoryFormat format, String loader) {
  /** Whatever the history itself says. */
  public static final ReadOptions NONE = new ReadOptions(null, null);

  public ReadOptions format(HistoryFormat newFormat) {
    return new ReadOptions(newFormat, loader);
  }

  /** Declares the session of this name to be the loader. */
  public ReadOptions loader(String session) {
    return new ReadOptions(format, session);
  }

  History applied(History history) {
    return loader == null ? history : DeclaredLoader.session(history, loader);
  }
}
