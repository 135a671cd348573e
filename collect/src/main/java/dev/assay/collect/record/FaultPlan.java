package dev.assay.collect.record;

import dev.assay.collect.client.FaultKind;
import dev.assay.collect.client.Faults;
import dev.assay.collect.workload.SplitMix;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;

/**
 * What is done to a store during a run: kinds of faults in turns, on nodes chosen at random, or the
 * steps of a plan.
 *
 * @param kinds what to do in turns; empty for nothing
 * @param every the time between two faults
 * @param lasting how long a fault lasts
 * @param steps what to do at which time, instead of the kinds; in the order of times
 * @param seed seed of the choice of nodes
 */
public record FaultPlan(
    List<FaultKind> kinds, Duration every, Duration lasting, List<Step> steps, long seed) {
  public static final FaultPlan NONE =
      new FaultPlan(List.of(), Duration.ofSeconds(1), Duration.ZERO, List.of(), 0);

  /**
   * A planned fault.
   *
   * @param at when it begins, after the warm-up of clients
   * @param where the names of nodes, with commas between them; for {@link FaultKind#HALVES} two
   *     such lists with a bar between them. Null for what is chosen at random
   */
  public record Step(Duration at, FaultKind kind, String where, Duration lasting) {}

  public boolean isEmpty() {
    return kinds.isEmpty() && steps.isEmpty();
  }

  /**
   * Begins with the plan; the thread ends soon after the run does, with the store healed.
   *
   * @param warmup how much later than now the plan begins
   */
  Thread start(Faults store, Duration warmup, Recorder recorder, Stop stop) {
    if (isEmpty()) {
      return null;
    }
    Thread thread =
        new Thread(
            () -> carryOut(store, System.nanoTime() + warmup.toNanos(), recorder, stop), "faults");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void carryOut(Faults store, long began, Recorder recorder, Stop stop) {
    SplitMix random = new SplitMix(seed);
    PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::nanos));
    Deque<Event> begun = new ArrayDeque<>();
    int turns = 0;
    if (steps.isEmpty()) {
      events.add(turn(turns++, every.toNanos()));
    }
    for (Step step : steps) {
      events.add(new Event(step.at().toNanos(), step, "fault." + ++turns, null));
    }
    try {
      while (!events.isEmpty()
          && !stop.await(Math.max(0, began + events.peek().nanos() - System.nanoTime()))) {
        Event event = events.remove();
        if (event.nodes() != null) {
          begun.remove(event);
          end(event, store, recorder);
        } else {
          Event end = begin(event, store, recorder, nodes(event.step(), store, random));
          if (end != null) {
            begun.add(end);
            events.add(end);
          }
          if (steps.isEmpty()) {
            events.add(turn(turns++, event.nanos() + lasting.plus(every).toNanos()));
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      stop.failed("the server did not come back: " + e.getMessage(), e);
    } finally {
      heal(begun, store, recorder, stop);
    }
  }

  /**
   * The beginning or the end of a fault.
   *
   * @param nanos when, after the warm-up of clients
   * @param nodes the places of the nodes of a fault that ends; null for one that begins
   */
  private record Event(long nanos, Step step, String name, List<Integer> nodes) {}

  private Event turn(int turn, long nanos) {
    Step step = new Step(Duration.ZERO, kinds.get(turn % kinds.size()), null, lasting);
    return new Event(nanos, step, "fault." + (turn + 1), null);
  }

  /** The places of the nodes of a step; none if the store has no such nodes. */
  private static List<Integer> nodes(Step step, Faults store, SplitMix random) {
    List<String> names = store.names();
    if (step.where() != null) {
      return Places.of(step.where(), names);
    }
    return switch (step.kind()) {
      case FAILOVER -> List.of(0);
      case HALVES -> Places.half(names.size(), random);
      default -> List.of(random.below(names.size()));
    };
  }

  /** Begins a fault; returns its end, or null if it is not possible. */
  private static Event begin(Event event, Faults store, Recorder recorder, List<Integer> nodes)
      throws IOException {
    Step step = event.step();
    if (nodes.isEmpty() || !store.kinds().contains(step.kind())) {
      recorder.metadata(event.name(), step.kind().id() + " was not possible");
      return null;
    }
    String what = what(step, nodes, store);
    recorder.metadata(event.name(), what + " at " + recorder.now() + " ns");
    store.begin(step.kind(), nodes);
    return new Event(event.nanos() + step.lasting().toNanos(), step, event.name(), nodes);
  }

  private static String what(Step step, List<Integer> nodes, Faults store) {
    List<String> names = nodes.stream().map(store.names()::get).toList();
    String listed = String.join(", ", names);
    return step.kind() == FaultKind.HALVES
        ? "partition of " + listed + " from the others"
        : step.kind().id() + " of " + listed;
  }

  private static void end(Event event, Faults store, Recorder recorder) throws IOException {
    store.end(event.step().kind(), event.nodes());
    String what = what(event.step(), event.nodes(), store);
    recorder.metadata(event.name() + ".end", what + " until " + recorder.now() + " ns");
  }

  /** Ends what was begun, so that the final reads see all that is left. */
  private static void heal(Deque<Event> begun, Faults store, Recorder recorder, Stop stop) {
    for (Event event : begun) {
      try {
        end(event, store, recorder);
      } catch (IOException e) {
        stop.failed("the server did not come back: " + e.getMessage(), e);
      }
    }
  }
}
