package dev.assay.format.jepsen;

import dev.assay.history.Keyword;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;

/** The two ways to write a Jepsen operation. */
enum JepsenSyntax {
  EDN(" ", "nil", "#{", "}") {
    @Override
    void field(StringBuilder out, String name, boolean first) {
      out.append(first ? ":" : ", :").append(name).append(' ');
    }

    @Override
    void name(StringBuilder out, String name) {
      out.append(':').append(name);
    }

    @Override
    void number(StringBuilder out, Number number) {
      out.append(number);
      if (number instanceof BigInteger) {
        out.append('N');
      } else if (number instanceof BigDecimal) {
        out.append('M');
      }
    }

    @Override
    void notFinite(StringBuilder out, double number) {
      out.append(Double.isNaN(number) ? "##NaN" : number > 0 ? "##Inf" : "##-Inf");
    }

    @Override
    boolean keeps(Object value) {
      return value instanceof List<?> list
          ? list.stream().allMatch(this::keeps)
          : !(value instanceof Keyword keyword) || JsonOps.isKeyword(keyword.toString());
    }
  },

  JSON(",", "null", "[", "]") {
    @Override
    void field(StringBuilder out, String name, boolean first) {
      out.append(first ? "\"" : ",\"").append(name).append("\":");
    }

    @Override
    void name(StringBuilder out, String name) {
      out.append('"').append(name).append('"');
    }

    @Override
    void number(StringBuilder out, Number number) {
      out.append(number);
    }

    @Override
    void notFinite(StringBuilder out, double number) {
      string(out, Double.toString(number));
    }

    @Override
    boolean keeps(Object value) {
      if (value instanceof List<?> list) {
        return list.stream().allMatch(this::keeps);
      }
      if (value instanceof Double number) {
        return Double.isFinite(number);
      }
      if (value instanceof BigDecimal decimal) {
        return EdnScalars.decimal(decimal).equals(decimal);
      }
      if (value instanceof String text) {
        return !JsonOps.isKeyword(text);
      }
      return !(value instanceof Keyword keyword) || JsonOps.isKeyword(keyword.toString());
    }
  };

  final String separator;
  final String nil;
  final String openSet;
  final String closeSet;

  JepsenSyntax(String separator, String nil, String openSet, String closeSet) {
    this.separator = separator;
    this.nil = nil;
    this.openSet = openSet;
    this.closeSet = closeSet;
  }

  /** Writes the name of a field of an operation and what precedes its value. */
  abstract void field(StringBuilder out, String name, boolean first);

  /** Writes a name of Jepsen's own, such as that of a type. */
  abstract void name(StringBuilder out, String name);

  abstract void number(StringBuilder out, Number number);

  abstract void notFinite(StringBuilder out, double number);

  /** Whether this value reads back as itself. */
  abstract boolean keeps(Object value);

  /** Writes a scalar of a history. */
  void scalar(StringBuilder out, Object value) {
    if (value == null) {
      out.append(nil);
    } else if (value instanceof Double number && !Double.isFinite(number)) {
      notFinite(out, number);
    } else if (value instanceof Number number) {
      number(out, number);
    } else if (value instanceof Boolean) {
      out.append(value);
    } else if (value instanceof Keyword keyword) {
      if (this == EDN && keeps(keyword)) {
        out.append(keyword);
      } else {
        string(out, keyword.toString());
      }
    } else if (value instanceof List<?> list) {
      out.append('[');
      String before = "";
      for (Object element : list) {
        out.append(before);
        scalar(out, element);
        before = separator;
      }
      out.append(']');
    } else {
      string(out, value.toString());
    }
  }

  /** Writes a string; what EDN and JSON escape, and how, is the same. */
  void string(StringBuilder out, String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"', '\\' -> out.append('\\').append(c);
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          // Surrogates are escaped because half a pair has no encoding.
          if (c < ' ' || Character.isSurrogate(c)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
