/**
 * A JDBC driver that stands before another one and records what the transactions of an application
 * read and wrote: {@code jdbc:assay:postgresql://…}.
 *
 * <p>In: the calls of an application. Out: the calls of the driver behind it, with hidden columns
 * beside those asked for, and a history in the format {@code assay-jsonl}. It uses nothing of the
 * rest of Assay, so that an application gets one small jar and a parser.
 */
package dev.assay.driver;
