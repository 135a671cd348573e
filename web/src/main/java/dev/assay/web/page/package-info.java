/**
 * The pages, written in Java: what is shown is escaped by {@link dev.assay.web.page.Html}, which is
 * the only thing here that writes tags. Comes in: runs and requests; goes out: HTML.
 */
package dev.assay.web.page;
