package dev.assay.collect.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts programs that refuse to run as root, also as root: in a user namespace, where root looks
 * like nobody but still owns its files, or else as the user nobody.
 */
public final class AsOrdinaryUser {
  private static final String NOBODY = "65534";

  private final List<String> before;

  private AsOrdinaryUser(List<String> before) {
    this.before = before;
  }

  /**
   * How to run as an ordinary user who owns this folder.
   *
   * @throws ServerException when this is root and neither way works
   */
  public static AsOrdinaryUser owning(Path folder) throws IOException {
    if (!ServerProcess.isRoot()) {
      return new AsOrdinaryUser(List.of());
    }
    List<String> namespace = List.of("unshare", "--user");
    if (works(namespace)) {
      return new AsOrdinaryUser(namespace);
    }
    List<String> nobody =
        List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
    if (works(nobody)) {
      ServerProcess.execute(
          "chown", List.of("chown", "-R", NOBODY + ":" + NOBODY, folder.toString()), null);
      return new AsOrdinaryUser(nobody);
    }
    throw new ServerException(
        "the server refuses to run as root, and neither unshare --user nor setpriv works here;"
            + " run Assay as an ordinary user");
  }

  /** A program with its arguments, run as that user. */
  public List<String> command(Path program, List<String> arguments) {
    List<String> command = new ArrayList<>(before);
    command.add(program.toString());
    command.addAll(arguments);
    return command;
  }

  private static boolean works(List<String> before) {
    List<String> command = new ArrayList<>(before);
    command.add("true");
    try {
      ServerProcess.execute("trying", command, null);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
