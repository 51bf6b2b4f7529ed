# Reads Maven's output and prints one line per module, and every failure in full.
function close_module() {
  if (module != "") {
    printf "  %-12s %5d tests  %4d s%s\n", module, tests, systime() - started, failed ? "   FAILED" : ""
    fflush()
  }
  module = ""; tests = 0; failed = 0
}
/^\[INFO\] Building Heddle :: / { close_module(); module = $5; started = systime() }
/^\[(INFO|WARNING|ERROR)\] Tests run: [0-9]+, Failures: [0-9]+, Errors: [0-9]+, Skipped: [0-9]+$/ {
  tests += substr($4, 1, length($4) - 1)
}
/^\[INFO\] (Reactor Summary|BUILD)/ { close_module() }
# A failed test, with its stack; a compiler's or a plugin's error.
/<<< (FAILURE|ERROR)!$/ { showing = 1; failed = 1 }
showing && (/^\[INFO\]/ || /^\[ERROR\] Tests run:/ || /^\[ERROR\] (Failures|Errors): $/) { showing = 0 }
showing { print; fflush(); next }
/^\[ERROR\] .*\.java:\[/ || /^\[WARNING\] .*\.java:\[/ || /^\[ERROR\] Failed to execute goal/ { failed = 1; print; fflush() }
END { close_module() }
