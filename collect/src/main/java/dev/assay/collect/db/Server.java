package dev.assay.collect.db;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Properties;

/** A database that runs: where it is, and how to stop it if it is ours. */
public interface Server extends AutoCloseable {
  /** One URL, or one a node; clients take turns. */
  List<String> urls();

  /** User, password and whatever else a connection needs. */
  default Properties properties() {
    return new Properties();
  }

  /** What can be done to it on purpose; empty if it cannot be made to fail. */
  default Optional<Faults> faults() {
    return Optional.empty();
  }

  @Override
  void close();

  /** Ways to make a server fail. */
  interface Faults {
    /** Kills it without warning and starts it again on the same data. */
    void killAndRestart() throws IOException;

    /** Stops it from running, without ending it. */
    void pause() throws IOException;

    void resume() throws IOException;
  }

  /** A database inside this process, at one URL. */
  static Server at(String url, Runnable stop) {
    return new Server() {
      @Override
      public List<String> urls() {
        return List.of(url);
      }

      @Override
      public void close() {
        stop.run();
      }
    };
  }
}
