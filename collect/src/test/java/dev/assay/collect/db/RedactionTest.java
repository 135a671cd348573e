package dev.assay.collect.db;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.collect.client.Target;
import dev.assay.collect.db.vendor.Databases;
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
  void aShortPasswordIsNotToldByWhatIsTakenOut() {
    String message = "connection refused";
    for (String password : List.of("e", "z", "con")) {
      String shown = new Redaction(List.of(), password).redact(message);
      assertThat(shown).isEqualTo(new Redaction(List.of(), "x").redact("password x is wrong"));
      assertThat(shown).startsWith("(the message is not shown");
    }
    assertThat(new Redaction(List.of("jdbc:x://h/db?password=e"), null).redact(message))
        .startsWith("(the message is not shown");
  }

  @Test
  void anAddressIsAUrlWithoutAnythingThatMayBeSecret() {
    Map.of(
            "jdbc:postgresql://db:5432/test", "jdbc:postgresql://db:5432/test",
            "jdbc:postgresql://joe:pw@db/test?password=x", "jdbc:postgresql://db/test",
            "jdbc:mysql://a,b:3307/test?user=u", "jdbc:mysql://a,b:3307/test",
            "jdbc:mysql://joe:p/w@h/test", "jdbc:mysql:***",
            "jdbc:mysql://joe:p?w@h/test", "jdbc:mysql:***",
            "jdbc:oracle:thin:scott/tiger@//h:1521/x", "jdbc:oracle:***",
            "jdbc:sqlserver://h:1433;password=x", "jdbc:sqlserver://h:1433",
            "jdbc:mysql://address=(host=h)(password=x)/db", "jdbc:mysql:***",
            "jdbc:h2:tcp://h:9092/mem:x;PASSWORD=y", "jdbc:h2:tcp://h:9092/mem:x",
            "jdbc:h2:mem:assay1;DB_CLOSE_DELAY=-1", "jdbc:h2:mem:assay1")
        .forEach((url, shown) -> assertThat(Redaction.address(url)).as(url).isEqualTo(shown));
  }

  @Test
  void urlsAreNeverShown() {
    Redaction redaction = new Redaction(List.of(), null);
    assertThat(redaction.redact("no driver for jdbc:x://h/db?k=v, sorry"))
        .isEqualTo("no driver for jdbc:*** sorry");
  }

  @Test
  void aTargetsTextHasNoPassword() {
    Target target = Target.at(Databases.standard(), "u", "hunter2", "jdbc:h2:x");
    assertThat(target.toString()).isEqualTo("h2");
  }
}
