/** What measurements need of the package of this name in core. */
package dev.assay.solve;
