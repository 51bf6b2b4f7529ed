package dev.heddle.pool;

import java.util.List;

import dev.heddle.engine.schedule.ScheduleBook;
import dev.heddle.engine.submit.Intake;
import dev.heddle.engine.submit.RequestEncoder;
import dev.heddle.env.Environment;
import dev.heddle.job.JobRequest;
import dev.heddle.schedule.ScheduleStore;
import dev.heddle.schedule.Schedules;
import dev.heddle.store.Receipt;
import dev.heddle.store.Store;

/**
 * Submits jobs to a store without running any. {@link PoolBuilder#submitter()} creates it. Safe for use by many
 * threads.
 */
public final class Submitter {

    private final Store store;
    private final Environment env;
    private final RequestEncoder encoder;

    Submitter(Store store, Environment env, RequestEncoder encoder) {
        this.store = store;
        this.env = env;
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
                store.insert(List.of(encoder.submission(requests, env.clock().instant(), true))).getFirst());
    }

    /**
     * Returns the schedules of the store.
     *
     * @throws UnsupportedOperationException if the store keeps no schedules
     */
    public Schedules schedules() {
        ScheduleStore schedules = store.capability(ScheduleStore.class).orElseThrow(() -> Pool.noSchedules(store));
        return new ScheduleBook(schedules, encoder, env, _ -> {}, () -> {});
    }
}
