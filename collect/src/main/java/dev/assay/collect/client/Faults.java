package dev.assay.collect.client;

import java.io.IOException;

/** Ways to make a server fail. */
public interface Faults {
  /** Kills it without warning and starts it again on the same data. */
  void killAndRestart() throws IOException;

  /** Stops it from running, without ending it. */
  void pause() throws IOException;

  void resume() throws IOException;
}
