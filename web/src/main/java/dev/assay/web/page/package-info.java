/**
 * The pages, written in Java: what is shown is escaped by {@link dev.assay.web.page.Html}, which is
 * the only thing here that writes tags. Input: runs and requests. Output: HTML.
 */
package dev.assay.web.page;
