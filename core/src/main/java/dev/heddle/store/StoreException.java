package dev.heddle.store;

import dev.heddle.job.HeddleException;
import org.jspecify.annotations.Nullable;

/** Thrown if a store cannot do what it was asked. The message names the store, what happened, and what to do. */
public final class StoreException extends HeddleException {

    /** The kinds of errors. */
    public enum Kind {
        /** Another node uses the store, and it is for one node at a time. */
        IN_USE,
        /** The file or server cannot be reached or opened. */
        UNREACHABLE,
        /** The password is wrong, or a permission is missing. */
        DENIED,
        /** The file or database cannot be written to. */
        READ_ONLY,
        /** The disk is full. */
        FULL,
        /** The data is damaged. */
        CORRUPT,
        /** The data was written by a newer version of Heddle, or not by Heddle at all. */
        FOREIGN,
        /** The store was closed. */
        CLOSED,
        /** A value cannot be stored; trying again does not help. */
        REJECTED,
        /** Anything else. */
        OTHER
    }

    private final Kind kind;

    /** Creates an exception with a cause. */
    public StoreException(Kind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Creates an exception. */
    public StoreException(Kind kind, String message) {
        this(kind, message, null);
    }

    /** Returns the kind of error. */
    public Kind kind() {
        return kind;
    }
}
