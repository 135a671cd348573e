package dev.assay.spark.input;

import dev.assay.history.HistoryBuilder;
import dev.assay.history.Origin;
import java.io.Serializable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What all windows of a history share: what is known of it beside its transactions. */
public final class Described implements Serializable {
  private static final long serialVersionUID = 1;

  private final String name;
  private final String format;
  private final LinkedHashMap<String, String> metadata;
  private final byte[] initialOfAll;

  public Described(String name, String format, Map<String, String> metadata, byte[] initialOfAll) {
    this.name = name;
    this.format = format;
    this.metadata = new LinkedHashMap<>(metadata);
    this.initialOfAll = initialOfAll;
  }

  public void addTo(HistoryBuilder builder) {
    builder.origin(new Origin(name, format, Origin.Unit.LINE, List.of()));
    metadata.forEach(builder::metadata);
    builder.initially(Scalar.of(initialOfAll).get(0));
  }
}
