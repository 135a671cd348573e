package dev.assay.format.jepsen;

import dev.assay.history.Keyword;
import java.math.BigDecimal;
import java.math.BigInteger;
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
    if (value instanceof Keyword keyword) {
      out.append(keyword);
    } else if (value instanceof Map<?, ?> map) {
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
    } else if (value instanceof Double number) {
      out.append(number.isNaN() ? "##NaN" : number.isInfinite() ? infinite(number) : number);
    } else if (value instanceof BigInteger) {
      out.append(value).append('N');
    } else if (value instanceof BigDecimal) {
      out.append(value).append('M');
    } else if (value == null || value instanceof Long || value instanceof Boolean) {
      out.append(value == null ? "nil" : value);
    } else if (value instanceof String text) {
      JepsenSyntax.EDN.string(out, text);
    } else {
      String type = value instanceof Fressian.Tagged tagged ? tagged.tag() + "" : "bytes";
      JepsenSyntax.EDN.string(out, "a " + type);
    }
  }

  private static String infinite(double number) {
    return number > 0 ? "##Inf" : "##-Inf";
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
