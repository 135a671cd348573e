package dev.assay.cli.process;

import dev.assay.collect.record.Stop;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Ctrl-C during a run or a search: the first one ends it and lets what there is be used, the next
 * one ends the program. The JDK has signals in a class that compilers warn about, hence by
 * reflection; where there is none, Ctrl-C ends the program at once and the history stays on disk.
 */
public final class Interruption {
  private static final AtomicBoolean ASKED = new AtomicBoolean();

  private final Object previous;

  private Interruption(Object previous) {
    this.previous = previous;
  }

  public static Interruption stopping(Stop stop) {
    return first(() -> stop.because("interrupted"));
  }

  /** The first Ctrl-C does this, the next one ends the program. */
  public static Interruption first(Runnable action) {
    return new Interruption(
        handle(
            () -> {
              if (ASKED.getAndSet(true)) {
                Runtime.getRuntime().exit(130);
              }
              action.run();
            }));
  }

  /** Whether there was a Ctrl-C, after which nothing new is begun. */
  public static boolean wasAsked() {
    return ASKED.get();
  }

  /** Ctrl-C does again what it did before. */
  public void forget() {
    if (previous != null) {
      install(previous);
    }
  }

  private static Object handle(Runnable action) {
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
      return install(proxy);
    } catch (ClassNotFoundException e) {
      return null;
    }
  }

  private static Object install(Object handler) {
    try {
      Class<?> signal = Class.forName("sun.misc.Signal");
      Class<?> handlers = Class.forName("sun.misc.SignalHandler");
      Object interrupt = signal.getConstructor(String.class).newInstance("INT");
      return signal.getMethod("handle", signal, handlers).invoke(null, interrupt, handler);
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return null;
    }
  }
}
