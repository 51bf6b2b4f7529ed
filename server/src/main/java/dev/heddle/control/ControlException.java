package dev.heddle.control;

import org.jspecify.annotations.Nullable;

/** Something that was asked for could not be done; nothing changed. The message says what, and what to do now. */
public final class ControlException extends RuntimeException {

    /** What kind of trouble it is; {@link Problem} says which HTTP status that is. */
    public enum Kind {
        /** The question itself is wrong: a bad value, an unknown field, malformed JSON. */
        INVALID,
        /** No token, or a wrong one. */
        UNAUTHENTICATED,
        /** Known, but not allowed: a foreign host or origin. */
        DENIED,
        /** No such job, worker, queue or route. */
        NOT_FOUND,
        /** The route is there, but not for this method. */
        METHOD_NOT_ALLOWED,
        /** The beginning of an id that more than one has. */
        AMBIGUOUS,
        /** It is there, but in a state where that cannot be done. */
        CONFLICT,
        /** The body is over the limit. */
        TOO_LARGE,
        /** The body is not JSON. */
        UNSUPPORTED_MEDIA_TYPE,
        /** A queue has no room. */
        FULL,
        /** A bug; the log of the node has more. */
        INTERNAL,
        /** The store, or the node, cannot be reached. */
        UNREACHABLE
    }

    private final Kind kind;

    public ControlException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public ControlException(Kind kind, String message) {
        this(kind, message, null);
    }

    static ControlException invalid(String message) {
        return new ControlException(Kind.INVALID, message);
    }

    static ControlException notFound(String message) {
        return new ControlException(Kind.NOT_FOUND, message);
    }

    public Kind kind() {
        return kind;
    }
}
