package dev.heddle.store;

import java.time.Instant;
import java.util.List;

/**
 * What a node would run now, by priority and then in the order of submission, over all of it.
 *
 * @param limit the most jobs
 * @param wanted the kinds of jobs, each with a limit of its own
 */
public record ClaimRequest(String node, Instant now, int limit, List<Wanted> wanted) {

    /**
     * One kind of jobs that the node would run.
     *
     * @param suspect jobs that a dead node held, which run apart from the others
     * @param limit the most jobs of this kind
     */
    public record Wanted(String type, boolean suspect, int limit) {}
}
