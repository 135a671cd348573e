package dev.assay.cli.option;

import dev.assay.collect.config.Parameter;
import dev.assay.collect.config.Parameters;
import dev.assay.collect.config.RunConfig;
import dev.assay.collect.config.Use;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The options of a command that are parameters of a run: names, help and defaults are those of the
 * table of {@link Parameters}.
 */
public final class ParameterOptions {
  /** The order of options that come before the parameters. */
  static final int EARLIER = -1;

  /** The order of options that come after the parameters. */
  static final int LATER = 100;

  private final Use use;
  private final List<Parameter<?>> parameters;
  private final Map<Parameter<?>, String> given = new LinkedHashMap<>();

  public ParameterOptions(Use use, List<Parameter<?>> parameters) {
    this.use = use;
    this.parameters = parameters.stream().filter(Parameter::isOption).toList();
  }

  /** Adds the options to a command, in the order of the table. */
  void addTo(CommandSpec spec) {
    List<Parameter<?>> order = Parameters.all();
    for (Parameter<?> parameter : parameters) {
      OptionSpec.Builder option =
          OptionSpec.builder(parameter.optionNames())
              .order(order.indexOf(parameter))
              .description(parameter.help(use));
      if (parameter.isFlag()) {
        option.type(boolean.class).arity("0");
      } else {
        boolean list = use.takesLists() && parameter.group() == Parameter.Group.WORKLOAD;
        option.type(String.class).arity("1").paramLabel(parameter.label(list));
      }
      spec.addOption(option.setter(new Setter(parameter)).build());
    }
  }

  private final class Setter implements ISetter {
    private final Parameter<?> parameter;

    Setter(Parameter<?> parameter) {
      this.parameter = parameter;
    }

    @Override
    public <T> T set(T value) {
      if (value == null || value.equals(false)) {
        given.remove(parameter);
      } else {
        given.put(parameter, parameter.isFlag() ? RunConfig.YES : value.toString());
      }
      return value;
    }
  }

  public List<Parameter<?>> parameters() {
    return parameters;
  }

  /** What the command line gives, over the values of another configuration. */
  public RunConfig over(RunConfig config) {
    RunConfig all = config;
    for (Map.Entry<Parameter<?>, String> value : given.entrySet()) {
      // An empty value is a mistake, not a missing one.
      all = all.with(value.getKey(), value.getValue().isEmpty() ? " " : value.getValue());
    }
    return all;
  }

  /** What the command line gives. */
  public RunConfig config() {
    return over(RunConfig.empty(use));
  }
}
