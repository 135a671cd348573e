/**
 * One description of a run. {@link dev.assay.collect.config.Parameters} is the table of everything
 * that can be asked for: name, type and range, default, help. The options of commands, the web form
 * and its request, {@code config.json} and the sweeps of {@code assay bench} follow from it. Input:
 * texts from any of these. Output: a {@link dev.assay.collect.config.RunConfig}, and the workload,
 * generator and run that it describes.
 */
package dev.assay.collect.config;
