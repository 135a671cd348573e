package dev.assay.spark;

import dev.assay.cli.Main;
import java.util.ArrayList;
import java.util.List;

/**
 * The way in of {@code spark-submit assay-spark.jar check ...}: the command line, where {@code
 * check} runs on the cluster that the job was submitted to.
 */
public final class SparkMain {
  private SparkMain() {}

  public static void main(String[] args) {
    Main.main(withMaster(args, System.getProperty("spark.master")));
  }

  /** The arguments with the address of the cluster, if they name none. */
  static String[] withMaster(String[] args, String master) {
    List<String> all = new ArrayList<>(List.of(args));
    boolean named = all.stream().anyMatch(arg -> arg.equals("--on") || arg.startsWith("--on="));
    if (master == null || named || args.length == 0 || !args[0].equals("check")) {
      return args;
    }
    all.addAll(1, List.of("--on", master));
    return all.toArray(String[]::new);
  }
}
