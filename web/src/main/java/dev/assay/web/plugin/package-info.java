/**
 * Checkers of other people, from one local folder: Java classes in jars, and commands that are
 * given the history as a file. Comes in: a folder; goes out: {@link dev.assay.check.LevelChecker}s
 * that can stand beside ours.
 */
package dev.assay.web.plugin;
