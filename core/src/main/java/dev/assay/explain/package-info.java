/**
 * Evidence in, sentences out.
 *
 * <p>{@link dev.assay.explain.Explainer} turns the {@link dev.assay.check.Evidence} of an anomaly
 * into a headline and numbered steps that a person can verify against the history. {@link
 * dev.assay.explain.Example} holds what {@code assay explain} shows: a definition, a small history
 * and a walk through it, for every level and anomaly.
 */
package dev.assay.explain;
