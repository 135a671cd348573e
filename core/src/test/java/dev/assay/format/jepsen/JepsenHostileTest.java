package dev.assay.format.jepsen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.format.Formats;
import dev.assay.format.HistoryFormat;
import dev.assay.format.Input;
import dev.assay.format.Mutations;
import dev.assay.format.ParseException;
import dev.assay.format.Written;
import dev.assay.history.History;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class JepsenHostileTest {
  private static final List<String> EDN =
      List.of(
          """
          ; comment
          {:type :invoke, :f :txn, :value [[:append 11 1] [:r 11 nil]], :process 10, :index 0}
          {:type :info, :f :start, :value {:a #{1 2}}, :process :nemesis, :index 1}
          {:type :ok, :f :txn, :value [[:append 11 1] [:r 11 [1 -2 3N]]], :process 10, :time 3}
          INFO a log line
          {:type :invoke, :value [[:w "x\\u00e9" :k] [:r "y"]]} {:type :fail :error [:oops]}
          """,
          """
          [#jepsen.history.Op{:type :ok, :process 0, :value ([:add 1 #inst "2024"] [:r 1 #{1 2}])}
           {:type :info, :process 0, :value [[:inc 2 2] [:r 3 1.5e3] [:r [1 [2]] ##NaN]], :x \\a}
           #_{:discarded [1]} ^{:m 1} {:type :ok :process 12345678901234567890 :value [[:w 4 2M]]}]
          """,
          """
          0	:invoke	:txn	[[:append 1 1] [:r 1 nil]]
          :nemesis	:info	:kill	nil
          0	:ok	:txn	[[:append 1 1] [:r 1 [1]]]	some error
          """);

  private static final List<String> JSON =
      List.of(
          """
          {"index":0,"type":"invoke","process":0,"f":"txn","value":[["append","x",1],["r","x"]]}
          {"index":1,"type":"ok","process":0,"f":"txn","value":[["append","x",1],["r","x",[1,2.5]]]}
          {"type":"info","process":"nemesis","value":{"a":[null,true]},"error":{"b":[1]}}
          """,
          """
          [{":type":":ok",":value":[["w",":k",[1,[2]]],["add",1,12345678901234567890]],"time":-1},
           {"type":"fail","process":null,"value":[["inc",2,2],["r",1,"\\u00e9\\n"]],"error":"x"}]
          """);

  @Test
  void damagedEdnIsReadOrRefusedAndNothingElse() throws ParseException {
    damage(new JepsenEdn(), EDN, 6000);
  }

  @Test
  void damagedJsonIsReadOrRefusedAndNothingElse() throws ParseException {
    damage(new JepsenJson(), JSON, 6000);
  }

  private static void damage(HistoryFormat format, List<String> seeds, int times)
      throws ParseException {
    for (String seed : seeds) {
      History whole = Formats.read(Input.of("seed", seed.getBytes(StandardCharsets.UTF_8)));
      assertThat(whole.origin().format()).isEqualTo(format.id());
      assertThat(whole.transactionCount()).isPositive();
    }
    Random random = new Random(17);
    int refused = 0;
    for (int i = 0; i < times; i++) {
      byte[] seed = seeds.get(i % seeds.size()).getBytes(StandardCharsets.UTF_8);
      byte[] bytes = Mutations.mutate(seed, random);
      try {
        History history = Formats.read(Input.of("damaged", bytes), format);
        // What was read can be written, and read again.
        byte[] written = Written.bytes(format, history);
        History again = Formats.read(Input.of("again", written), format);
        assertThat(again.transactionCount()).isEqualTo(history.transactionCount());
      } catch (ParseException e) {
        refused++;
        assertThat(e.getMessage()).isNotBlank();
        assertThat(e.expected()).isNotBlank();
      } catch (IOException | RuntimeException | StackOverflowError e) {
        throw new AssertionError("try " + i + ": " + new String(bytes, StandardCharsets.UTF_8), e);
      }
    }
    assertThat(refused).isBetween(times / 4, times - times / 50);
  }

  @Test
  void aVectorOfTensOfMegabytesOnOneLineIsReadInPieces() throws ParseException {
    int pairs = 200_000;
    History h =
        Formats.read(Input.of("-", new Repeated("[", pairs, JepsenHostileTest::pairInEdn, "]")));
    assertThat(h.transactionCount()).isEqualTo(pairs);
    assertThat(h.position(pairs - 1)).isEqualTo(1);
    assertThat(h.ownId(pairs - 1)).isEqualTo(2L * pairs - 1);
    assertThat(h.sequences().count()).isEqualTo(pairs);
  }

  @Test
  void anArrayOfTensOfMegabytesOnOneLineIsReadInPieces() throws ParseException {
    int pairs = 200_000;
    History h =
        Formats.read(Input.of("-", new Repeated("[", pairs, JepsenHostileTest::pairInJson, "]")));
    assertThat(h.transactionCount()).isEqualTo(pairs);
    assertThat(h.sequences().count()).isEqualTo(pairs);
  }

  private static String pairInEdn(int i) {
    return ("{:type :invoke :process %d :value [[:append 1 %d] [:r 1 nil]]} "
            + "{:type :ok :process %d :value [[:append 1 %d] [:r 1 [1 2 3 4 5 6 7 8 9]]]}")
        .formatted(i % 7, i, i % 7, i);
  }

  private static String pairInJson(int i) {
    return ("%s{\"type\":\"invoke\",\"process\":%d,\"value\":[[\"append\",1,%d],[\"r\",1]]},"
            + "{\"type\":\"ok\",\"process\":%d,\"value\":[[\"append\",1,%d],[\"r\",1,[1,2,3,4]]]}")
        .formatted(i == 0 ? "" : ",", i % 7, i, i % 7, i);
  }

  /** A stream that makes its content as it is read. */
  private static final class Repeated extends InputStream {
    private final int times;
    private final IntFunction<String> piece;
    private final String last;
    private byte[] current;
    private int pos;
    private int next;

    Repeated(String first, int times, IntFunction<String> piece, String last) {
      this.current = first.getBytes(StandardCharsets.UTF_8);
      this.times = times;
      this.piece = piece;
      this.last = last;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      if (pos == current.length) {
        if (next > times) {
          return -1;
        }
        String text = next == times ? last : piece.apply(next);
        next++;
        current = text.getBytes(StandardCharsets.UTF_8);
        pos = 0;
      }
      int n = Math.min(length, current.length - pos);
      System.arraycopy(current, pos, buffer, offset, n);
      pos += n;
      return n;
    }
  }
}
