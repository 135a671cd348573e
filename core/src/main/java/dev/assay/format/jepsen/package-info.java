/**
 * What Jepsen's tests record: {@code history.edn} and the same as JSON.
 *
 * <p>{@link dev.assay.format.jepsen.JepsenEdn} and {@link dev.assay.format.jepsen.JepsenJson} are
 * the formats. Each has a parser of its own that turns a line into a {@code JepsenOp}; from there
 * on both are read the same way, invocations paired with their completions, and written the same
 * way, up to the syntax.
 */
package dev.assay.format.jepsen;
