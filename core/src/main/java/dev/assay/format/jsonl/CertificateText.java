package dev.assay.format.jsonl;

import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.history.VersionCertificate.VersionSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A certificate as the lines that {@link VersionCertificates} reads. */
public final class CertificateText {
  private final History history;
  private final StringBuilder text = new StringBuilder();

  private CertificateText(History history) {
    this.history = history;
  }

  /** The lines of a certificate of a history. */
  public static String of(VersionCertificate certificate, History history) {
    CertificateText lines = new CertificateText(history);
    certificate.chains().forEach(lines::chain);
    lines.transactions("order", certificate.order());
    int[] commits = certificate.commits();
    lines.transactions("commits", commits);
    new TreeMap<>(certificate.ofOperation())
        .forEach((op, set) -> lines.ofOperation(op, set, commits));
    new TreeMap<>(certificate.ofTransaction())
        .forEach((txn, set) -> lines.ofTransaction(txn, set, commits));
    return lines.text.toString();
  }

  private void chain(VersionCertificate.Chain chain) {
    text.append("{\"key\":");
    scalar(history.keys().get(chain.key()));
    if (chain.complete()) {
      text.append(",\"versions\":[");
      for (int i = 0; i < chain.size(); i++) {
        text.append(i == 0 ? "" : ",");
        version(chain.write(i));
      }
    } else {
      text.append(",\"pairs\":[");
      // The initial version is before all others anyway.
      int before = chain.size() == 1 ? VersionCertificate.INITIAL : chain.write(0);
      for (int i = chain.size() == 1 ? 0 : 1; i < chain.size(); i++) {
        text.append(i > 1 ? ",[" : "[");
        version(before);
        text.append(',');
        version(chain.write(i));
        text.append(']');
        before = chain.write(i);
      }
    }
    text.append("]}\n");
  }

  /** A version by its writer, or by its value where the writer wrote another one later. */
  private void version(int write) {
    if (write == VersionCertificate.INITIAL) {
      text.append("null");
      return;
    }
    int txn = history.transactionOf(write);
    if (history.lastWrite(txn, history.key(write)) == write) {
      text.append("{\"by\":");
      scalar(history.label(txn));
      text.append('}');
    } else {
      scalar(history.values().get(history.value(write)));
    }
  }

  private void transactions(String name, int[] transactions) {
    if (transactions.length > 0) {
      text.append("{\"").append(name).append("\":[");
      for (int i = 0; i < transactions.length; i++) {
        text.append(i == 0 ? "" : ",");
        scalar(history.label(transactions[i]));
      }
      text.append("]}\n");
    }
  }

  private void ofOperation(int op, VersionSet set, int[] commits) {
    int txn = history.transactionOf(op);
    text.append("{\"select\":");
    scalar(history.label(txn) + "#" + history.ordinal(txn, op));
    if (set instanceof VersionSet.Snapshot snapshot) {
      text.append(",\"snapshot\":{");
      visible(snapshot, commits);
      text.append('}');
    } else {
      text.append(",\"set\":{");
      String separator = "";
      Map<Integer, Integer> writes = new TreeMap<>(((VersionSet.Listed) set).writes());
      for (Map.Entry<Integer, Integer> entry : writes.entrySet()) {
        text.append(separator);
        JsonText.quote(text, history.keys().text(entry.getKey()));
        text.append(':');
        version(entry.getValue());
        separator = ",";
      }
      text.append('}');
    }
    text.append("}\n");
  }

  private void ofTransaction(int txn, VersionSet set, int[] commits) {
    if (set instanceof VersionSet.Snapshot snapshot) {
      text.append("{\"snapshot\":");
      scalar(history.label(txn));
      text.append(',');
      visible(snapshot, commits);
      text.append("}\n");
    } else {
      for (int op = history.firstOp(txn); op < history.endOp(txn); op = history.nextOp(op)) {
        if (history.kind(op).isPredicate()) {
          ofOperation(op, set, commits);
        }
      }
    }
  }

  private void visible(VersionSet.Snapshot snapshot, int[] commits) {
    text.append("\"upTo\":");
    int visible = snapshot.commits();
    scalar(visible == 0 ? null : history.label(commits[visible - 1]));
    listed("except", snapshot.except());
    listed("also", snapshot.also());
  }

  private void listed(String name, List<Integer> transactions) {
    if (!transactions.isEmpty()) {
      text.append(",\"").append(name).append("\":[");
      for (int i = 0; i < transactions.size(); i++) {
        text.append(i == 0 ? "" : ",");
        scalar(history.label(transactions.get(i)));
      }
      text.append(']');
    }
  }

  private void scalar(Object value) {
    AssayJsonlWriter.scalar(text, value);
  }
}
