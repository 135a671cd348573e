/**
 * Simulated in-memory stores, each of which implements one isolation level of the specification and
 * really shows what that level permits.
 *
 * <p>Calls of interleaved clients come in, versions go out. Each class says why its level holds in
 * terms of the commit order that the level's axiom asks for.
 */
package dev.assay.collect.store;
