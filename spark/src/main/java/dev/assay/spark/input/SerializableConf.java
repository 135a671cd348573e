package dev.assay.spark.input;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import org.apache.hadoop.conf.Configuration;

/** Settings of Hadoop, for tasks. */
public final class SerializableConf implements Serializable {
  private static final long serialVersionUID = 1;

  private transient Configuration value;

  public SerializableConf(Configuration value) {
    this.value = value;
  }

  public Configuration value() {
    return value;
  }

  private void writeObject(ObjectOutputStream out) throws IOException {
    out.defaultWriteObject();
    value.write(out);
  }

  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    value = new Configuration(false);
    value.readFields(in);
  }
}
