package dev.assay.spark.cut;

import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import scala.Tuple2;

/**
 * Bytes for several tasks, by their numbers. Spark does much with each record that it shuffles, so
 * that a record is as much as goes from one task to another.
 */
final class Parcels {
  private static final int LEAST_BYTES = 256;

  private final Output[] outputs;

  Parcels(int tasks) {
    outputs = new Output[tasks];
  }

  int tasks() {
    return outputs.length;
  }

  /** Takes what goes to a task. */
  Output to(int task) {
    if (outputs[task] == null) {
      outputs[task] = new Output(LEAST_BYTES, -1);
    }
    return outputs[task];
  }

  /** What there is for each task; what is added from then on is another parcel. */
  List<Tuple2<Integer, byte[]>> take() {
    List<Tuple2<Integer, byte[]>> all = new ArrayList<>();
    for (int task = 0; task < outputs.length; task++) {
      if (outputs[task] != null) {
        all.add(new Tuple2<>(task, outputs[task].toBytes()));
        outputs[task] = null;
      }
    }
    return all;
  }
}
