package dev.heddle.engine.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;

import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Handling;
import dev.heddle.engine.registry.Registration;
import dev.heddle.env.Environment;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobStatus;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Gate;
import dev.heddle.pool.PoolSettings;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Retention;
import dev.heddle.store.Store;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Suspicion;
import dev.heddle.worker.TransitionReason;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerState;

/** Settings, jobs, claims and workers for tests. */
public final class Samples {

    /** The id of the node in all samples. */
    public static final String NODE = "n";

    private Samples() {}

    /** Returns standard settings without retries and with a timeout of one minute. */
    public static PoolSettings settings() {
        return new PoolSettings(1, Map.of(), NewJob.UNLIMITED, Map.of(), 1_000, Duration.ofMinutes(1),
                RetryPolicy.none(), null, FailureCategory.TRANSIENT, PoolSettings.Stopping.standard(),
                PoolSettings.Claiming.standard(), PoolSettings.Recovering.standard(), Retention.standard(),
                PoolSettings.Liveness.standard(), null);
    }

    /** Returns a registration of a type whose handler is not called. */
    public static <P, R> Registration<P, R> registration(JobType<P, R> type) {
        return registration(type, (_, _) -> {
            throw new AssertionError("the handler is not called");
        });
    }

    /** Returns a registration of a type and its handler. */
    public static <P, R> Registration<P, R> registration(JobType<P, R> type, JobHandler<P, R> handler) {
        return new Registration<>(type, new Handling.SinglePhase<>(handler), settings());
    }

    /** Returns a registry of one type. */
    public static HandlerRegistry registry(Environment env, Registration<?, ?> registration, Gate... gates) {
        return new HandlerRegistry(List.of(registration), settings(), List.of(gates), env, () -> {});
    }

    /** Returns a claim of a job that is in no store. */
    public static Claim claim(long seq) {
        return claim(seq, JobType.of("task", String.class).with("x"));
    }

    /** Returns a claim of a job that is in no store. */
    public static Claim claim(long seq, JobRequest<?, ?> request) {
        JobSpec spec = request.spec("\"x\"", Instant.EPOCH);
        return new Claim(new Job(seq, spec, Phase.INGEST, new Job.Counts(1, 0, 0),
                new JobStatus.Assigned(NODE, Instant.EPOCH), null), Suspicion.NONE);
    }

    /** Makes the node of all samples a member of the store. */
    public static void join(Store store, Instant now) {
        store.join(new NodeRecord(NODE, now, now, Duration.ofSeconds(30), "[]"), new StoreListener() {
            @Override
            public void workAvailable() {}

            @Override
            public void jobsChanged() {}

            @Override
            public void notificationsReliable(boolean heard) {}

            @Override
            public void clockJumped(Duration jump, int moved) {}
        });
    }

    /** Stores a job with this payload and claims it. */
    public static Claim storedClaim(Store store, Instant now, JobRequest<?, ?> request, String payload) {
        NewJob job = new NewJob(request.spec(payload, now));
        store.insert(List.of(new Submission(List.of(job))));
        return store.claim(new ClaimRequest(NODE, now, 1, List.of(new Wanted(request.type().name(), false, 1))))
                .claims().getFirst();
    }

    /** Returns a worker that is READY. */
    public static Worker worker(String id, InstantSource clock) {
        Worker worker = new Worker(id, PoolSettings.DEFAULT_GROUP, clock, Map::of, _ -> {});
        worker.lifecycle().transition(WorkerState.READY, TransitionReason.INIT_COMPLETE);
        return worker;
    }
}
