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
   * @param at when it begins, after clients do
   * @param node the name of the node, or null for one chosen at random
   */
  public record Step(Duration at, FaultKind kind, String node, Duration lasting) {}

  public boolean isEmpty() {
    return kinds.isEmpty() && steps.isEmpty();
  }

  /** Begins with the plan; the thread ends soon after the run does, with the store healed. */
  Thread start(Faults store, Recorder recorder, Stop stop) {
    if (isEmpty()) {
      return null;
    }
    Thread thread = new Thread(() -> carryOut(store, recorder, stop), "faults");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  private void carryOut(Faults store, Recorder recorder, Stop stop) {
    SplitMix random = new SplitMix(seed);
    PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::nanos));
    Deque<Event> begun = new ArrayDeque<>();
    long began = System.nanoTime();
    int turns = 0;
    if (steps.isEmpty()) {
      events.add(turn(turns++, every.toNanos()));
    }
    for (Step step : steps) {
      events.add(new Event(step.at().toNanos(), step, "fault." + ++turns, -1));
    }
    try {
      while (!events.isEmpty()
          && !stop.await(Math.max(0, began + events.peek().nanos() - System.nanoTime()))) {
        Event event = events.remove();
        if (event.node() >= 0) {
          begun.remove(event);
          end(event, store, recorder);
        } else {
          Event end = begin(event, store, recorder, node(event.step(), store, random));
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
   * @param nanos when, after clients began
   * @param node the place of the node of a fault that ends; negative for one that begins
   */
  private record Event(long nanos, Step step, String name, int node) {}

  private Event turn(int turn, long nanos) {
    Step step = new Step(Duration.ZERO, kinds.get(turn % kinds.size()), null, lasting);
    return new Event(nanos, step, "fault." + (turn + 1), -1);
  }

  private static int node(Step step, Faults store, SplitMix random) {
    List<String> names = store.names();
    if (step.node() != null) {
      return names.indexOf(step.node());
    }
    return step.kind() == FaultKind.FAILOVER ? 0 : random.below(names.size());
  }

  /** Begins a fault; returns its end, or null if it is not possible. */
  private static Event begin(Event event, Faults store, Recorder recorder, int node)
      throws IOException {
    Step step = event.step();
    if (node < 0 || !store.kinds().contains(step.kind())) {
      recorder.metadata(event.name(), step.kind().id() + " was not possible");
      return null;
    }
    String what = step.kind().id() + " of " + store.names().get(node);
    recorder.metadata(event.name(), what + " at " + recorder.now() + " ns");
    store.begin(step.kind(), node);
    return new Event(event.nanos() + step.lasting().toNanos(), step, event.name(), node);
  }

  private static void end(Event event, Faults store, Recorder recorder) throws IOException {
    store.end(event.step().kind(), event.node());
    String what = event.step().kind().id() + " of " + store.names().get(event.node());
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
