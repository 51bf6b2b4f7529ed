package dev.heddle.job;

import java.util.Locale;

/** How firmly the jobs of a client's session stay on one worker. */
public enum Affinity {
    /** On the session's worker if that is free, else on any. */
    HINT,
    /** On the session's worker only; they wait for it. A worker that is lost takes its sessions along. */
    STRICT_QUEUE,
    /** On the session's worker only; they fail if it is busy. A worker that is lost takes its sessions along. */
    STRICT_FAIL;

    public boolean isStrict() {
        return this != HINT;
    }

    /** As people write it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
