package dev.heddle.control.model;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A node that shares the store.
 *
 * @param id the id
 * @param joinedAt when it joined the store
 * @param renewedAt when it last renewed its lease
 * @param lease how long it counts as alive after a renewal
 * @param alive whether its lease was valid, by the clock of the process that answered
 * @param self whether this is the node that answered
 * @param workers the number of its workers
 * @param busy the number of its workers that run a job
 * @param version its version of Heddle; null if it is of a version that does not say
 * @param java its version of Java; null if it does not say
 * @param startedAt when it started; null if it does not say
 * @param configuration a fingerprint of its settings, the same for nodes with the same settings; null if it does not say
 * @param cpu the share of one processor that its process uses, in percent; null if not known
 * @param memory the resident memory of its process in bytes; null if not known
 */
public record NodeView(String id, Instant joinedAt, Instant renewedAt, Duration lease, boolean alive, boolean self,
        int workers, int busy, @Nullable String version, @Nullable String java, @Nullable Instant startedAt,
        @Nullable String configuration, @Nullable Integer cpu, @Nullable Long memory) {}
