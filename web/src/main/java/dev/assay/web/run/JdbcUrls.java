package dev.assay.web.run;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.Node;
import dev.assay.collect.db.Database;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which JDBC URLs a request may name. Drivers run code and read files when a URL says so (H2's
 * INIT, PostgreSQL's socketFactory, MySQL's autoDeserialize and allowLoadLocalInfile, trace files
 * of Derby), and new such properties appear with new versions. So a URL must have the plain shape
 * of its driver, and only properties from a short list that are known to do neither. Nothing is
 * decoded: what needs a percent sign or a quote is refused.
 */
final class JdbcUrls {
  private static final String HOST =
      "(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\\[[0-9a-fA-F:]+])";
  private static final String HOSTS = HOST + "(?::\\d{1,5})?(?:," + HOST + "(?::\\d{1,5})?)*";
  private static final String NAME = "[A-Za-z0-9_][A-Za-z0-9_-]{0,63}";
  private static final Pattern VALUE = Pattern.compile("[A-Za-z0-9_.+-]{1,64}");
  private static final int LONGEST = 500;

  /** Addresses for clients of other stores. */
  private static final Pattern PLAIN =
      Pattern.compile("(?:https?://)?" + HOST + "(?::\\d{1,5})?(?:/" + NAME + ")?");

  /**
   * The URLs of one kind of driver.
   *
   * @param shape what comes before the properties
   * @param separators what begins the properties, and what separates them
   * @param properties those that are allowed
   * @param example what to write instead
   */
  private record Rule(Pattern shape, char[] separators, Set<String> properties, String example) {}

  private static final char[] QUERY = {'?', '&'};
  private static final char[] SEMICOLONS = {';', ';'};

  private static final Map<String, Rule> RULES =
      Map.of(
          "postgresql",
          new Rule(
              Pattern.compile("jdbc:postgresql://" + HOSTS + "/" + NAME),
              QUERY,
              Set.of("sslmode", "connecttimeout", "sockettimeout", "logintimeout", "tcpkeepalive"),
              "jdbc:postgresql://host:5432/database"),
          "mysql",
          new Rule(
              Pattern.compile("jdbc:mysql://" + HOSTS + "/" + NAME),
              QUERY,
              Set.of("sslmode", "connecttimeout", "sockettimeout", "tcpkeepalive"),
              "jdbc:mysql://host:3306/database"),
          "mariadb",
          new Rule(
              Pattern.compile("jdbc:mariadb://" + HOSTS + "/" + NAME),
              QUERY,
              Set.of("sslmode", "connecttimeout", "sockettimeout", "tcpkeepalive"),
              "jdbc:mariadb://host:3306/database"),
          "h2",
          new Rule(
              Pattern.compile(
                  "jdbc:h2:(?:mem:" + NAME + "|tcp://" + HOSTS + "/(?:mem:)?" + NAME + ")"),
              SEMICOLONS,
              Set.of("db_close_delay", "lock_timeout"),
              "jdbc:h2:tcp://host:9092/database"),
          "hsqldb",
          new Rule(
              Pattern.compile(
                  "jdbc:hsqldb:(?:mem:" + NAME + "|hsqls?://" + HOSTS + "/" + NAME + ")"),
              SEMICOLONS,
              Set.of("hsqldb.tx"),
              "jdbc:hsqldb:hsql://host:9001/database"),
          "derby",
          new Rule(
              Pattern.compile("jdbc:derby:(?:memory:" + NAME + "|//" + HOSTS + "/" + NAME + ")"),
              SEMICOLONS,
              Set.of("create"),
              "jdbc:derby://host:1527/database"));

  private JdbcUrls() {}

  /** Why this URL is refused, or null for one that may be used with this database. */
  static String problem(String node, Client client) {
    String url = Node.parse(node).url();
    if (client != null && !(client instanceof Database)) {
      return PLAIN.matcher(url).matches() ? null : "write an address as host:port";
    }
    Database database = (Database) client;
    Matcher kind = Pattern.compile("jdbc:([a-z0-9]+):.*").matcher(url);
    if (url.length() > LONGEST || !kind.matches()) {
      return "a JDBC URL begins with jdbc: and the name of its driver";
    }
    Rule rule = RULES.get(kind.group(1));
    if (rule == null) {
      return "JDBC URLs of " + kind.group(1) + " are not accepted here; known are " + known();
    }
    if (database != null && !fits(database, kind.group(1))) {
      return "this URL is not one of " + database.title();
    }
    int start = url.indexOf(rule.separators[0]);
    String shape = start < 0 ? url : url.substring(0, start);
    if (!rule.shape.matcher(shape).matches()) {
      return "write the URL as " + rule.example + "; user and password have their own fields";
    }
    if (start < 0) {
      return null;
    }
    String[] properties =
        url.substring(start + 1).split(Pattern.quote(String.valueOf(rule.separators[1])), -1);
    for (String property : properties) {
      String problem = problem(property, rule);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  private static String problem(String property, Rule rule) {
    String[] parts = property.split("=", 2);
    // The locale must not matter: in Turkish, I is not the capital of i.
    String name = parts[0].toLowerCase(Locale.ROOT);
    if (!rule.properties.contains(name)) {
      return "the property '"
          + parts[0]
          + "' is not accepted in a URL; allowed are "
          + String.join(", ", rule.properties.stream().sorted().toList());
    }
    boolean plain = parts.length == 2 && VALUE.matcher(parts[1]).matches();
    return plain ? null : "the property '" + parts[0] + "' has a value that is not accepted";
  }

  private static boolean fits(Database database, String kind) {
    List<String> prefixes = database.urlPrefixes();
    return switch (database.id()) {
      case "cockroachdb", "yugabytedb" -> kind.equals("postgresql");
      case "tidb" -> kind.equals("mysql");
      case "galera" -> kind.equals("mariadb");
      default -> prefixes.contains("jdbc:" + kind + ":");
    };
  }

  private static String known() {
    return String.join(", ", RULES.keySet().stream().sorted().toList());
  }
}
