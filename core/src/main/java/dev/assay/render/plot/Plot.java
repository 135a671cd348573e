package dev.assay.render.plot;

/** A picture of numbers, and the numbers. */
public interface Plot {
  /** The name in addresses and of downloaded files. */
  String name();

  String title();

  /** The picture; elements with something to say carry it in {@code data-tip}. */
  String svg();

  /** The numbers behind it, comma-separated under a line of names. */
  String csv();
}
