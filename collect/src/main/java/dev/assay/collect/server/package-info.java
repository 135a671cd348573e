/**
 * Servers that Assay starts: their processes, the folders of their data, the wires that lead to
 * them, and the versions that are tested. Nothing here knows what a server serves.
 */
package dev.assay.collect.server;
