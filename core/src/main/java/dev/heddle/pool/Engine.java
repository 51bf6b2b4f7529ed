package dev.heddle.pool;

import java.time.Instant;
import java.util.function.Supplier;

import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.store.Store;

/** What a running attempt needs of the pool around it. */
interface Engine {

    Instant now();

    Store store();

    Ledger ledger();

    Codec codec();

    /** Returns the JSON, or says clearly why it cannot be stored. */
    String storable(String json, String what);

    /** Tells whoever observes the pool. */
    void tell(Supplier<PoolEvent> happened);

    /** Tells the attempt to stop; returns what its handler should be thrown. */
    JobCancelledException stopped(AttemptRun run, Stop cause, String reason);

    <P, R> JobId spawn(JobRequest<P, R> child);
}
