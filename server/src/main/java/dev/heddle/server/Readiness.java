package dev.heddle.server;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.pool.Pool;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the node can take jobs: its services run and its store accepts writes. Checks at most once a second,
 * because the probe needs no token, and answers in time even if the store does not.
 */
final class Readiness {

    private static final long FRESH = Duration.ofSeconds(1).toNanos();
    private static final Duration LONGEST = Duration.ofSeconds(2);

    private final Pool pool;
    private final Executor threads;
    private long checkedAt;
    private @Nullable CompletableFuture<Optional<String>> check;

    Readiness(Pool pool, Executor threads) {
        this.pool = pool;
        this.threads = threads;
    }

    /** The response to a probe. */
    record Answer(String status) {}

    Answer answer() throws InterruptedException {
        Optional<String> problem = problem();
        if (problem.isPresent()) {
            throw new ControlException(Kind.UNREACHABLE, problem.get());
        }
        return new Answer("ready");
    }

    private Optional<String> problem() throws InterruptedException {
        try {
            return current().get(LONGEST.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return Optional.of("the store does not answer");
        } catch (ExecutionException e) {
            return Optional.of(e.getCause() instanceof StoreException failed
                    ? "the store does not answer (" + failed.kind() + ")" : "the check failed");
        }
    }

    /** Returns the last check if it is recent or still under way, otherwise a new one. */
    private synchronized CompletableFuture<Optional<String>> current() {
        CompletableFuture<Optional<String>> last = check;
        if (last != null && (!last.isDone() || System.nanoTime() - checkedAt < FRESH)) {
            return last;
        }
        checkedAt = System.nanoTime();
        check = CompletableFuture.supplyAsync(() -> pool.admin().problem(), threads);
        return check;
    }
}
