package dev.heddle.process;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Thrown if a process cannot be started. Nothing was started, and nothing is left behind. */
public final class LaunchException extends RuntimeException {

    private final Kind kind;
    private final @Nullable String type;

    /** Why a process could not be started. */
    public enum Kind {
        /** The command or its environment is invalid. */
        INVALID(Exit.CONFIGURATION),
        /** The program does not exist. */
        NOT_FOUND(Exit.NOT_FOUND),
        /** The program exists, but this user cannot execute it. */
        NOT_EXECUTABLE(Exit.NOT_FOUND),
        /** The working directory or the input file cannot be used. */
        BAD_PATH(Exit.CONFIGURATION),
        /** Too little memory or disk space is free, see {@link Headroom}. A later try may succeed. */
        NO_HEADROOM(Exit.FAILED),
        /** The operating system refused to start the process. A later try may succeed. */
        REFUSED(Exit.FAILED);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        /** Returns the exit code that a command line program should report for this failure. */
        public int exitCode() {
            return exitCode;
        }

        /** Returns whether a later try may succeed. */
        public boolean isTransient() {
            return this == NO_HEADROOM || this == REFUSED;
        }
    }

    LaunchException(Kind kind, String message) {
        this(kind, message, null);
    }

    LaunchException(Kind kind, String message, @Nullable Throwable cause) {
        this(kind, message, cause, null);
    }

    private LaunchException(Kind kind, String message, @Nullable Throwable cause, @Nullable String type) {
        super(message, cause);
        this.kind = kind;
        this.type = type;
    }

    /** Returns the same failure, attributed to the job type whose workers cannot be started. */
    public LaunchException ofType(String name) {
        return new LaunchException(kind, "type '" + name + "': " + getMessage(), this, name);
    }

    /** Returns the job type whose workers cannot be started; empty if the failure is not about a job type. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    /** Returns why the process could not be started. */
    public Kind kind() {
        return kind;
    }
}
