/**
 * The server, which trusts no client: every request passes the {@link dev.assay.web.http.Guard}
 * before anything else looks at it. Comes in: requests; goes out: pages, files, and orders to the
 * queue.
 */
package dev.assay.web.http;
