package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.engine.suspects.Probation;
import dev.heddle.engine.suspects.StartControl;
import dev.heddle.env.Environment;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import org.jspecify.annotations.Nullable;

/**
 * Clears attempts that outlive their probation, so that they neither hold back others nor are blamed for the next death
 * of the node. Sleeps unless this node holds a suspect.
 */
public final class ProbationWatch implements BackgroundService {

    private final Collection<RunningAttempt> running;
    private final StartControl starts;
    private final Ledger ledger;
    private final Wakeup wakeup;
    private final Set<Fence> beingCleared = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /**
     * Creates the watch of a node.
     *
     * @param running the attempts that run, as a live view
     */
    public ProbationWatch(Collection<RunningAttempt> running, StartControl starts, Ledger ledger, Environment env) {
        this.running = running;
        this.starts = starts;
        this.ledger = ledger;
        this.wakeup = Wakeup.byClock(env);
        starts.whenSuspectArrives(wakeup::raise);
    }

    /** Returns whether a start must be committed before the handler runs, so that a death can be traced to it. */
    boolean mustCommitStarts() {
        return starts.holdsSuspect();
    }

    /** Looks at all attempts again, because one has started or goes on outside this process. */
    void attemptChanged() {
        if (starts.holdsSuspect()) {
            wakeup.raise();
        }
    }

    @Override
    public String name() {
        return "probation";
    }

    @Override
    public void run() {
        while (!stopped) {
            wakeup.await(clearAllThatMay());
        }
    }

    /** Clears attempts; returns how long to wait for the next one, null if there is none. */
    private @Nullable Duration clearAllThatMay() {
        Duration next = null;
        if (starts.holdsSuspect()) {
            for (RunningAttempt run : running) {
                Duration left = starts.isOnProbation(run.fence()) ? left(run) : null;
                if (left != null && !left.isPositive()) {
                    clear(run);
                } else if (left != null && (next == null || left.compareTo(next) < 0)) {
                    next = left;
                }
            }
        }
        return next;
    }

    /** If the work of an attempt goes on outside this process, it does not kill this process. */
    private static Duration left(RunningAttempt run) {
        return run.outlivesNode() ? Duration.ZERO : Probation.of(run.claim().suspicion()).minus(run.ranFor());
    }

    private void clear(RunningAttempt run) {
        Fence fence = run.fence();
        if (beingCleared.add(fence)) {
            ledger.post(new Change.Cleared(fence, run.claim().suspicion().cleared(fence.attempt())), _ -> {
                starts.clear(fence);
                beingCleared.remove(fence);
            });
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}
