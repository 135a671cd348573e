package dev.assay.driver;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** Objects that stand before those of the driver behind. */
final class Proxies {
  private Proxies() {}

  static <T> T of(Class<T> type, InvocationHandler handler) {
    return type.cast(
        Proxy.newProxyInstance(AssayDriver.class.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** Calls the object behind; what it throws comes out as it is. */
  static Object call(Object target, Method method, Object... arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** What every object has; null for other methods. */
  static Object ofObject(Object proxy, Object target, Method method, Object[] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && arguments.length == 1 ? proxy == arguments[0] : null;
      case "hashCode" -> arguments == null ? System.identityHashCode(proxy) : null;
      case "toString" -> arguments == null ? target.toString() : null;
      default -> null;
    };
  }

  /** What is asked for by {@code unwrap}: this object if it will do, else the one behind. */
  static boolean isWrapped(Method method) {
    return method.getName().equals("unwrap") || method.getName().equals("isWrapperFor");
  }
}
