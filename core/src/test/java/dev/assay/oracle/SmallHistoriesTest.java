package dev.assay.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.oracle.SmallHistories.Part;
import dev.assay.oracle.SmallHistories.Size;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class SmallHistoriesTest {
  @Test
  void thePartsTogetherAreAllHistoriesEachOnce() {
    Size size = Size.ofAnyOutcome(2, 2, 2);
    List<SmallHistory> all = new ArrayList<>();
    SmallHistories.forEach(size, all::add);
    List<SmallHistory> inParts = Collections.synchronizedList(new ArrayList<>());
    for (String part : List.of("1/3", "2/3", "3/3")) {
      SmallHistories.forEachInParallel(size, Part.parse(part), inParts::add);
    }
    assertThat(all).doesNotHaveDuplicates();
    assertThat(inParts).hasSameSizeAs(all);
    assertThat(new HashSet<>(inParts)).isEqualTo(new HashSet<>(all));
  }
}
