package dev.assay.driver;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Where in the application a statement was executed.
 *
 * @param frames the methods of the application on the stack, the innermost first
 */
record CallSite(List<Frame> frames) {
  /** Maximum number of methods that are kept. */
  private static final int MAX_FRAMES = 32;

  /** Packages of the platform, of pools and of frameworks, which are not the application. */
  private static final String[] LIBRARIES = {
    "java.",
    "javax.",
    "jakarta.",
    "jdk.",
    "sun.",
    "com.sun.",
    "kotlin.",
    "kotlinx.",
    "scala.",
    "groovy.",
    "clojure.",
    "org.springframework.",
    "org.hibernate.",
    "org.eclipse.persistence.",
    "org.apache.",
    "org.mybatis.",
    "com.baomidou.",
    "org.jooq.",
    "org.jdbi.",
    "com.querydsl.",
    "io.ebean.",
    "com.zaxxer.hikari.",
    "com.mchange.",
    "com.alibaba.druid.",
    "io.agroal.",
    "io.quarkus.",
    "io.micronaut.",
    "io.vertx.",
    "io.netty.",
    "oracle.ucp.",
    "net.ttddyy.",
    "com.p6spy.",
    "org.junit.",
    "org.testng.",
    "org.aopalliance.",
    "net.bytebuddy.",
    "com.google.inject.",
    "reactor.",
    "dev.assay.driver."
  };

  /** By class, because few classes call and there are many libraries. */
  private static final Map<String, Boolean> IN_APPLICATION = new ConcurrentHashMap<>();

  private static final StackWalker WALKER = StackWalker.getInstance();

  /** A method on the stack; equal where class and method are. */
  record Frame(String type, String method, String file, int line) {
    boolean sameMethod(Frame other) {
      return type.equals(other.type) && method.equals(other.method);
    }

    String simpleType() {
      return type.substring(type.lastIndexOf('.') + 1);
    }

    /** As in a stack trace, which development environments turn into a link. */
    @Override
    public String toString() {
      return type + "." + method + "(" + file + (line > 0 ? ":" + line : "") + ")";
    }
  }

  /** The place that calls the driver now. */
  static CallSite here(List<String> application) {
    return new CallSite(
        WALKER.walk(
            stack ->
                stack
                    .filter(frame -> isOfApplication(frame.getClassName(), application))
                    .limit(MAX_FRAMES)
                    .map(CallSite::frame)
                    .toList()));
  }

  private static boolean isOfApplication(String type, List<String> application) {
    return application.isEmpty()
        ? IN_APPLICATION.computeIfAbsent(type, name -> decide(name, application))
        : decide(type, application);
  }

  private static boolean decide(String type, List<String> application) {
    if (type.contains("$$") || type.contains("$Proxy")) {
      return false;
    }
    if (!application.isEmpty()) {
      for (String prefix : application) {
        if (type.startsWith(prefix)) {
          return true;
        }
      }
      return false;
    }
    for (String library : LIBRARIES) {
      if (type.startsWith(library)) {
        return false;
      }
    }
    return true;
  }

  private static Frame frame(StackWalker.StackFrame frame) {
    String method = frame.getMethodName();
    if (method.startsWith("lambda$")) {
      // The method that the lambda is written in.
      method = method.substring("lambda$".length(), Math.max(7, method.lastIndexOf('$')));
    }
    String file = frame.getFileName() == null ? "?" : frame.getFileName();
    return new Frame(frame.getClassName(), method, file, frame.getLineNumber());
  }

  /** The innermost method of the application, or null if there is none. */
  Frame innermost() {
    return frames.isEmpty() ? null : frames.get(0);
  }

  /**
   * In words, as in a stack trace: the innermost call, and where it comes from in a method that
   * contains it, given by its number of frames; null if nothing is known.
   */
  String text(int outer) {
    if (frames.isEmpty()) {
      return null;
    }
    int from = frames.size() - outer;
    return from <= 0 || outer <= 0
        ? innermost().toString()
        : innermost() + " from " + frames.get(from);
  }

  /** The innermost method that this place and another have in common; both are within it. */
  CallSite common(CallSite other) {
    int mine = frames.size();
    int theirs = other.frames.size();
    int same = 0;
    while (same < mine
        && same < theirs
        && frames.get(mine - 1 - same).sameMethod(other.frames.get(theirs - 1 - same))) {
      same++;
    }
    return same == 0 ? this : new CallSite(frames.subList(mine - same, mine));
  }
}
