package dev.heddle.store;

import org.jspecify.annotations.Nullable;

/** A store could not do what was asked. The message names the store, what happened and what to do. */
public final class StoreException extends RuntimeException {

    /** What kind of trouble it is. */
    public enum Kind {
        /** Another node has the store. */
        IN_USE,
        /** The file or server can't be reached or opened. */
        UNREACHABLE,
        /** A wrong password, or a right that is missing. */
        DENIED, READ_ONLY, FULL, CORRUPT,
        /** Written by a newer version of Heddle, or not by Heddle at all. */
        FOREIGN,
        /** The store was closed. */
        CLOSED,
        /** One of the values can't be stored; trying again won't help. */
        REJECTED, OTHER
    }

    private final Kind kind;

    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    public Kind kind() {
        return kind;
    }
}
