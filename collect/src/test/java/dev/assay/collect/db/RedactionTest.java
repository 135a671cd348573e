package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RedactionTest {
  @Test
  void aPasswordIsNeverShown() {
    Redaction redaction = new Redaction(List.of("jdbc:x://h/db"), "hunter2");
    assertThat(redaction.redact("login with hunter2 failed")).isEqualTo("login with *** failed");
  }

  @Test
  void passwordsInsideUrlsAreNeverShown() {
    Redaction redaction =
        new Redaction(
            List.of("jdbc:x://h/db?user=a&password=open1", "jdbc:x://joe:open2@h/db"), null);
    assertThat(redaction.redact("open1 and open2")).isEqualTo("*** and ***");
  }

  @Test
  void urlsAreNeverShown() {
    Redaction redaction = new Redaction(List.of(), null);
    assertThat(redaction.redact("no driver for jdbc:x://h/db?k=v, sorry"))
        .isEqualTo("no driver for jdbc:*** sorry");
  }

  @Test
  void aTargetsTextHasNoPassword() {
    Target target =
        new Target(Databases.standard(), null, List.of("jdbc:h2:x"), "u", "hunter2", Map.of());
    assertThat(target.toString()).isEqualTo("h2");
  }
}
