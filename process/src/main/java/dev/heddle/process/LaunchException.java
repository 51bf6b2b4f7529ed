package dev.heddle.process;

import java.util.Optional;

import org.jspecify.annotations.Nullable;

/** Nothing was started, and why. */
public final class LaunchException extends RuntimeException {

    private final Kind kind;
    private final @Nullable String type;

    /** What stood in the way. */
    public enum Kind {
        /** The command makes no sense. */
        INVALID(Exit.CONFIGURATION),
        /** There is no such program. */
        NOT_FOUND(Exit.NOT_FOUND),
        /** It is there, and is none that this user may execute. */
        NOT_EXECUTABLE(Exit.NOT_FOUND),
        /** The directory to run in, or a file to read or write, is not there. */
        NO_PLACE(Exit.CONFIGURATION),
        /** Too little memory or disk is free, see {@link Headroom}. May be over soon. */
        NO_ROOM(Exit.FAILED),
        /** The operating system refused. */
        REFUSED(Exit.FAILED);

        private final int exitCode;

        Kind(int exitCode) {
            this.exitCode = exitCode;
        }

        /** What to exit with for it. */
        public int exitCode() {
            return exitCode;
        }

        /** Whether another try may go better. */
        public boolean isTransient() {
            return this == NO_ROOM || this == REFUSED;
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

    /** The same, said of a job type whose workers cannot be started. */
    public LaunchException ofType(String name) {
        return new LaunchException(kind, "type '" + name + "': " + getMessage(), this, name);
    }

    /** The job type whose workers cannot be started, where it is about one. */
    public Optional<String> type() {
        return Optional.ofNullable(type);
    }

    public Kind kind() {
        return kind;
    }
}
