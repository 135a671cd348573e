/**
 * Decides levels by Adya's graph where the version order is known, at least in part. Input: {@link
 * dev.assay.infer.Dependencies}; output: verdicts and the shortest cycles of every kind. Levels and
 * names of cycles are those of Adya's thesis (MIT 1999, chapters 3 and 4) and of Elle (Kingsbury
 * and Alvaro, VLDB 2020).
 */
package dev.assay.check.adya;
