package dev.heddle.process;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Reaps the orphans that this JVM took on, one by one: to wait for any child would take exit codes from whoever waits
 * for them. An orphan under a mark is ours to reap at once. Another one may be a child that some other part of the
 * program started; that part reaps it the moment it ends, so one that has been dead for long is an orphan too.
 */
final class Orphans {

    private static final Duration LONG = Duration.ofSeconds(30);

    private final long self;
    private final Posix posix;
    /** The mark of this JVM itself, where it runs under another node: its own children carry it too. */
    private final long ownLimit;
    private final Map<Long, Long> deadSince = new HashMap<>();

    Orphans(long self, Posix posix) {
        this.self = self;
        this.posix = posix;
        this.ownLimit = ProcTable.realTimeLimit(self).orElse(0L);
    }

    long ownLimit() {
        return ownLimit;
    }

    synchronized void reap(LongPredicate isAwaited) {
        Map<Long, Long> stillDead = new HashMap<>();
        long now = System.nanoTime();
        for (long child : ProcTable.children(self)) {
            Optional<ProcTable.Entry> dead = ProcTable.find(child)
                    .filter(entry -> !entry.isAlive() && !isAwaited.test(child));
            if (dead.isEmpty()) {
                continue;
            }
            long since = deadSince.getOrDefault(child, now);
            if (isMarked(child) || now - since > LONG.toNanos()) {
                posix.reap(child);
            } else {
                stillDead.put(child, since);
            }
        }
        deadSince.clear();
        deadSince.putAll(stillDead);
    }

    private boolean isMarked(long pid) {
        return ProcTable.realTimeLimit(pid).filter(limit -> Mark.isMark(limit) && limit != ownLimit)
                .isPresent();
    }
}
