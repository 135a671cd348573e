package dev.assay.render.html;

/** A rectangle by its upper left corner and its size. */
record Box(double x, double y, double width, double height) {
  double right() {
    return x + width;
  }

  double bottom() {
    return y + height;
  }

  double middleX() {
    return x + width / 2;
  }

  double middleY() {
    return y + height / 2;
  }

  boolean contains(double px, double py, double margin) {
    return px > x - margin && px < right() + margin && py > y - margin && py < bottom() + margin;
  }

  boolean overlaps(Box other) {
    return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
  }

  /** The smallest box around both. */
  Box and(Box other) {
    double left = Math.min(x, other.x);
    double top = Math.min(y, other.y);
    return new Box(
        left,
        top,
        Math.max(right(), other.right()) - left,
        Math.max(bottom(), other.bottom()) - top);
  }

  Box grown(double margin) {
    return new Box(x - margin, y - margin, width + 2 * margin, height + 2 * margin);
  }

  /** Where the line from the middle to a point leaves the box. */
  double[] exit(double px, double py) {
    double dx = px - middleX();
    double dy = py - middleY();
    if (dx == 0 && dy == 0) {
      return new double[] {middleX(), bottom()};
    }
    double byWidth = dx == 0 ? Double.MAX_VALUE : width / 2 / Math.abs(dx);
    double byHeight = dy == 0 ? Double.MAX_VALUE : height / 2 / Math.abs(dy);
    double part = Math.min(byWidth, byHeight);
    return new double[] {middleX() + dx * part, middleY() + dy * part};
  }
}
