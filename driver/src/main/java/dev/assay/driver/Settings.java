package dev.assay.driver;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a URL says.
 *
 * @param url the URL of the driver behind
 * @param file the history to write
 * @param version the column that names the version of a row, or null for the database's own
 * @param conditions whether conditions are recorded as predicates
 * @param application prefixes of the classes whose calls are named; empty for all but well-known
 *     libraries
 */
record Settings(
    String url, Path file, String version, boolean conditions, List<String> application) {
  static final String PREFIX = "jdbc:assay:";

  private static final List<String> NAMES =
      List.of("assay.file", "assay.version", "assay.conditions", "assay.application");
  private static final Pattern OPTION = Pattern.compile("[?&;](assay\\.[^=&;]*)=([^&;]*)");
  private static final String DEFAULT_FILE = "assay-history.jsonl";

  static Settings of(String url) throws SQLException {
    Map<String, String> options = new TreeMap<>();
    for (Matcher option = OPTION.matcher(url); option.find(); ) {
      if (!NAMES.contains(option.group(1))) {
        throw new SQLException(
            option.group(1)
                + " in the URL is not an option; there are "
                + String.join(", ", NAMES));
      }
      options.put(option.group(1), option.group(2));
    }
    String conditions = options.getOrDefault("assay.conditions", "true");
    if (!conditions.equals("true") && !conditions.equals("false")) {
      throw new SQLException(
          "assay.conditions in the URL is " + conditions + ", not true or false");
    }
    String behind =
        url.replaceAll("[&;]assay\\.[^=&;]*=[^&;]*", "")
            .replaceAll("[?]assay\\.[^=&;]*=[^&;]*&", "?")
            .replaceAll("[?]assay\\.[^=&;]*=[^&;]*", "");
    String application = options.getOrDefault("assay.application", "");
    return new Settings(
        "jdbc:" + behind.substring(PREFIX.length()),
        Path.of(options.getOrDefault("assay.file", DEFAULT_FILE)).toAbsolutePath().normalize(),
        options.get("assay.version"),
        conditions.equals("true"),
        application.isEmpty() ? List.of() : Arrays.asList(application.split(",")));
  }
}
