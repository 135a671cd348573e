package dev.assay.spark;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.serializers.JavaSerializer;
import dev.assay.spark.cut.Carried;
import dev.assay.spark.input.Survey;
import dev.assay.spark.judge.WindowBlock;
import org.apache.spark.serializer.KryoRegistrator;

/**
 * Tells Kryo of the classes that are shuffled, so that it writes numbers instead of their names.
 */
public final class Registrator implements KryoRegistrator {
  /** Called by Spark. */
  public Registrator() {}

  @Override
  public void registerClasses(Kryo kryo) {
    kryo.register(Carried.class);
    kryo.register(Carried.Kind.class);
    kryo.register(byte[][].class);
    kryo.register(WindowBlock.class);
    // An exception is its own cause, which Kryo understands only if it looks at each reference.
    kryo.register(Survey.class, new JavaSerializer());
    // Kryo's own serializer cannot set the fields of a record.
    kryo.register(Plan.Size.class, new JavaSerializer());
  }
}
