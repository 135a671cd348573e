package dev.assay.render;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class OutOfMemoryTest {
  /** Text that memory does not suffice for from some line on, once. */
  private static final class Short implements Appendable {
    private final StringBuilder text = new StringBuilder();
    private final String last;
    private boolean ended;

    Short(String last) {
      this.last = last;
    }

    @Override
    public Appendable append(CharSequence some) {
      if (!ended && some.toString().contains(last)) {
        ended = true;
        throw new OutOfMemoryError("Java heap space");
      }
      text.append(some);
      return this;
    }

    @Override
    public Appendable append(CharSequence some, int start, int end) {
      return append(some.subSequence(start, end));
    }

    @Override
    public Appendable append(char one) {
      text.append(one);
      return this;
    }
  }

  @Test
  void theVerdictIsPrintedWhereMemoryDoesNotSufficeForItsWitnesses() throws IOException {
    Short out = new Short("✗");
    new TextRenderer(TextRenderer.Options.brief(false, true), out).render(Sample.writeSkew());
    assertThat(out.text)
        .contains("what was found is not shown: out of memory", "ASSAY_JAVA_OPTS", "violated: ");
  }
}
