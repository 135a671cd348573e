/**
 * The server, which trusts no client: every request passes the {@link dev.assay.web.http.Guard}
 * before anything else looks at it. Input: requests. Output: pages, files, and orders to the queue.
 */
package dev.assay.web.http;
