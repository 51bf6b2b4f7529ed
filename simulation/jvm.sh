# What simulate and mutate have in common: source this file.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
. "$root/build/jdk.sh"

# play CLASS ARGUMENT…: builds the simulation and runs a class of it.
play() {
  local jdk
  jdk=$(newest_jdk)
  if [[ -z "$jdk" ]]; then
    echo "the simulation needs a JDK 25 or newer: set JAVA_HOME to one" >&2
    exit 2
  fi
  (cd "$root" && mvn -B -q -DskipTests package -pl simulation -am) >&2
  exec "$jdk/bin/java" -XX:+UseSerialGC -Xmx1g -Xmn256m --add-opens java.base/java.lang=ALL-UNNAMED -Djdk.trackAllThreads=false \
    -XX:+UnlockExperimentalVMOptions -XX:hashCode=2 \
    -cp "$root/simulation/target/classes:$(echo "$root"/simulation/target/lib/*.jar | tr ' ' :)" "$@"
}
