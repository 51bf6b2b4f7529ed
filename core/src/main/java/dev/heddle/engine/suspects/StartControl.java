package dev.heddle.engine.suspects;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import org.jspecify.annotations.Nullable;

/**
 * The claims of a node, and which of them may start. As long as none has a cap, all may, and asking costs a lookup.
 *
 * <p>The hard part is a claim with a cap that arrives while others are about to start. A start is noted before the
 * caps are looked at, and a cap before the starts are: so either the start sees the cap, or the cap counts the start.
 *
 * <p>A claim with a cap that does not fit yet goes first: nothing else starts until enough others have ended or been
 * cleared. Otherwise a busy node would never get to it.
 */
public final class StartControl {

    private final Map<Fence, Entry> claims = new ConcurrentHashMap<>();
    private final Runnable onRoom;
    /** Claims that are suspects and not yet cleared. */
    private final AtomicInteger suspects = new AtomicInteger();
    /** Those of them that have a cap. */
    private final AtomicInteger capped = new AtomicInteger();
    private volatile Runnable onSuspect = () -> {};
    private volatile boolean refused;
    /** The claim that others wait for; guarded by this. */
    private @Nullable Entry first;

    private static final class Entry {
        private final Claim claim;
        private volatile boolean started;
        private volatile boolean cleared;

        Entry(Claim claim) {
            this.claim = claim;
            // What an adopted attempt does, it does outside this process.
            this.cleared = claim.isAdopted();
        }
    }

    /**
     * Creates the control of a node without claims.
     *
     * @param onRoom runs when a claim that was refused may start
     */
    public StartControl(Runnable onRoom) {
        this.onRoom = onRoom;
    }

    /** Adds a claim, which has not started. */
    public void add(Claim claim) {
        Entry entry = new Entry(claim);
        if (!entry.cleared) {
            count(claim, 1);
        }
        claims.put(claim.fence(), entry);
        if (claim.suspect()) {
            onSuspect.run();
        }
    }

    /** Runs an action whenever a suspect is added. */
    public void whenSuspectArrives(Runnable action) {
        onSuspect = action;
    }

    private void count(Claim claim, int change) {
        if (claim.suspect()) {
            suspects.addAndGet(change);
            if (claim.suspicion().isCapped()) {
                capped.addAndGet(change);
            }
        }
    }

    /** Removes a claim that has ended or was released. */
    public void remove(Fence fence) {
        Entry entry = claims.remove(fence);
        if (entry != null && holdsSuspect()) {
            leave(entry);
        }
    }

    /** Notes that an attempt has outlived its probation. */
    public void clear(Fence fence) {
        Entry entry = claims.get(fence);
        if (entry != null) {
            leave(entry);
        }
    }

    private void leave(Entry entry) {
        boolean makesRoom;
        synchronized (this) {
            makesRoom = refused || capped.get() > 0;
            if (!entry.cleared) {
                entry.cleared = true;
                count(entry.claim, -1);
            }
            first = first == entry ? null : first;
        }
        if (makesRoom) {
            onRoom.run();
        }
    }

    /** Returns whether the claim is one of this node. */
    public boolean contains(Fence fence) {
        return claims.containsKey(fence);
    }

    /** Returns a copy of the fences of all claims. */
    public Set<Fence> fences() {
        return new LinkedHashSet<>(claims.keySet());
    }

    /** Returns whether this node holds a suspect, so that every start must be committed before the handler runs. */
    public boolean holdsSuspect() {
        return suspects.get() > 0;
    }

    /** Returns whether the attempt has started and is on probation. */
    public boolean isOnProbation(Fence fence) {
        Entry entry = claims.get(fence);
        return entry != null && isOnProbation(entry);
    }

    private static boolean isOnProbation(Entry entry) {
        return entry.started && !entry.cleared;
    }

    /** Notes that a claim starts; returns false if it may not start yet. */
    public boolean tryStart(Claim claim) {
        Entry entry = claims.get(claim.fence());
        if (entry == null || entry.cleared) {
            return true;
        }
        if (capped.get() > 0) {
            return tryStart(entry);
        }
        entry.started = true;
        if (capped.get() == 0) {
            return true;
        }
        // A claim with a cap has just arrived, and may have been refused because of this start.
        entry.started = false;
        boolean starts = tryStart(entry);
        if (!starts) {
            onRoom.run();
        }
        return starts;
    }

    private boolean tryStart(Entry entry) {
        boolean others;
        synchronized (this) {
            if ((first != null && first != entry) || !limit().allows(entry.claim.suspicion().cap())) {
                first = first == null && entry.claim.suspicion().isCapped() ? entry : first;
                refused = true;
                return false;
            }
            entry.started = true;
            others = first == entry;
            first = null;
        }
        if (others) {
            onRoom.run();
        }
        return true;
    }

    /** Takes back a start: the worker could not take the claim after all. */
    public void startFailed(Claim claim) {
        Entry entry = claims.get(claim.fence());
        if (entry != null) {
            entry.started = false;
        }
    }

    private StartLimit limit() {
        StartLimit limit = StartLimit.NONE;
        for (Entry entry : claims.values()) {
            if (isOnProbation(entry)) {
                limit = limit.with(entry.claim.suspicion().cap());
            }
        }
        return limit;
    }

    /** Returns whether claims were refused since the last call, and may be tried again now. */
    public boolean takeRefused() {
        boolean some = refused;
        if (some) {
            refused = false;
        }
        return some;
    }

    /** Returns how many more jobs without a cap may start. */
    public int room() {
        if (capped.get() == 0) {
            return Integer.MAX_VALUE;
        }
        synchronized (this) {
            return first == null ? limit().room() : 0;
        }
    }

    /** Returns why nothing may start now; empty if something may. */
    public Optional<String> holdReason() {
        if (capped.get() == 0) {
            return Optional.empty();
        }
        int cap;
        synchronized (this) {
            StartLimit limit = limit();
            if (first == null && limit.room() > 0) {
                return Optional.empty();
            }
            cap = first == null ? limit.smallestCap() : first.claim.suspicion().cap();
        }
        return Optional.of("a job crashed its node; until it is found, "
                + (cap == 1 ? "1 job starts" : "at most " + cap + " jobs start") + " here at a time");
    }
}
