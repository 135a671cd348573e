package dev.assay.cli;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** A command line that was run in this process. */
public record Ran(int code, String out, String err) {
  public static Ran of(String... args) {
    return withInput("", args);
  }

  public static Ran withInput(String input, String... args) {
    return with(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), args);
  }

  public static Ran with(InputStream in, String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int code =
        Main.run(
            args,
            in,
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8));
    return new Ran(
        code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }
}
