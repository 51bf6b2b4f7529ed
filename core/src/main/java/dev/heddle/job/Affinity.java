package dev.heddle.job;

import java.util.Locale;

/** How strictly the jobs of a client's session stay on one worker. */
public enum Affinity {
    /** The job runs on the session's worker if that is idle, and on any other worker if not. */
    HINT,
    /** The job runs on the session's worker only and waits for it. If the worker is lost, so are its sessions. */
    STRICT_QUEUE,
    /**
     * The job runs on the session's worker only and fails if it is busy. If the worker is lost, so are its sessions.
     */
    STRICT_FAIL;

    /** Returns whether jobs run on the session's worker only. */
    public boolean isStrict() {
        return this != HINT;
    }

    /** Returns the name in lower case, as configuration files have it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
