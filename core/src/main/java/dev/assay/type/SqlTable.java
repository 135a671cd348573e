package dev.assay.type;

/**
 * How a database keeps values of one type, for a history that people follow by hand.
 *
 * @param name the name of the table
 * @param columns their definitions; its arguments are the types of keys and of values, and the
 *     length of the longest text
 * @param initial the value of a key at first; null if there are no rows then
 * @param write a write; its arguments are the key and the value
 */
public record SqlTable(String name, String columns, String initial, String write) {}
