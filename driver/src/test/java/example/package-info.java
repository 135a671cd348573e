/** A sample application: plain JDBC, without a word about Assay but in its URL. */
package example;
