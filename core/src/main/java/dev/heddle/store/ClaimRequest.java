package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.env.Environment;

/**
 * The jobs that a node could run now. Over all kinds together, the store returns the first by priority and then by
 * order of submission.
 *
 * @param node the node that claims
 * @param now when the jobs are assigned, by the clock of the node; whether they are due is up to the clock of the store
 * @param elapsed the {@link Environment#elapsed} time of the node
 * @param limit how many jobs to claim at most
 * @param wanted the kinds of jobs, each with its own limit
 */
public record ClaimRequest(String node, Instant now, Duration elapsed, int limit, List<Wanted> wanted) {

    /** Creates a request of a node that began just now. */
    public ClaimRequest(String node, Instant now, int limit, List<Wanted> wanted) {
        this(node, now, Duration.ZERO, limit, wanted);
    }

    /**
     * One kind of job that the node could run.
     *
     * @param type the name of the type
     * @param suspect whether to claim suspects, see {@link Suspicion}, or other jobs. A claim ends with the first
     *         suspect that has a cap: what may run beside it depends on when it starts
     * @param limit how many jobs of this kind to claim at most
     * @param excludedTags jobs with any of these tags are skipped; a store may stop looking after {@link #MAX_SCANNED}
     *         jobs
     */
    public record Wanted(String type, boolean suspect, int limit, Set<String> excludedTags) {

        /**
         * How many jobs with excluded tags a store skips at most. A job behind them has to wait until some are gone.
         */
        public static final int MAX_SCANNED = 10_000;

        /** Copies the tags. */
        public Wanted {
            excludedTags = Set.copyOf(excludedTags);
        }

        /** Creates a kind without excluded tags. */
        public Wanted(String type, boolean suspect, int limit) {
            this(type, suspect, limit, Set.of());
        }
    }
}
