package dev.heddle.pool;

import dev.heddle.job.HeddleException;
import dev.heddle.job.LimitKey;

/** Thrown if a limit that drops new jobs has no room for a job; nothing was submitted. */
public final class LimitReachedException extends HeddleException {

    private final String limit;
    private final String key;

    /** Creates an exception for a key. */
    public LimitReachedException(LimitKey key) {
        super("limit '" + key.limit() + "' has no room for key '" + key.key()
                + "' and drops new jobs; submit again when jobs of the key have ended, or raise the limit");
        this.limit = key.limit();
        this.key = key.key();
    }

    /** Returns the name of the limit. */
    public String limit() {
        return limit;
    }

    /** Returns the key without room. */
    public String key() {
        return key;
    }
}
