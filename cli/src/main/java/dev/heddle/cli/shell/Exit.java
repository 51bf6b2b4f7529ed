package dev.heddle.cli.shell;

/** What the command's exit codes mean; scripts rely on them. */
public enum Exit {
    OK(0),
    /** The job, or the command, failed. */
    FAILED(1),
    /** Wrong usage or configuration; nothing was changed. */
    USAGE(2),
    /** A tool, a job, a worker, a file that is not there. */
    NOT_FOUND(3),
    /** A right or a token is missing or wrong. */
    DENIED(4),
    /** The store, or the node, cannot be reached. */
    UNREACHABLE(5),
    /** The time given was over before the job was. */
    TIMED_OUT(124),
    /** By Ctrl-C. */
    INTERRUPTED(130),
    /** By SIGKILL; never returned, only seen. */
    KILLED(137),
    /** By SIGTERM. */
    TERMINATED(143);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    /** What the shell sees. */
    public int code() {
        return code;
    }
}
