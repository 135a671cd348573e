package dev.assay.collect.plugin;

/** Why the plug-in folder cannot be used; the message is for the user. */
public final class PluginException extends Exception {
  private static final long serialVersionUID = 1;

  PluginException(String message, Throwable cause) {
    super(message, cause);
  }
}
