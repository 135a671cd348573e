package dev.assay.collect.db;

/** The tables a run uses, one for each type of data. All have a key {@code k}. */
public enum Table {
  /** Says whose the others are; made and dropped before them. See {@link RunTables}. */
  RUN("assay_run"),
  /** One number a key; a row with null, or none, is the initial version. */
  REGISTER("assay_register"),
  /** A text of numbers that each end in a comma; the empty text, or no row, is the empty list. */
  LIST("assay_list"),
  /** One row an element. */
  SET("assay_set"),
  /** One number a key, which is only ever added to. */
  COUNTER("assay_counter"),
  /** Rows that are read and changed by conditions too; see {@link RowSql}. */
  ROWS("assay_rows");

  private final String sqlName;

  Table(String sqlName) {
    this.sqlName = sqlName;
  }

  public String sqlName() {
    return sqlName;
  }
}
