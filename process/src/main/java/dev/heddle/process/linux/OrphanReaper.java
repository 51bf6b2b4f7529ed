package dev.heddle.process.linux;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Reaps the orphans that this JVM has adopted, one pid at a time. Waiting for any child would steal exit codes from
 * other code that waits for its own children.
 *
 * <p>A dead child with a mark is reaped at once. A dead child without a mark may have been started by another part of
 * the program, which reaps it as soon as it ends. If it is still there after a while, nobody waits for it, and it is
 * reaped.
 */
public final class OrphanReaper {

    private static final Duration UNMARKED_DELAY = Duration.ofSeconds(30);

    private final long self;
    private final Posix posix;
    private final LongPredicate isMark;
    /** The mark of this JVM itself, if it was started by another node. Its own children carry this mark too. */
    private final long ownLimit;
    private final Map<Long, Long> deadSince = new HashMap<>();

    /** Creates a reaper for the children of this process; the predicate tells whether a limit is a mark. */
    public OrphanReaper(long self, Posix posix, LongPredicate isMark) {
        this.self = self;
        this.posix = posix;
        this.isMark = isMark;
        this.ownLimit = ProcTable.realTimeLimit(self).orElse(0L);
    }

    /** Returns the mark of this JVM itself, as a limit; 0 if it has none. */
    public long ownLimit() {
        return ownLimit;
    }

    /** Reaps the orphans that have ended, but never a child that a thread waits for. */
    public synchronized void reap(LongPredicate isAwaited) {
        Map<Long, Long> stillDead = new HashMap<>();
        long now = System.nanoTime();
        for (long child : ProcTable.children(self)) {
            Optional<ProcTable.Entry> dead = ProcTable.find(child)
                    .filter(entry -> !entry.isAlive() && !isAwaited.test(child));
            if (dead.isEmpty()) {
                continue;
            }
            long since = deadSince.getOrDefault(child, now);
            if (isMarked(child) || now - since > UNMARKED_DELAY.toNanos()) {
                posix.reap(child);
            } else {
                stillDead.put(child, since);
            }
        }
        deadSince.clear();
        deadSince.putAll(stillDead);
    }

    private boolean isMarked(long pid) {
        return ProcTable.realTimeLimit(pid).filter(limit -> isMark.test(limit) && limit != ownLimit).isPresent();
    }
}
