#!/usr/bin/env bash
# What the GitHub Action runs; any other CI can run it too. All input comes from the environment, see
# action.yml: ASSAY_PATHS or ASSAY_RUN, ASSAY_EXPECT, ASSAY_ARGUMENTS, ASSAY_VERSION or ASSAY_JAR,
# ASSAY_REPORT; ASSAY_RELEASES is where releases are, if not at the project's own address. Ends with
# the exit code of Assay: 0 all levels hold, 1 violated, 2 unknown, 254 bad input.
set -uo pipefail

fail() {
  local text=${1//%/%25}
  text=${text//$'\r'/%0D}
  echo "::error::${text//$'\n'/%0A}"
  exit 254
}

# What a history says is printed, and must not be taken for a command to GitHub.
quiet= # the word that ends the silence
if [ -n "${GITHUB_ACTIONS:-}" ]; then quiet=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n'); fi
deaf() { if [ -n "$quiet" ]; then echo "::stop-commands::$quiet"; fi; }
alert() { if [ -n "$quiet" ]; then echo "::$quiet::"; fi; }

jar=${ASSAY_JAR:-}
if [ -z "$jar" ]; then
  version=${ASSAY_VERSION:?set ASSAY_VERSION or ASSAY_JAR}
  jar=${XDG_CACHE_HOME:-$HOME/.cache}/assay/assay-$version.jar
  if [ ! -f "$jar" ]; then
    mkdir -p "$(dirname "$jar")"
    base=${ASSAY_RELEASES:-https://assay.dev/releases}
    curl -fsSL -o "$jar.part" "$base/v$version/assay-$version.jar" || fail "assay $version cannot be fetched from $base"
    curl -fsSL -o "$jar.sums" "$base/v$version/SHA256SUMS" || fail "the checksums of assay $version cannot be fetched"
    expected=$(awk -v name="assay-$version.jar" '$2 == name { print $1 }' "$jar.sums")
    sum=$(sha256sum "$jar.part" 2> /dev/null || shasum -a 256 "$jar.part")
    [ "${sum%% *}" = "$expected" ] || fail "the checksum of assay-$version.jar is wrong"
    mv "$jar.part" "$jar"
  fi
fi
[ -f "$jar" ] || fail "there is no jar $jar"
command -v java > /dev/null || fail "Java 17 or newer is needed; add a step that sets it up"

report=${ASSAY_REPORT:-assay-report}
mkdir -p "$report"
# Words in these are separate arguments; of paths in several lines each line is one.
# shellcheck disable=SC2206
arguments=(${ASSAY_ARGUMENTS:-}) run=(${ASSAY_RUN:-}) paths=()
case ${ASSAY_PATHS:-} in
  *$'\n'*) while IFS= read -r line; do
    if [ -n "$line" ]; then paths+=("$line"); fi
  done <<< "$ASSAY_PATHS" ;;
  # shellcheck disable=SC2206
  *) paths=(${ASSAY_PATHS:-}) ;;
esac
if [ -n "${ASSAY_EXPECT:-}" ]; then arguments+=(--expect "$ASSAY_EXPECT"); fi
assay() { java -XX:+UseSerialGC -Xmn64m -jar "$jar" "$@"; }

if [ ${#run[@]} -gt 0 ]; then
  deaf
  assay run ${run[@]+"${run[@]}"} --out "$report/history.assay" --report "$report/report.html"
  code=$?
  alert
  [ $code -le 2 ] || fail "assay run failed"
  paths=("$report/history.assay")
fi
[ ${#paths[@]} -gt 0 ] || fail "nothing to do: name histories in paths, or a database in run"

deaf
assay check --output json ${arguments[@]+"${arguments[@]}"} -- "${paths[@]}" > "$report/results.jsonl"
code=$?
alert
# An annotation for each kind of anomaly, at the first transaction of its first witness, and one for
# each history that cannot be read.
if command -v jq > /dev/null; then
  jq -r '
    def text: gsub("%"; "%25") | gsub("\r"; "%0D") | gsub("\n"; "%0A");
    def property: text | gsub(":"; "%3A") | gsub(","; "%2C");
    (.file | property) as $file
    | if .error then "::error file=\($file),line=\(.error.line // 1)::\(.error.message | text)"
      else .anomalies[]?
        | "::error file=\($file),line=\(.witnesses[0].transactions[0].line // 1),title=\(.type | property)::"
          + ("\(.name // .type) (\(if .countIsLowerBound then "at least " else "" end)\(.count)): violates \(.violates | join(", "))" | text)
      end' "$report/results.jsonl"
fi
# A run has its page already; on a cluster there is none.
page=() # quoted so below, because the bash of macOS takes an empty array for an unset one
case " ${arguments[*]-} ${run[*]-}" in
  *" --report"* | *" --on"* | *" --summary"*) ;;
  *) [ ${#run[@]} -gt 0 ] || page=(--report "$report/report.html") ;;
esac
deaf
assay check ${arguments[@]+"${arguments[@]}"} ${page[@]+"${page[@]}"} -- "${paths[@]}" > "$report/results.txt"
cat "$report/results.txt"
alert
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then # as it is, not as Markdown
  { echo '````````' && cat "$report/results.txt" && echo '````````'; } >> "$GITHUB_STEP_SUMMARY"
fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then echo "code=$code" >> "$GITHUB_OUTPUT"; fi
exit "$code"
