package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Set;

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
     * @param without tags that none of them has; a store need not look past {@link #LOOKED_AT} jobs for those without
     */
    public record Wanted(String type, boolean suspect, int limit, Set<String> without) {

        /** Behind so many with such tags, a job may wait until they have gone: a claim has to come to an end. */
        public static final int LOOKED_AT = 10_000;

        public Wanted {
            without = Set.copyOf(without);
        }

        /** Whatever their tags are. */
        public Wanted(String type, boolean suspect, int limit) {
            this(type, suspect, limit, Set.of());
        }
    }
}
