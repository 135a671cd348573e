package dev.assay.format.parquet;

/** The values of a column in a row group: numbers or texts, some of which may be missing. */
public final class ParquetColumn {
  /** A column of nothing, as one that the file does not have. */
  static final ParquetColumn MISSING = new ParquetColumn(null, null, null, null);

  private final boolean[] present;
  private final long[] numbers;
  private final int[] places;

  /** All texts; each begins with its length. */
  private final byte[] texts;

  private ParquetColumn(boolean[] present, long[] numbers, int[] places, byte[] texts) {
    this.present = present;
    this.numbers = numbers;
    this.places = places;
    this.texts = texts;
  }

  static ParquetColumn ofNumbers(boolean[] present, long[] numbers) {
    return new ParquetColumn(present, numbers, null, null);
  }

  static ParquetColumn ofTexts(boolean[] present, int[] places, byte[] texts) {
    return new ParquetColumn(present, null, places, texts);
  }

  public boolean has(int row) {
    return present != null && present[row];
  }

  public boolean isNumbers() {
    return numbers != null;
  }

  public long number(int row) {
    return numbers[row];
  }

  /** The bytes of all texts. */
  public byte[] texts() {
    return texts;
  }

  /** Where the text of a row begins among the bytes of all. */
  public int from(int row) {
    return places[row] + Integer.BYTES;
  }

  public int length(int row) {
    return Pages.int32(texts, places[row]);
  }
}
