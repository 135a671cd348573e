class Assay < Formula
  desc "Finds out which isolation levels a database really gives"
  homepage "https://assay.dev"
  url "https://assay.dev/releases/v@VERSION@/assay-@VERSION@.jar"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "openjdk@17"

  def install
    libexec.install "assay-@VERSION@.jar" => "assay.jar"
    bin.write_jar_script libexec/"assay.jar", "assay", "-XX:+UseSerialGC -Xmn64m", java_version: "17"
  end

  test do
    (testpath/"h.txt").write "w(1,1,1,1)\nr(1,1,2,2)\n"
    assert_match "ok", shell_output("#{bin}/assay check h.txt")
  end
end
