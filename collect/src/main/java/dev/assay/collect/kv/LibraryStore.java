package dev.assay.collect.kv;

import dev.assay.collect.client.Client;
import dev.assay.collect.client.ClientException;
import dev.assay.collect.client.Cluster;
import dev.assay.collect.client.Isolation;
import dev.assay.collect.client.Node;
import dev.assay.collect.client.Opening;
import dev.assay.collect.client.SessionSpec;
import dev.assay.collect.server.ServerException;
import dev.assay.collect.server.TemporaryFolder;
import dev.assay.collect.server.Versions;
import dev.assay.history.OpKind;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A store that is a Java library, used in this process, with its files in a temporary folder. */
abstract class LibraryStore implements Client {
  private final String id;
  private final String title;
  private final List<Isolation> isolations;

  LibraryStore(String id, String title, List<Isolation> isolations) {
    this.id = id;
    this.title = title;
    this.isolations = List.copyOf(isolations);
  }

  /** The name of its version among {@link Versions}. */
  abstract String versionName();

  /** Maven coordinates of the library, without the version. */
  abstract String artifact();

  /** A class of the library. */
  abstract String marker();

  /**
   * The class that uses the library: an {@link Engine} with a public constructor that takes the
   * folder and {@link #id}.
   */
  abstract String adapter();

  @Override
  public String id() {
    return id;
  }

  @Override
  public String title() {
    return title;
  }

  @Override
  public List<Isolation> isolations() {
    return isolations;
  }

  @Override
  public Set<OpKind.Type> types() {
    return EnumSet.of(OpKind.Type.REGISTER, OpKind.Type.LIST, OpKind.Type.SET);
  }

  @Override
  public boolean locksReads() {
    return true;
  }

  @Override
  public boolean isEmbedded() {
    return true;
  }

  @Override
  public Cluster open(Opening opening) throws IOException {
    if (!opening.target().isEmbedded()) {
      throw new ServerException(title + " runs in this process, and takes no address");
    }
    String asked = opening.target().version();
    String version = Versions.of(versionName(), asked);
    List<String> markers =
        asked == null ? List.of(marker().replace('.', '/') + ".class") : List.of();
    ClassLoader library =
        opening.fetcher().loader(title, List.of(artifact() + ":" + version), markers);
    TemporaryFolder folder = TemporaryFolder.create("assay-" + id);
    try {
      Engine engine = engine(library, folder.path());
      return new KeyValueCluster(
          this,
          List.of(new Node(Node.Role.NODE, "in this process")),
          new KeyValueCluster.Means() {
            @Override
            public KeyValues connect(int node, SessionSpec spec) throws ClientException {
              return engine.open(node, spec);
            }

            @Override
            public String describe() {
              return title + " " + version;
            }

            @Override
            public void close() {
              engine.close();
              folder.close();
            }
          });
    } catch (IOException | RuntimeException e) {
      folder.close();
      throw e;
    }
  }

  private Engine engine(ClassLoader library, Path folder) throws IOException {
    try {
      Constructor<?> constructor =
          AdapterLoader.load(library, adapter()).getConstructor(Path.class, String.class);
      return (Engine) constructor.newInstance(folder, id);
    } catch (InvocationTargetException e) {
      throw new ServerException(title + " did not start: " + e.getCause(), e);
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new ServerException("the library of " + title + " does not load: " + e, e);
    }
  }
}
