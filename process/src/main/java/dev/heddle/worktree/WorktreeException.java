package dev.heddle.worktree;

/** Thrown if a worktree could not be created, or its changes could not be saved. The message says what to do. */
public final class WorktreeException extends RuntimeException {

    private final Kind kind;

    /** Whether a retry can help. */
    public enum Kind {
        /** The repository or the ref does not exist, or git is not installed: a retry will not help. */
        INVALID,
        /** The disk is full, a lock does not go away, git failed: a retry may help. */
        TRANSIENT
    }

    WorktreeException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    WorktreeException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** Returns whether a retry can help. */
    public Kind kind() {
        return kind;
    }
}
