package dev.assay.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Output that is compared with a file under {@code src/test/resources}. After a change that is
 * meant, {@code mvn -pl core test -Dtest='*GoldenTest' -Dgolden.update=true} writes the files anew;
 * look at the difference before committing it.
 */
public final class Golden {
  private static final Path FOLDER = Path.of("src/test/resources/dev/assay/render");

  private Golden() {}

  public static void check(String name, String actual) throws IOException {
    Path file = FOLDER.resolve(name);
    if (Boolean.getBoolean("golden.update")) {
      Files.createDirectories(FOLDER);
      Files.writeString(file, actual, StandardCharsets.UTF_8);
    }
    assertThat(actual).as(name).isEqualTo(Files.readString(file, StandardCharsets.UTF_8));
  }
}
