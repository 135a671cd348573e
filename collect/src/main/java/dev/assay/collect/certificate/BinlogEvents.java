package dev.assay.collect.certificate;

import com.github.shyiko.mysql.binlog.BinaryLogClient;
import com.github.shyiko.mysql.binlog.event.DeleteRowsEventData;
import com.github.shyiko.mysql.binlog.event.Event;
import com.github.shyiko.mysql.binlog.event.EventData;
import com.github.shyiko.mysql.binlog.event.EventHeaderV4;
import com.github.shyiko.mysql.binlog.event.MariadbGtidEventData;
import com.github.shyiko.mysql.binlog.event.RotateEventData;
import com.github.shyiko.mysql.binlog.event.TableMapEventData;
import com.github.shyiko.mysql.binlog.event.UpdateRowsEventData;
import com.github.shyiko.mysql.binlog.event.WriteRowsEventData;
import com.github.shyiko.mysql.binlog.event.XidEventData;
import dev.assay.collect.db.Table;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Understands the events of a binary log in rows: a GTID begins a transaction, a table map says
 * which table a number means, rows follow, and an XID commits.
 */
final class BinlogEvents extends BinaryLogClient.AbstractLifecycleListener
    implements BinaryLogClient.EventListener {
  private final CommitLog log;
  private final Map<Long, String> tables = new HashMap<>();
  private final boolean bySequence;
  private MariaDbSource.Place reached;
  private long sequence;
  private Exception failure;

  /**
   * Reads into a log.
   *
   * @param bySequence whether transactions are called by the number in their GTID, not their place
   */
  BinlogEvents(CommitLog log, String firstFile, boolean bySequence) {
    this.log = log;
    this.bySequence = bySequence;
    this.reached = new MariaDbSource.Place(firstFile, 0);
  }

  /** How far events were read. */
  MariaDbSource.Place reached() {
    return reached;
  }

  /** Why the log is not to be trusted, or null. */
  Exception failure() {
    return failure;
  }

  @Override
  public void onCommunicationFailure(BinaryLogClient client, Exception e) {
    failure = e;
  }

  @Override
  public void onEventDeserializationFailure(BinaryLogClient client, Exception e) {
    failure = e;
  }

  @Override
  public void onEvent(Event event) {
    try {
      EventHeaderV4 header = event.getHeader();
      if (header.getNextPosition() > 0) {
        reached = new MariaDbSource.Place(reached.file(), header.getNextPosition());
      }
      accept(event.getData());
    } catch (RuntimeException e) {
      // The client would swallow it.
      failure = e;
    }
  }

  private void accept(EventData data) {
    if (data instanceof RotateEventData rotate) {
      reached = new MariaDbSource.Place(rotate.getBinlogFilename(), rotate.getBinlogPosition());
    } else if (data instanceof MariadbGtidEventData gtid) {
      sequence = gtid.getSequence();
      log.begin();
    } else if (data instanceof TableMapEventData table) {
      tables.put(table.getTableId(), table.getTable());
    } else if (data instanceof WriteRowsEventData rows) {
      rows.getRows().forEach(row -> written(tables.get(rows.getTableId()), row));
    } else if (data instanceof UpdateRowsEventData rows) {
      rows.getRows().forEach(row -> written(tables.get(rows.getTableId()), row.getValue()));
    } else if (data instanceof DeleteRowsEventData rows) {
      rows.getRows().forEach(row -> deleted(tables.get(rows.getTableId()), row));
    } else if (data instanceof XidEventData) {
      log.commit(bySequence ? sequence : reached.number());
    }
  }

  private void written(String table, Serializable[] row) {
    if (Table.ROWS.sqlName().equals(table)) {
      log.row((Long) row[0], (Long) row[1], (Long) row[2]);
    } else if (Table.REGISTER.sqlName().equals(table)) {
      log.version((Long) row[0], row[1]);
    } else if (Table.LIST.sqlName().equals(table)) {
      log.list((Long) row[0], new String((byte[]) row[1], StandardCharsets.US_ASCII));
    }
  }

  private void deleted(String table, Serializable[] row) {
    if (Table.ROWS.sqlName().equals(table)) {
      log.version((Long) row[0], null);
    }
  }
}
