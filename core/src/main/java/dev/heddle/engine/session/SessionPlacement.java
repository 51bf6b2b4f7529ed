package dev.heddle.engine.session;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Assigns the new sessions of one batch of claims to workers. Idle workers come before busy ones, because behind a
 * busy worker the first job would wait, or even fail, while another worker is free. Among equals, the worker with the
 * fewest sessions is chosen.
 */
final class SessionPlacement {

    private final List<String> eligible;
    private final Set<String> idle;
    private final Supplier<Map<String, Integer>> sessionCounts;
    /** The number of sessions per worker, loaded when the first worker is chosen. */
    private @Nullable Map<String, Integer> counts;

    /**
     * Creates a placement for one batch.
     *
     * @param eligible the workers that may get a session
     * @param idle the workers that have nothing to do
     * @param sessionCounts supplies the number of sessions per worker; a missing worker has none
     */
    SessionPlacement(List<String> eligible, Set<String> idle, Supplier<Map<String, Integer>> sessionCounts) {
        this.eligible = eligible;
        this.idle = new HashSet<>(idle);
        this.sessionCounts = sessionCounts;
    }

    boolean isPossible() {
        return !eligible.isEmpty();
    }

    /** Notes that a job of the batch goes to this worker. */
    void occupy(String worker) {
        idle.remove(worker);
    }

    /** Chooses the worker for a new session and for the job that starts it. */
    String assign() {
        Map<String, Integer> known = counts;
        if (known == null) {
            known = new HashMap<>(sessionCounts.get());
            counts = known;
        }
        Map<String, Integer> load = known;
        String chosen = eligible.stream().min(Comparator.comparing((String worker) -> !idle.contains(worker))
                .thenComparing(worker -> load.getOrDefault(worker, 0))).orElseThrow();
        load.merge(chosen, 1, Integer::sum);
        occupy(chosen);
        return chosen;
    }
}
