package dev.heddle.cli.shell;

import dev.heddle.control.ControlException;
import dev.heddle.store.StoreException;

/** The exit codes of the command line. Scripts rely on them. */
public enum ExitCode {
    OK(0),
    /** The job or the command failed. */
    FAILED(1),
    /** Invalid usage or configuration; nothing was changed. */
    USAGE(2),
    /** A job, worker, file or program does not exist. */
    NOT_FOUND(3),
    /** A permission is missing, or the token is wrong. */
    DENIED(4),
    /** The store or the node cannot be reached. */
    UNREACHABLE(5),
    /** The job did not end within the given time. */
    TIMED_OUT(124),
    /** Stopped by Ctrl-C. */
    INTERRUPTED(130),
    /** Killed by SIGKILL. Never returned, only observed by callers. */
    KILLED(137),
    /** Stopped by SIGTERM. */
    TERMINATED(143);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** Returns the number that the shell sees. */
    public int code() {
        return code;
    }

    /** Returns the exit code for a request that the control API rejected. */
    public static ExitCode of(ControlException.Kind kind) {
        return switch (kind) {
            case INVALID, AMBIGUOUS, TOO_LARGE -> USAGE;
            case UNAUTHENTICATED, DENIED -> DENIED;
            case NOT_FOUND -> NOT_FOUND;
            case UNREACHABLE -> UNREACHABLE;
            case CONFLICT, FULL, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE, INTERNAL -> FAILED;
        };
    }

    /** Returns the exit code for an error of the store. */
    public static ExitCode of(StoreException.Kind kind) {
        return switch (kind) {
            case IN_USE, UNREACHABLE, CLOSED, CORRUPT -> UNREACHABLE;
            case DENIED, READ_ONLY -> DENIED;
            case FOREIGN, REJECTED -> USAGE;
            case FULL, OTHER -> FAILED;
        };
    }
}
