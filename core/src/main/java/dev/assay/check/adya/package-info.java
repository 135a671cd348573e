/**
 * Decides levels by Adya's graph where the order of versions is known, or known in part: what comes
 * in is {@link dev.assay.infer.Dependencies}, what goes out are verdicts and the shortest cycles of
 * every kind. Levels and names of cycles are those of Adya's thesis (MIT 1999, chapters 3 and 4)
 * and of Elle (Kingsbury and Alvaro, VLDB 2020).
 */
package dev.assay.check.adya;
