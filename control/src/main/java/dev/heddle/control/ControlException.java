package dev.heddle.control;

import org.jspecify.annotations.Nullable;

/** Thrown if an operation fails; nothing has changed then. The message says what went wrong and what to do next. */
public final class ControlException extends RuntimeException {

    /** The kinds of failure; {@link dev.heddle.control.http.Problem} maps each to an HTTP status. */
    public enum Kind {
        /** The request is wrong: a bad value, an unknown field, malformed JSON. */
        INVALID,
        /** The token is missing or wrong. */
        UNAUTHENTICATED,
        /** The request is not allowed, such as one from a foreign host or origin. */
        DENIED,
        /** The job, worker, batch, session or path does not exist. */
        NOT_FOUND,
        /** The path exists, but does not support the HTTP method. */
        METHOD_NOT_ALLOWED,
        /** The prefix of an id matches several jobs or workers. */
        AMBIGUOUS,
        /** The state of the job, worker or node does not allow the operation. */
        CONFLICT,
        /** The request body exceeds the limit. */
        TOO_LARGE,
        /** The request body is not JSON. */
        UNSUPPORTED_MEDIA_TYPE,
        /** A queue is full, or too many readers follow the events. */
        FULL,
        /** A bug in Heddle; the log of the node has the details. */
        INTERNAL,
        /** The store or the node cannot be reached. */
        UNREACHABLE
    }

    private final Kind kind;

    /** Creates an exception with the exception that caused it. */
    public ControlException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Creates an exception without a cause. */
    public ControlException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** Returns an exception for a request that is wrong. */
    public static ControlException invalid(String message) {
        return new ControlException(Kind.INVALID, message);
    }

    /** Returns an exception for something that does not exist. */
    public static ControlException notFound(String message) {
        return new ControlException(Kind.NOT_FOUND, message);
    }

    /** Returns the kind of failure. */
    public Kind kind() {
        return kind;
    }
}
