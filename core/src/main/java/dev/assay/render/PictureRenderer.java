package dev.assay.render;

import java.io.IOException;

/** Draws witnesses. */
public interface PictureRenderer {
  /** Adds the witnesses of one input. */
  void add(CheckResult result) throws IOException;

  /** Ends the drawing. */
  void finish() throws IOException;
}
