/**
 * Third-party checkers and clients from a local folder: Java classes in jars, and commands. Input:
 * a folder. Output: {@link dev.assay.check.LevelChecker}s and {@link
 * dev.assay.collect.client.Client}s to use beside the built-in ones.
 */
package dev.assay.collect.plugin;
