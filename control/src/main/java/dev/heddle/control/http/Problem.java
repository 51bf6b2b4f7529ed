package dev.heddle.control.http;

import java.util.Locale;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * A {@link ControlException} as problem details (RFC 9457). Maps kinds of failure to HTTP statuses.
 *
 * @param type a URI that identifies the kind
 * @param title the kind in words
 * @param status the HTTP status
 * @param kind the name of the {@link Kind}
 * @param detail what went wrong and what to do next
 */
public record Problem(String type, String title, int status, String kind, String detail) {

    /** The media type of responses that contain problem details. */
    public static final String MEDIA_TYPE = "application/problem+json";

    /** Returns the problem details of an exception. */
    public static Problem of(ControlException e) {
        return of(e.kind(), String.valueOf(e.getMessage()));
    }

    /** Returns problem details with this kind and the status that belongs to it. */
    public static Problem of(Kind kind, String detail) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return new Problem("urn:heddle:problem:" + name.replace('_', '-'),
                kind.name().charAt(0) + name.substring(1).replace('_', ' '), status(kind), kind.name(), detail);
    }

    private static int status(Kind kind) {
        return switch (kind) {
            case INVALID -> 400;
            case UNAUTHENTICATED -> 401;
            case DENIED -> 403;
            case NOT_FOUND -> 404;
            case METHOD_NOT_ALLOWED -> 405;
            case AMBIGUOUS, CONFLICT -> 409;
            case TOO_LARGE -> 413;
            case UNSUPPORTED_MEDIA_TYPE -> 415;
            case FULL -> 429;
            case INTERNAL -> 500;
            case UNREACHABLE -> 503;
        };
    }

    /** Returns the kind for a response without problem details, such as one from a proxy. */
    public static Kind kindOf(int status) {
        for (Kind kind : Kind.values()) {
            if (status(kind) == status) {
                return kind;
            }
        }
        return status < 500 ? Kind.INVALID : status == 500 ? Kind.INTERNAL : Kind.UNREACHABLE;
    }

    /** Returns the exception that these problem details describe. */
    public ControlException toException() {
        return new ControlException(kindNamed(kind), detail);
    }

    private Kind kindNamed(@Nullable String name) {
        for (Kind each : Kind.values()) {
            if (each.name().equals(name)) {
                return each;
            }
        }
        return kindOf(status);
    }
}
