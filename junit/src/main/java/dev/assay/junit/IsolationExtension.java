package dev.assay.junit;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;

/** Gives an {@link IsolationTest} its run, and carries it out when the method has described it. */
final class IsolationExtension implements ParameterResolver, InvocationInterceptor {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == WorkloadRun.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    IsolationTest test = test(context);
    WorkloadRun run =
        new WorkloadRun()
            .isolation(test.isolation())
            .sessions(test.sessions())
            .duration(test.duration());
    return test.seed() == IsolationTest.ANY_SEED ? run : run.seed(test.seed());
  }

  @Override
  public void interceptTestMethod(
      Invocation<Void> invocation,
      ReflectiveInvocationContext<Method> method,
      ExtensionContext context)
      throws Throwable {
    invocation.proceed();
    for (Object argument : method.getArguments()) {
      if (argument instanceof WorkloadRun run) {
        run.check().assertHolds(test(context).expect());
        return;
      }
    }
    throw new IllegalStateException(
        "a method with @IsolationTest takes a WorkloadRun, and says on it where to run");
  }

  private static IsolationTest test(ExtensionContext context) {
    return context.getRequiredTestMethod().getAnnotation(IsolationTest.class);
  }
}
