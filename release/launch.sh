# shellcheck shell=bash disable=SC2154
# How a jar of Assay is started: which Java, and with which options. The script ./assay of a checkout
# reads this file, and release/build puts it at the head of the single file of a release.

say() { printf 'assay: %s\n' "$1" >&2; }

# Names of files reach Java only through the locale; plain C would lose other scripts.
# A locale that is named but not installed counts as plain C.
if [ "$(locale charmap 2> /dev/null)" != UTF-8 ]; then export LC_ALL=C.UTF-8; fi

install_command() { # what to run to get a package: Debian's name, Homebrew's, Fedora's
  if command -v apt-get > /dev/null; then
    echo "sudo apt-get install -y $1"
  elif command -v brew > /dev/null; then
    echo "brew install $2"
  else
    echo "sudo dnf install -y $3"
  fi
}

find_java() {
  java=java
  [ -n "${JAVA_HOME:-}" ] && [ -x "$JAVA_HOME/bin/java" ] && java=$JAVA_HOME/bin/java
  if ! command -v "$java" > /dev/null; then
    say "Java 17 or newer is needed; install it with: $(install_command openjdk-17-jdk-headless openjdk java-17-openjdk-devel)"
    exit 254
  fi
}

require_java_17() {
  local version
  version=$("$java" -version 2>&1)
  if [[ $version =~ version\ \"([0-9]+) ]]; then version=${BASH_REMATCH[1]}; else version=; fi
  if [ "${version:-0}" -lt 17 ]; then
    say "Java 17 or newer is needed, and $java is version ${version:-unknown}; install one with: $(install_command openjdk-17-jdk-headless openjdk java-17-openjdk-devel)"
    exit 254
  fi
}

# Whether every argument that names something is a file or a folder and all of them together are small.
is_small() {
  local argument inputs=()
  for argument in "$@"; do
    if [ "$argument" = - ]; then return 1; fi
    if [ -f "$argument" ] || [ -d "$argument" ]; then inputs+=("$argument"); fi
  done
  [ ${#inputs[@]} -eq 0 ] && return 0
  command -v du > /dev/null || return 1
  local kilobytes total=0
  while read -r kilobytes _; do
    total=$((total + kilobytes))
  done < <(du -skL -- "${inputs[@]}" 2> /dev/null)
  [ "$total" -le 65536 ]
}

# Starts the jar with the arguments. An archive of classes and a folder to keep things in are used
# if archive and kept name them.
start() {
  local message compiler collector option heap= young=64 kilobytes half= out_is_terminal=false err_is_terminal=false
  if [ -t 1 ]; then out_is_terminal=true; fi
  if [ -t 2 ]; then err_is_terminal=true; fi

  # A Java that does not start ends with 1, which would read as a violation.
  # shellcheck disable=SC2086
  if [ -n "${ASSAY_JAVA_OPTS:-}" ] && ! message=$("$java" $ASSAY_JAVA_OPTS -version 2>&1); then
    say "Java does not start with ASSAY_JAVA_OPTS=$ASSAY_JAVA_OPTS: $(printf '%s' "$message" | head -n 1)"
    exit 254
  fi

  # Up to about 64 MB of input the optimising compiler costs more than it saves (docs/performance.md).
  # There a loop is worth compiling sooner than the VM thinks and a method later, and to wait for the
  # result costs less than to go on interpreting.
  compiler=
  # A run on a database works for its whole duration, and its throughput is what is measured: there it pays.
  case ${1:-} in
    run | record | bench) ;;
    *) if is_small "$@"; then
      compiler='-XX:TieredStopAtLevel=1 -XX:-BackgroundCompilation -XX:Tier3BackEdgeThreshold=5000
        -XX:Tier3InvocationThreshold=1000 -XX:Tier3MinInvocationThreshold=500 -XX:Tier3CompileThreshold=5000'
    fi ;;
  esac

  # Two things to collect garbage well here: columns are large and live long, so the young
  # generation is kept small and a column never passes through it. Not if the user chose. Of a heap
  # that the user made small it gets a quarter: 64 MB of 64 would leave nothing for what lives long.
  for option in ${ASSAY_JAVA_OPTS:-}; do
    case $option in
      -Xmx*[mM]) heap=${option//[!0-9]/} ;;
      -Xmx*[kK]) heap=$((${option//[!0-9]/} / 1024)) ;;
      -Xmx*) heap= ;;
    esac
  done
  if [ -n "$heap" ] && [ "$heap" -lt 256 ]; then young=$((heap / 4)); fi
  collector="-XX:+UseSerialGC -Xmn${young}m -XX:PretenureSizeThreshold=131072"
  case ${ASSAY_JAVA_OPTS:-} in *-XX:+Use*GC*) collector= ;; esac

  # A command that holds a whole history gets half of the memory, where Java would take a quarter:
  # what does not fit is judged block by block, which is slower. Above 31 GB references are twice as
  # large, and the archive could not be used.
  case ${1:-} in
    check | shrink | convert | stats | elle)
      if [ -r /proc/meminfo ]; then
        read -r _ kilobytes _ < /proc/meminfo
        if [ "$kilobytes" -le 65000000 ]; then half=-XX:MaxRAMPercentage=50; fi
      fi ;;
  esac

  # Without an archive, or with one of another Java, the start is only slower. Neither an archive nor a
  # folder to keep things in is there where the jar was installed by itself. The main class is named,
  # because to look it up in the jar would mean to read the list of its 5,000 files.
  # shellcheck disable=SC2086
  exec "$java" ${archive:+-XX:SharedArchiveFile="$archive" -Xshare:auto} -Xlog:disable -Xlog:all=error:stderr -XX:-UsePerfData \
    $collector $compiler $half \
    ${kept:+-Dassay.home="$kept"} -Dassay.terminal.stdout=$out_is_terminal -Dassay.terminal.stderr=$err_is_terminal \
    ${ASSAY_JAVA_OPTS:-} -cp "$jar" dev.assay.cli.Main "$@"
}
