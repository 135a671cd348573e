package dev.assay.cli.check;

import dev.assay.collect.judge.CheckRequest;
import dev.assay.format.ParseException;
import dev.assay.render.CheckResult;
import java.io.IOException;
import java.util.List;
import java.util.ServiceLoader;

/** Checks histories on other machines; the jar of the module {@code spark} brings one. */
public interface Cluster {
  /**
   * Checks all histories.
   *
   * @param master the address of the cluster
   * @param paths files, folders and patterns, as the user named them
   * @param job what to check them for, and where results go
   */
  void check(String master, List<String> paths, Job job) throws IOException;

  /** What to do, and where results go, in the order in which they are to be shown. */
  interface Job {
    CheckRequest request();

    /** The options of the command, for {@link RemoteCheck} on another machine. */
    List<String> options();

    /** Adds what a task found. */
    void add(RemoteCheck.Answer answer) throws IOException;

    /** Adds the result of a history that many tasks checked. */
    void add(CheckResult result) throws IOException;

    /** Adds a history that cannot be read. */
    void add(ParseException e) throws IOException;

    /** Adds a file that a defect kept from being checked. */
    void add(String file, Throwable defect) throws IOException;

    /** Shows how far it is. */
    void progress(String doing);

    /** Says what was done, to those who want to know. */
    void detail(String done);
  }

  /** The cluster of this jar; null if it brings none. */
  static Cluster find() {
    return ServiceLoader.load(Cluster.class).findFirst().orElse(null);
  }
}
