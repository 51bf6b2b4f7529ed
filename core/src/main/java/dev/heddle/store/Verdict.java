package dev.heddle.store;

/** What became of a {@link Change}. */
public enum Verdict {
    APPLIED,
    /** It had been written before; its answer was lost. */
    REPEATED,
    /** The job was cancelled meanwhile; the attempt is recorded, its result dropped. */
    CANCELLED,
    /** The attempt no longer owns the job; nothing was written. */
    LOST
}
