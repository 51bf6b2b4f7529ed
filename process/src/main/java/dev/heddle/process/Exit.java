package dev.heddle.process;

import java.util.List;

/**
 * How a process ended, told when nothing that it started is left.
 *
 * @param code its exit code; 128 and the number of the signal where one ended it
 * @param stopped whether it was told to stop
 * @param swept how many processes it left behind, which were killed
 * @param survivors what could not be killed, by pid: it belongs to another user, or the kernel holds it; hardly ever any
 */
public record Exit(int code, boolean stopped, int swept, List<Long> survivors) {

    /** What a command exits with, and Heddle for it. */
    public static final int CLEAN = 0, FAILED = 1, CONFIGURATION = 2, NOT_FOUND = 3, TIMED_OUT = 124,
            KILLED = 137, TERMINATED = 143;

    public Exit {
        survivors = List.copyOf(survivors);
    }

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
