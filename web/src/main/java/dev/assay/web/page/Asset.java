package dev.assay.web.page;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * A file that pages need. Its address changes with its content, so that browsers may keep it for as
 * long as they like and pages need not wait for it.
 */
public enum Asset {
  STYLE("/dev/assay/web/style.css", Asset.CSS),
  SCRIPT("/dev/assay/web/script.js", Asset.JAVASCRIPT),
  /** The design of reports, which all pages share. */
  REPORT_STYLE("/dev/assay/render/html/report.css", Asset.CSS),
  REPORT_SCRIPT("/dev/assay/render/html/report.js", Asset.JAVASCRIPT);

  private static final String CSS = "text/css; charset=utf-8";
  private static final String JAVASCRIPT = "text/javascript; charset=utf-8";

  private static final int DIGITS = 16;

  private final String file;
  private final String type;
  private final byte[] bytes;
  private final String version;

  Asset(String resource, String type) {
    this.file = resource.substring(resource.lastIndexOf('/') + 1);
    this.type = type;
    try (InputStream in = Asset.class.getResourceAsStream(resource)) {
      this.bytes = in.readAllBytes();
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      this.version = HexFormat.of().formatHex(digest).substring(0, DIGITS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The name in the address. */
  public String file() {
    return file;
  }

  public String type() {
    return type;
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /** What the query of the address says of the content. */
  public String version() {
    return version;
  }

  String href() {
    return "/" + file + "?v=" + version;
  }
}
