package dev.assay.collect.kv;

import java.io.IOException;
import java.io.InputStream;

/**
 * Loads classes of Assay that use a library which Assay does not have: what they are called by is
 * Assay's, what they call is the library's.
 */
final class AdapterLoader extends ClassLoader {
  private final ClassLoader library;
  private final String adapter;

  /**
   * @param library where the library is
   * @param adapter the class that uses it; classes inside that one do too
   */
  private AdapterLoader(ClassLoader library, String adapter) {
    super(AdapterLoader.class.getClassLoader());
    this.library = library;
    this.adapter = adapter;
  }

  /** The class by name, which can use the library. */
  static Class<?> load(ClassLoader library, String adapter) throws ClassNotFoundException {
    ClassLoader own = AdapterLoader.class.getClassLoader();
    return library == own
        ? Class.forName(adapter, true, own)
        : Class.forName(adapter, true, new AdapterLoader(library, adapter));
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      if (loaded != null) {
        return loaded;
      }
      if (name.equals(adapter) || name.startsWith(adapter + "$")) {
        return define(name);
      }
      try {
        return super.loadClass(name, resolve);
      } catch (ClassNotFoundException e) {
        return library.loadClass(name);
      }
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
