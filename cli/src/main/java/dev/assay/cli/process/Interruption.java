package dev.assay.cli.process;

import dev.assay.collect.record.Stop;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ctrl-C during a run or a search: the first one ends it and lets what there is be used, the next
 * one ends the program. SIGTERM, by which others end a program, is the same. The JDK has signals in
 * a class that compilers warn about, hence by reflection; where there is none, a signal ends the
 * program at once and the history stays on disk.
 */
public final class Interruption {
  /** The signals, with the exit code of a program that one of them ended. */
  private static final Map<String, Integer> SIGNALS = Map.of("INT", 130, "TERM", 143);

  private static final AtomicBoolean ASKED = new AtomicBoolean();

  /** What handled each signal before; none for a signal that is not handled here. */
  private final Map<String, Object> previous = new HashMap<>();

  private Interruption(Runnable action) {
    SIGNALS.forEach((signal, code) -> handle(signal, () -> asked(action, code)));
  }

  public static Interruption stopping(Stop stop) {
    return first(() -> stop.because("interrupted"));
  }

  /** The first signal does this, the next one ends the program. */
  public static Interruption first(Runnable action) {
    return new Interruption(action);
  }

  private static void asked(Runnable action, int code) {
    if (ASKED.getAndSet(true)) {
      Runtime.getRuntime().exit(code);
    }
    action.run();
  }

  /** Whether there was a signal, after which nothing new is begun. */
  public static boolean wasAsked() {
    return ASKED.get();
  }

  /** Signals do again what they did before. */
  public void forget() {
    previous.forEach(Interruption::install);
  }

  private void handle(String signal, Runnable action) {
    try {
      Class<?> handler = Class.forName("sun.misc.SignalHandler");
      Object proxy =
          Proxy.newProxyInstance(
              handler.getClassLoader(),
              new Class<?>[] {handler},
              (self, method, arguments) -> {
                if (method.getName().equals("handle")) {
                  // Handlers run in their own thread, which must not wait for this one.
                  action.run();
                  return null;
                }
                return method.getName().equals("hashCode") ? System.identityHashCode(self) : null;
              });
      Object before = install(signal, proxy);
      if (before != null) {
        previous.put(signal, before);
      }
    } catch (ClassNotFoundException e) {
      // There are no signals here.
    }
  }

  private static Object install(String name, Object handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handlers = Class.forName("sun.misc.SignalHandler");
      Object handled = signal.getConstructor(String.class).newInstance(name);
      return signal.getMethod("handle", signal, handlers).invoke(null, handled, handler);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return null;
    }
  }
}
