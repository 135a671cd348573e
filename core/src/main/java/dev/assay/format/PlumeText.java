package dev.assay.format;

import dev.assay.history.History;
import java.io.IOException;
import java.util.List;

/** Placeholder during bring-up. */
public final class PlumeText implements HistoryFormat {
  @Override
  public String id() {
    return "plume-text";
  }

  @Override
  public String title() {
    return "Plume";
  }

  @Override
  public List<String> extensions() {
    return List.of(".txt");
  }

  @Override
  public boolean recognises(Input input) {
    return false;
  }

  @Override
  public History read(Input input) throws IOException, ParseException {
    throw new IOException();
  }
}
