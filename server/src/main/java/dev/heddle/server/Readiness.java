package dev.heddle.server;

import java.time.Duration;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.pool.Pool;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** Whether the node can take jobs: its store answers. Looked at once a second at most, as anybody may ask. */
final class Readiness {

    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private final Pool pool;
    private long lookedAt;
    private boolean looked;
    private @Nullable String trouble;

    Readiness(Pool pool) {
        this.pool = pool;
    }

    /** What a probe gets to see. */
    record Answer(String status) {}

    synchronized Answer answer() {
        if (!looked || System.nanoTime() - lookedAt > FRESH) {
            trouble = look();
            looked = true;
            lookedAt = System.nanoTime();
        }
        if (trouble != null) {
            throw new ControlException(Kind.UNREACHABLE, trouble);
        }
        return new Answer("ready");
    }

    /** Without the store's own words, which may name hosts and files. */
    private @Nullable String look() {
        try {
            pool.nodes();
            return null;
        } catch (StoreException e) {
            return "the store does not answer (" + e.kind() + ")";
        }
    }
}
