package dev.heddle.process;

import java.time.Duration;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * How a process ended. Reported once nothing that the process started is left.
 *
 * @param code the exit code; 128 plus the signal number if a signal ended the process
 * @param stopped whether the process was told to stop
 * @param timedOutAfter the time limit of a {@link DetachedProcess} that ended it; null if something else did
 * @param swept how many processes it left behind, all of them killed
 * @param survivors the pids that could not be killed because they belong to another user or hang in the kernel; almost
 *     always empty
 */
public record Exit(int code, boolean stopped, @Nullable Duration timedOutAfter, int swept, List<Long> survivors) {

    /** Exit codes of commands. Heddle exits with the same codes when it reports the end of a command. */
    public static final int CLEAN = 0, FAILED = 1, CONFIGURATION = 2, NOT_FOUND = 3, TIMED_OUT = 124, KILLED = 137,
            TERMINATED = 143;

    /** Copies the list of survivors. */
    public Exit {
        survivors = List.copyOf(survivors);
    }

    /** Returns whether the exit code is 0. */
    public boolean isClean() {
        return code == CLEAN;
    }

    @Override
    public String toString() {
        return switch (code) {
            case CLEAN -> "exit 0";
            case KILLED -> "killed (137)";
            case TERMINATED -> "terminated (143)";
            default -> "exit " + code;
        };
    }
}
