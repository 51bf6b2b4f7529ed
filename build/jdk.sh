# Functions of the scripts that run Java: source this file.

major() { # the major version of the JDK in $1, or 0
  "$1/bin/java" -XshowSettings:properties -version 2>&1 | sed -n 's/^ *java.specification.version = \([0-9]*\).*/\1/p' | grep . || echo 0
}

newest_jdk() {
  local home version best=0 found=""
  if [[ -n "${JAVA_HOME:-}" && -x "$JAVA_HOME/bin/java" ]] && (($(major "$JAVA_HOME") >= 25)); then
    echo "$JAVA_HOME"
    return
  fi
  for home in /usr/lib/jvm/*; do
    [[ -x "$home/bin/java" ]] || continue
    version=$(major "$home")
    if ((version >= 25 && version > best)); then
      best=$version found=$home
    fi
  done
  echo "$found"
}
