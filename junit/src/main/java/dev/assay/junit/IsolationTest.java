package dev.assay.junit;

import dev.assay.level.Level;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A test that runs a workload on a database and fails unless the level that is expected holds. Its
 * method takes a {@link WorkloadRun} and says where to run, and what:
 *
 * <pre>{@code
 * @IsolationTest(sessions = 8, duration = "5s", expect = Level.SERIALIZABLE)
 * void listAppend(WorkloadRun run) {
 *   run.on(dataSource).workload(Workload.listAppend().keys(10));
 * }
 * }</pre>
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@Test
@ExtendWith(IsolationExtension.class)
public @interface IsolationTest {
  /** The level that must hold. */
  Level expect();

  /** The level asked of the database, by its SQL name; by default its strongest one. */
  String isolation() default "";

  /** The number of clients. */
  int sessions() default 8;

  /** How long clients begin new transactions: {@code 500ms}, {@code 5s}, {@code 2m}. */
  String duration() default "5s";

  /** The seed of the workload; by default another one in every run. */
  long seed() default ANY_SEED;

  /** Another seed in every run. */
  long ANY_SEED = Long.MIN_VALUE;
}
