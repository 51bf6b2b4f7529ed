package dev.heddle.pool;

import java.time.InstantSource;
import java.util.List;

import dev.heddle.engine.submit.Intake;
import dev.heddle.engine.submit.RequestEncoder;
import dev.heddle.job.JobRequest;
import dev.heddle.store.Receipt;
import dev.heddle.store.Store;

/**
 * Submits jobs to a store without running any. {@link PoolBuilder#submitter()} creates it. Safe for use by many
 * threads.
 */
public final class Submitter {

    private final Store store;
    private final InstantSource clock;
    private final RequestEncoder encoder;

    Submitter(Store store, InstantSource clock, RequestEncoder encoder) {
        this.store = store;
        this.clock = clock;
        this.encoder = encoder;
    }

    /**
     * Submits many jobs in one commit: all of them or none.
     *
     * @return the jobs, in order: each with its id and whether it is new
     * @throws QueueFullException if a queue has no room
     * @throws NoSuchJobException if a request names a parent that is not there
     */
    public List<Receipt.Stored> submit(List<? extends JobRequest<?, ?>> requests) {
        if (requests.isEmpty()) {
            return List.of();
        }
        return Intake.stored(
                store.insert(List.of(encoder.submission(requests, clock.instant(), true))).getFirst());
    }
}
