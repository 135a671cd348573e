package dev.assay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.check.Budget;
import dev.assay.check.Verdict;
import dev.assay.history.HistoryBuilder;
import dev.assay.level.AnomalyType;
import dev.assay.level.Level;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What the README calls stable is what it was in the last release: of the public members of these
 * classes, none is gone or has another signature. New ones are free. A release with a new minor
 * version writes the file anew, with {@code -Dgolden.update=true}.
 */
class StableApiTest {
  private static final Path LAST = Path.of("src/test/resources/dev/assay/api-0.2.0.txt");

  private static final List<Class<?>> STABLE =
      List.of(
          Assay.class,
          Report.class,
          Level.class,
          AnomalyType.class,
          Verdict.class,
          Budget.class,
          HistoryBuilder.class);

  @Test
  void nothingThatCallersCompileAgainstIsGone() throws IOException {
    TreeSet<String> now = new TreeSet<>();
    STABLE.forEach(type -> describe(type, now));
    if (Boolean.getBoolean("golden.update")) {
      Files.write(LAST, now);
    }
    List<String> last = Files.readAllLines(LAST);
    assertThat(last).hasSizeGreaterThan(100);
    assertThat(now).containsAll(last);
  }

  private static void describe(Class<?> type, TreeSet<String> lines) {
    lines.add("class " + type.getName());
    List<Member> members = new ArrayList<>(Arrays.asList(type.getDeclaredMethods()));
    members.addAll(Arrays.asList(type.getDeclaredConstructors()));
    members.addAll(Arrays.asList(type.getDeclaredFields()));
    for (Member member : members) {
      if (Modifier.isPublic(member.getModifiers()) && !member.isSynthetic()) {
        lines.add(
            member instanceof Executable executable
                ? executable.toGenericString()
                : ((Field) member).toGenericString());
      }
    }
    for (Class<?> inner : type.getDeclaredClasses()) {
      if (Modifier.isPublic(inner.getModifiers())) {
        describe(inner, lines);
      }
    }
  }
}
