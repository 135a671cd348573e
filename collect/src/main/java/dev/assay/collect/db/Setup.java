package dev.assay.collect.db;

import dev.assay.collect.client.Topology;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What a database is started with.
 *
 * @param loader where its driver and its program come from
 * @param version the version of its program
 * @param kept a folder for what is worth keeping between runs, such as unpacked programs
 * @param options settings of the server by name
 * @param connections how many connections there may be at once
 * @param topology its nodes
 * @param progress takes remarks on what takes a while
 */
public record Setup(
    ClassLoader loader,
    String version,
    Path kept,
    Map<String, String> options,
    int connections,
    Topology topology,
    Consumer<String> progress) {

  /** The options in the form that a database's URL or command line wants. */
  public String joined(String before, String between) {
    StringBuilder text = new StringBuilder();
    options.forEach(
        (name, value) -> text.append(before).append(name).append(between).append(value));
    return text.toString();
  }

  /** The options as arguments of a command line, each after {@code before}. */
  public List<String> arguments(String before) {
    return options.entrySet().stream().map(e -> before + e.getKey() + "=" + e.getValue()).toList();
  }
}
