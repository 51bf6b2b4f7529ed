package dev.heddle.worktree;

/** A worktree could not be had, or its changes not be saved; the message says what to do. */
public final class WorktreeException extends RuntimeException {

    private final Kind kind;

    /** What kept it from being had. */
    public enum Kind {
        /** The repository, the ref or git itself is not there: trying again will not help. */
        WRONG,
        /** No space left, a lock that does not go away, an error of git: may pass. */
        TROUBLE
    }

    WorktreeException(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    WorktreeException(Kind kind, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    public Kind kind() {
        return kind;
    }
}
