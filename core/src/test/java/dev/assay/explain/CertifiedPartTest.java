package dev.assay.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.Assay;
import dev.assay.Report;
import dev.assay.check.Budget;
import dev.assay.check.Verdict.Holds;
import dev.assay.format.Formats;
import dev.assay.format.Input;
import dev.assay.format.ParseException;
import dev.assay.format.jsonl.CertificateText;
import dev.assay.format.jsonl.VersionCertificates;
import dev.assay.history.History;
import dev.assay.history.VersionCertificate;
import dev.assay.level.Level;
import dev.assay.resolve.Assumption;
import dev.assay.resolve.Given;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CertifiedPartTest {
  private static final int KEYS = 3;

  /** A history of random reads and writes, and a random certificate of it. */
  private static final class Sample {
    private final Random random;
    private final StringBuilder history = new StringBuilder("{\"assay\":1,\"initial\":null}\n");
    private final StringBuilder certificate = new StringBuilder();
    private final Map<Integer, List<Integer>> versions = new HashMap<>();
    private final List<String> names = new ArrayList<>();
    private final List<String> selecting = new ArrayList<>();

    Sample(long seed, boolean predicates) {
      random = new Random(seed);
      int transactions = 3 + random.nextInt(3);
      for (int txn = 1; txn <= transactions; txn++) {
        names.add("\"T" + txn + "\"");
        List<String> ops = new ArrayList<>();
        if (predicates && random.nextInt(2) == 0) {
          selecting.add("T" + txn);
          ops.add("[\"select\",{\"where\":[\">\",\"v\",30]},[]]");
        }
        for (int op = random.nextInt(2); op < 3; op++) {
          ops.add(operation(10 * txn + op));
        }
        history.append("{\"session\":%d,\"id\":\"T%d\",\"ops\":%s}%n".formatted(txn, txn, ops));
      }
      certify();
    }

    private String operation(int value) {
      int key = random.nextInt(KEYS);
      List<Integer> written = versions.computeIfAbsent(key, each -> new ArrayList<>());
      if (random.nextBoolean()) {
        Object seen = written.isEmpty() ? null : written.get(random.nextInt(written.size()));
        return "[\"r\",\"k%d\",%s]".formatted(key, seen);
      }
      written.add(value);
      return "[\"w\",\"k%d\",%d]".formatted(key, value);
    }

    private void certify() {
      versions.forEach(
          (key, values) -> {
            if (random.nextInt(4) == 0) {
              Collections.shuffle(values, random);
            }
            if (random.nextInt(4) > 0 && !values.isEmpty()) {
              certificate.append("{\"key\":\"k%d\",\"versions\":%s}%n".formatted(key, values));
            }
          });
      if (random.nextInt(3) == 0) {
        certificate.append("{\"order\":%s}%n".formatted(names));
      }
      certificate.append("{\"commits\":%s}%n".formatted(names));
      for (String name : selecting) {
        String upTo = names.get(random.nextInt(names.size()));
        certificate.append("{\"snapshot\":\"%s\",\"upTo\":%s}%n".formatted(name, upTo));
      }
    }
  }

  private static Input input(String text) {
    return Input.of("sample", text.getBytes(StandardCharsets.UTF_8));
  }

  private static Given given(VersionCertificate certificate) {
    return new Given(Assumption.DEFAULT, certificate);
  }

  private static Report survey(History history, VersionCertificate certificate) {
    return Assay.check(history, Level.surveyed(), given(certificate), Budget.unlimited());
  }

  /** Shrinks random histories; returns how many needed the certificate. */
  private static int shrinkAll(int histories, boolean predicates) throws ParseException {
    int certified = 0;
    for (int seed = 0; seed < histories; seed++) {
      Sample sample = new Sample(seed, predicates);
      History whole = Formats.read(input(sample.history.toString()));
      VersionCertificate certificate;
      try {
        certificate = VersionCertificates.read(input(sample.certificate.toString()), whole);
      } catch (ParseException e) {
        continue;
      }
      Level level = Level.SERIALIZABLE;
      Report report = Assay.check(whole, Set.of(level), given(certificate), Budget.unlimited());
      if (report.violated(level)) {
        Smallest smallest =
            Assay.shrink(report, given(certificate), level, Set.of(), Budget.unlimited());
        History part = smallest.history();
        String text = CertificateText.of(smallest.certificate(), part);
        VersionCertificate read = VersionCertificates.read(input(text), part);
        Report again = Assay.check(part, Set.of(level), given(read), Budget.unlimited());
        assertThat(again.violated(level)).as("seed %d", seed).isTrue();
        assertThat(again.shows(smallest.type())).as("seed %d", seed).isTrue();
        Report before = survey(whole, certificate);
        Report after = survey(part, read);
        assertThat(Level.surveyed())
            .as("seed %d: %s%s", seed, sample.history, sample.certificate)
            .noneMatch(each -> after.violated(each) && before.verdict(each) instanceof Holds);
        boolean needed = !Assay.check(part, Set.of(level), Budget.unlimited()).violated(level);
        certified += needed ? 1 : 0;
      }
    }
    return certified;
  }

  @Test
  void aPartAndWhatIsLeftOfItsCertificateViolateWhatTheWholeDoes() throws ParseException {
    assertThat(shrinkAll(1000, false)).isGreaterThan(50);
  }

  @Test
  void theSameWithQueriesAndSnapshots() throws ParseException {
    assertThat(shrinkAll(200, true)).isGreaterThan(10);
  }
}
