package dev.assay.check.strong;

import dev.assay.solve.Decision;

/**
 * What came of asking whether there is an order at a level.
 *
 * @param choices what reads of values written more than once were then taken for
 */
record Answer(Decision.Result result, Choices choices) {}
