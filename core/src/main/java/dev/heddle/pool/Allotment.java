package dev.heddle.pool;

import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Which workers get the new sessions of one batch of claims: those that are idle before those that have something to do,
 * since the first job would wait, or even fail, while somebody is free; among equals the one with the fewest sessions.
 */
final class Allotment {

    private final List<String> crew;
    private final Set<String> idle;
    private final Supplier<Map<String, Integer>> count;
    /** How many sessions each has; counted only once there is somebody to choose. */
    private @Nullable Map<String, Integer> sessions;

    /**
     * For one batch.
     *
     * @param crew the workers that could have one more
     * @param idle those that have nothing to do
     * @param count tells how many sessions workers have; none where it does not know one
     */
    Allotment(List<String> crew, Set<String> idle, Supplier<Map<String, Integer>> count) {
        this.crew = crew;
        this.idle = new HashSet<>(idle);
        this.count = count;
    }

    boolean isPossible() {
        return !crew.isEmpty();
    }

    /** A job of the batch is this worker's. */
    void occupy(String worker) {
        idle.remove(worker);
    }

    /** The worker for a session that nobody has, and for the job that brings it. */
    String next() {
        Map<String, Integer> known = sessions;
        if (known == null) {
            known = new HashMap<>(count.get());
            sessions = known;
        }
        Map<String, Integer> load = known;
        String chosen = crew.stream()
                .min(Comparator.comparing((String worker) -> !idle.contains(worker))
                        .thenComparing(worker -> load.getOrDefault(worker, 0)))
                .orElseThrow();
        load.merge(chosen, 1, Integer::sum);
        occupy(chosen);
        return chosen;
    }
}
