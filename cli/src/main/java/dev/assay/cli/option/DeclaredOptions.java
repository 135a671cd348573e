package dev.assay.cli.option;

import dev.assay.collect.config.UsageException;
import dev.assay.format.HistoryFormat;
import dev.assay.format.ReadOptions;

/** What a history does not say itself: the same for all commands that read one. */
public final class DeclaredOptions {
  public String loader;

  public void declare(Options options) {
    options.text(
        "--loader",
        "SESSION",
        "The session that loaded the initial state. It precedes all others, and its writes are "
            + "the initial values.",
        given -> loader = given);
  }

  public ReadOptions reading(HistoryFormat format) {
    if (loader != null && loader.isEmpty()) {
      throw new UsageException("--loader needs the name of a session");
    }
    return ReadOptions.NONE.format(format).loader(loader);
  }
}
