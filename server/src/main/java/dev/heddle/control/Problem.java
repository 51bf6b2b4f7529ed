package dev.heddle.control;

import java.util.Locale;

import dev.heddle.control.ControlException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * What went wrong, as HTTP says it (RFC 9457). The one place where kinds and statuses meet.
 *
 * @param type a URI that stands for the kind
 * @param title the kind, for people
 * @param kind the {@link Kind}
 * @param detail what happened, and what to do now
 */
public record Problem(String type, String title, int status, String kind, String detail) {

    public static final String MEDIA_TYPE = "application/problem+json";

    public static Problem of(ControlException e) {
        return of(e.kind(), String.valueOf(e.getMessage()));
    }

    public static Problem of(Kind kind, String detail) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return new Problem("urn:heddle:problem:" + name.replace('_', '-'),
                kind.name().charAt(0) + name.substring(1).replace('_', ' '), status(kind), kind.name(),
                detail);
    }

    public static int status(Kind kind) {
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

    /** The kind of an answer that names none, such as one of a proxy. */
    static Kind kindOf(int status) {
        for (Kind kind : Kind.values()) {
            if (status(kind) == status) {
                return kind;
            }
        }
        return status < 500 ? Kind.INVALID : status == 500 ? Kind.INTERNAL : Kind.UNREACHABLE;
    }

    /** The exception that this was made of, on the other side. */
    ControlException toException() {
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
