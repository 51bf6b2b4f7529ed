package dev.heddle.server;

import java.time.Duration;
import java.util.List;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.pool.Pool;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the node can take jobs, that is, whether its store answers. Checks at most once a second: the probe
 * needs no token.
 */
final class Readiness {

    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private final Pool pool;
    private long checkedAt;
    private boolean checked;
    private @Nullable String problem;

    Readiness(Pool pool) {
        this.pool = pool;
    }

    /** The response to a probe. */
    record Answer(String status) {}

    synchronized Answer answer() {
        if (!checked || System.nanoTime() - checkedAt > FRESH) {
            problem = check();
            checked = true;
            checkedAt = System.nanoTime();
        }
        if (problem != null) {
            throw new ControlException(Kind.UNREACHABLE, problem);
        }
        return new Answer("ready");
    }

    /** Leaves out the message of the store, which may name hosts and files. */
    private @Nullable String check() {
        List<String> down = pool.admin().servicesDown();
        if (!down.isEmpty()) {
            return "a background service failed and is being restarted: " + String.join(", ", down);
        }
        try {
            pool.admin().nodes();
            return null;
        } catch (StoreException e) {
            return "the store does not answer (" + e.kind() + ")";
        }
    }
}
