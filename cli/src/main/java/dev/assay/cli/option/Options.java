package dev.assay.cli.option;

import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.IGetter;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.Range;

/**
 * The options and arguments of a command, in the order in which {@code --help} lists them. Names
 * are separated by spaces. Each value goes to a consumer, which is not called if there is none.
 *
 * <p>picocli could read all this from annotations, but that takes a sixth of a short start.
 */
public final class Options {
  private final CommandSpec spec;
  private int order = ParameterOptions.EARLIER;

  Options(CommandSpec spec) {
    this.spec = spec;
  }

  /**
   * The texts around the options.
   *
   * @param synopsis what follows the name
   * @param notes lines below the options
   */
  public void command(String name, String header, String synopsis, String notes) {
    spec.name("assay " + name);
    spec.usageMessage()
        .header(header)
        .customSynopsis(("assay " + name + " " + synopsis).strip())
        .footer(("\n" + notes).split("\n"));
  }

  /** Those that are parameters of a run, in the order of their table. */
  public void add(ParameterOptions parameters) {
    parameters.addTo(spec);
    order = ParameterOptions.LATER;
  }

  public void help() {
    spec.addOption(
        option("-h --help", boolean.class, "Show this help.", given -> {})
            .arity("0")
            .usageHelp(true)
            .build());
  }

  public void flag(String names, String help, Consumer<Boolean> taker) {
    add(option(names, boolean.class, help, taker).arity("0"));
  }

  /** A flag that may also be given as {@code --no-...}. */
  public void negatable(String names, String help, Consumer<Boolean> taker) {
    add(option(names, Boolean.class, help, taker).arity("0").negatable(true));
  }

  public void text(String names, String label, String help, Consumer<String> taker) {
    value(names, String.class, label, help, taker);
  }

  public void required(String names, String label, String help, Consumer<String> taker) {
    add(option(names, String.class, help, taker).paramLabel(label).arity("1").required(true));
  }

  public <T> void value(String names, Class<T> type, String label, String help, Consumer<T> taker) {
    add(option(names, type, help, taker).paramLabel(label).arity("1"));
  }

  /**
   * An option that may be repeated.
   *
   * @param arity the number of values it takes each time
   */
  public void texts(
      String names, int arity, String label, String help, Consumer<List<String>> taker) {
    add(
        option(names, List.class, help, taker)
            .auxiliaryTypes(String.class)
            .paramLabel(label)
            .arity(String.valueOf(arity)));
  }

  /** An option that may be repeated, with a name and a value. */
  public void pairs(String names, String label, String help, Consumer<Map<String, String>> taker) {
    add(
        option(names, Map.class, help, taker)
            .auxiliaryTypes(String.class, String.class)
            .paramLabel(label)
            .arity("1"));
  }

  /** An argument at its place. */
  public void argument(int index, String arity, String label, String help, Consumer<String> taker) {
    add(argument(String.class, label, help, taker).index(String.valueOf(index)), arity);
  }

  /** All arguments. */
  public void arguments(String arity, String label, String help, Consumer<List<String>> taker) {
    add(argument(List.class, label, help, taker).auxiliaryTypes(String.class), arity);
  }

  /** What the parser knows, after it has parsed. */
  public CommandSpec spec() {
    return spec;
  }

  private void add(OptionSpec.Builder option) {
    spec.addOption(option.order(order).build());
  }

  private void add(PositionalParamSpec.Builder argument, String arity) {
    // A required argument is not derived from its arity where arguments are declared in code.
    boolean required = Range.valueOf(arity).min() > 0;
    spec.addPositional(argument.arity(arity).required(required).build());
  }

  private static OptionSpec.Builder option(
      String names, Class<?> type, String help, Consumer<?> taker) {
    Binding<?> binding = new Binding<>(taker);
    return OptionSpec.builder(names.split(" "))
        .type(type)
        .description(help)
        .getter(binding)
        .setter(binding);
  }

  private static PositionalParamSpec.Builder argument(
      Class<?> type, String label, String help, Consumer<?> taker) {
    Binding<?> binding = new Binding<>(taker);
    return PositionalParamSpec.builder()
        .type(type)
        .paramLabel(label)
        .description(help)
        .getter(binding)
        .setter(binding);
  }

  /** Keeps a value, to which picocli adds where an option is repeated, and passes it on. */
  private static final class Binding<V> implements IGetter, ISetter {
    private final Consumer<V> taker;
    private Object value;

    Binding(Consumer<V> taker) {
      this.taker = taker;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T get() {
      return (T) value;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> T set(T given) {
      T before = (T) value;
      value = given;
      if (given != null) {
        taker.accept((V) given);
      }
      return before;
    }
  }
}
