package dev.heddle.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
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

    /** Keeps the attempt for this machine should the node end; false where the attempt has lost its job. */
    boolean reserve(AttemptRun run);

    /** Stores a child at once; empty where the attempt has lost the parent. */
    Optional<JobId> spawn(JobRequest<?, ?> child, Fence attempt);

    /** A child as it will be stored, or says clearly why it cannot be. */
    NewJob enrol(JobRequest<?, ?> child);

    /** What is to be stored with the end of this job. */
    List<NewJob> sequel(Job ended);
}
