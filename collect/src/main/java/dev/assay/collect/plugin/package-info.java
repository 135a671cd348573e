/**
 * Third-party checkers from a local folder: Java classes in jars, and commands that are given the
 * history as a file. Input: a folder. Output: {@link dev.assay.check.LevelChecker}s to use beside
 * the built-in ones.
 */
package dev.assay.collect.plugin;
