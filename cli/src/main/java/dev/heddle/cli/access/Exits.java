package dev.heddle.cli.access;

import dev.heddle.cli.shell.Exit;
import dev.heddle.control.ControlException;
import dev.heddle.store.StoreException;

/** Which exit code a refusal comes to. */
public final class Exits {

    private Exits() {}

    public static Exit of(ControlException.Kind kind) {
        return switch (kind) {
            case INVALID, AMBIGUOUS, TOO_LARGE -> Exit.USAGE;
            case UNAUTHENTICATED, DENIED -> Exit.DENIED;
            case NOT_FOUND -> Exit.NOT_FOUND;
            case UNREACHABLE -> Exit.UNREACHABLE;
            case CONFLICT, FULL, METHOD_NOT_ALLOWED, UNSUPPORTED_MEDIA_TYPE, INTERNAL -> Exit.FAILED;
        };
    }

    public static Exit of(StoreException.Kind kind) {
        return switch (kind) {
            case IN_USE, UNREACHABLE, CLOSED, CORRUPT -> Exit.UNREACHABLE;
            case DENIED, READ_ONLY -> Exit.DENIED;
            case FOREIGN, REJECTED -> Exit.USAGE;
            case FULL, OTHER -> Exit.FAILED;
        };
    }
}
