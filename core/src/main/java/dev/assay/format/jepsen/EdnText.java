package dev.assay.format.jepsen;

import java.util.Collection;
import java.util.Map;
import java.util.Set;

/** Writes values that {@link Fressian} decoded as EDN. */
final class EdnText {
  private final StringBuilder out;

  EdnText(StringBuilder out) {
    this.out = out;
  }

  /** Writes a value; one of a type that a history cannot hold becomes its name as a text. */
  void write(Object value) {
    if (value instanceof Map<?, ?> map) {
      out.append('{');
      String gap = "";
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        out.append(gap);
        write(entry.getKey());
        out.append(' ');
        write(entry.getValue());
        gap = " ";
      }
      out.append('}');
    } else if (value instanceof Collection<?> all) {
      boolean set = all instanceof Set<?>;
      out.append(set ? "#{" : "[");
      String gap = "";
      for (Object element : all) {
        out.append(gap);
        write(element);
        gap = " ";
      }
      out.append(set ? '}' : ']');
    } else if (value instanceof Fressian.Tagged || value instanceof byte[]) {
      String type = value instanceof Fressian.Tagged tagged ? tagged.tag() + "" : "bytes";
      JepsenSyntax.EDN.string(out, "a " + type);
    } else {
      JepsenSyntax.EDN.scalar(out, value);
    }
  }

  /** Whether a history can hold everything in a value. */
  static boolean isPlain(Object value) {
    if (value instanceof Map<?, ?> map) {
      return map.entrySet().stream().allMatch(e -> isPlain(e.getKey()) && isPlain(e.getValue()));
    }
    if (value instanceof Collection<?> all) {
      return all.stream().allMatch(EdnText::isPlain);
    }
    return !(value instanceof Fressian.Tagged) && !(value instanceof byte[]);
  }
}
