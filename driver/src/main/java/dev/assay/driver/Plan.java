package dev.assay.driver;

import java.util.List;

/** What is to be done with a statement. */
sealed interface Plan {
  /** Whether the same text will mean the same as long as no definition changes. */
  default boolean isLasting() {
    return true;
  }

  /** A statement that neither reads nor writes rows. */
  record Harmless() implements Plan {}

  /** A definition of a table and the like; some databases commit before it. */
  record Definition() implements Plan {}

  /** The end or a part of a transaction, in SQL instead of a method. */
  record Control(Word word, String savepoint) implements Plan {
    enum Word {
      BEGIN,
      COMMIT,
      ROLLBACK,
      SAVEPOINT,
      ROLLBACK_TO,
      RELEASE,
      TWO_PHASE
    }
  }

  /**
   * A statement that is sent as it is, and whose effects are not seen.
   *
   * @param why as a clause that follows the statement
   * @param writes whether it may have changed rows
   * @param table the only table that it may have changed, or null
   * @param deletes whether rows may be gone after it
   */
  record Unseen(String why, boolean writes, String table, boolean lasting, boolean deletes)
      implements Plan {
    Unseen(String why, boolean writes, String table, boolean lasting) {
      this(why, writes, table, lasting, writes);
    }

    /** What is not seen of a write. */
    static Unseen of(Write write, String why) {
      return new Unseen(why, true, write.table().label(), true, write.deletes());
    }

    @Override
    public boolean isLasting() {
      return lasting;
    }
  }

  /**
   * Several statements in one, sent as they are, some of which begin or end transactions.
   *
   * @param open whether a transaction is open after them
   */
  record Several(boolean open) implements Plan {
    static final Unseen UNSEEN = new Unseen("is several statements in one", true, null, true);
  }

  /**
   * A query with hidden columns at its end.
   *
   * @param sql the statement to send
   * @param sources of the rows, in the order of their hidden columns
   * @param aggregated whether there is one hidden column with all rows of the only source
   * @param hasOneRow whether the result is one row, whatever is in the table
   * @param condition what rows are selected, or null if that cannot be said
   * @param key the key of the only row it asks for, or null
   * @param left not null where the rows are those that a write left
   * @param missing what of the statement is not seen, or null
   */
  record Query(
      String sql,
      List<Table> sources,
      boolean aggregated,
      boolean hasOneRow,
      Condition condition,
      Condition.Key key,
      Write left,
      String missing)
      implements Plan {
    int hidden() {
      return aggregated ? 1 : sources.stream().mapToInt(Table::width).sum();
    }
  }

  /**
   * A write whose rows are asked for as generated keys, or by their keys.
   *
   * @param sql the statement without what follows it: pgJDBC would put RETURNING behind that
   * @param key the key of the only row it is about, or null
   * @param lookup a query of the rows by their key, where the database does not return them
   * @param missing what of the statement is not seen, or null
   */
  record Write(
      String sql, Table table, boolean deletes, Condition.Key key, String lookup, String missing)
      implements Plan {}
}
