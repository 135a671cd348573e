package dev.assay.collect.client;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * What a store is opened with.
 *
 * @param connections the number of sessions that there may be at once
 * @param kept a folder for what is worth keeping between runs, such as unpacked programs
 * @param fetcher brings libraries that are not part of Assay
 * @param progress takes remarks on what takes a while
 */
public record Opening(
    Target target, int connections, Path kept, Fetcher fetcher, Consumer<String> progress) {

  /** Brings libraries. */
  public interface Fetcher {
    /**
     * A loader with these libraries; Assay's own where they are on its class path.
     *
     * @param title what needs them
     * @param artifacts Maven coordinates {@code group:artifact:version}
     * @param markers resources that are there when all of them are on the class path
     */
    ClassLoader loader(String title, List<String> artifacts, List<String> markers)
        throws IOException;
  }
}
