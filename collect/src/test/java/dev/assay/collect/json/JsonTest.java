package dev.assay.collect.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  /** One component of each type. */
  public record All(
      String text,
      Long number,
      Boolean truth,
      Instant time,
      Kind kind,
      List<Part> parts,
      Map<String, Long> counts) {}

  public record Part(String name, Long size) {}

  public enum Kind {
    FIRST,
    SECOND
  }

  @Test
  void jsonIsReadAsItWasWritten() throws IOException {
    Map<String, Object> value =
        Map.of("a", List.of(1L, 2.5, "x\n\"", true), "b", Map.of("c", List.of()));
    assertThat(Json.readObject(Json.write(value))).isEqualTo(value);
    assertThatThrownBy(() -> Json.read("{} {}")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Json.read("")).isInstanceOf(IOException.class);
    assertThatThrownBy(() -> Json.read("[".repeat(100_000))).isInstanceOf(IOException.class);
  }

  @Test
  void aRecordIsReadAsItWasWritten() throws IOException {
    All all =
        new All(
            "x",
            7L,
            true,
            Instant.parse("2026-11-17T15:00:00.123456Z"),
            Kind.SECOND,
            List.of(new Part("a", 1L), new Part("b", null)),
            Map.of("k", 2L));
    String text = Json.write(all);
    assertThat(text).contains("\"kind\" : \"second\"").contains("\"time\" : \"2026-11-17T15:00");
    assertThat(Json.read(text, All.class)).isEqualTo(all);
  }

  @Test
  void whatARecordLacksIsLeftOutAndWhatAFileLacksIsNull() throws IOException {
    All none = new All(null, null, null, null, null, null, null);
    assertThat(Json.readObject(Json.write(none))).isEmpty();
    assertThat(Json.read("{\"other\":[1]}", All.class)).isEqualTo(none);
    assertThat(Json.read("[]", All.class)).isEqualTo(none);
  }

  @Test
  void valuesOfAnotherTypeCountAsMissing() throws IOException {
    String text = "{\"number\":\"7\",\"truth\":1,\"time\":\"noon\",\"kind\":\"third\"}";
    assertThat(Json.read(text, All.class))
        .isEqualTo(new All(null, null, null, null, null, null, null));
  }
}
