package dev.assay.collect.cluster;

import java.io.IOException;

/** What connects the nodes of a cluster with each other. */
public interface Links extends AutoCloseable {
  /** Nodes that do not know each other. */
  Links NONE =
      new Links() {
        @Override
        public void cut(int from, int to) {}

        @Override
        public void mend() {}

        @Override
        public void delay(int node, long millis) {}

        @Override
        public void lossy(int node, boolean on) {}

        @Override
        public void close() {}
      };

  /** What one node sends does not reach another, whichever of them made the connection. */
  void cut(int from, int to) throws IOException;

  /** Ends all cuts. */
  void mend() throws IOException;

  /** What a node exchanges with others is late by this; 0 ends it. */
  void delay(int node, long millis) throws IOException;

  /** Some of what a node exchanges with others is lost. */
  void lossy(int node, boolean on) throws IOException;

  @Override
  void close();
}
