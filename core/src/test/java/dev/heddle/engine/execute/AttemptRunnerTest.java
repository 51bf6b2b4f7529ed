package dev.heddle.engine.execute;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.heddle.engine.commit.AfterCommit;
import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.commit.PendingFutures;
import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.log.LogWriter;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.submit.AfterSubmit;
import dev.heddle.engine.support.EventPublisher;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.engine.support.PoolCounters;
import dev.heddle.engine.suspects.StartControl;
import dev.heddle.engine.testing.ManualClock;
import dev.heddle.engine.testing.Samples;
import dev.heddle.env.Environment;
import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Gate;
import dev.heddle.pool.PoolEvent;
import dev.heddle.pool.PoolSettings.Stopping;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.Store;
import dev.heddle.worker.Worker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs claims of a real store and checks what the store has in the end. */
@Timeout(30)
class AttemptRunnerTest {

    private static final JobType<String, String> TYPE = JobType.of("task", String.class, String.class)
            .retry(RetryPolicy.linear(1, Duration.ofSeconds(10)));

    private final ManualClock clock = new ManualClock();
    private final Environment env = Environment.system().withClock(clock);
    private final MemoryStore store = new MemoryStore();
    /** Runs once, after the next write of the ledger. */
    private final AtomicReference<Runnable> afterWrite = new AtomicReference<>(() -> {});
    private final Ledger ledger = new Ledger(
            (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                    (_, method, args) -> {
                        Object result = method.invoke(store, args);
                        if (method.getName().equals("apply")) {
                            afterWrite.getAndSet(() -> {}).run();
                        }
                        return result;
                    }),
            env, () -> {});
    private final Thread ledgerThread = Thread.ofPlatform().daemon().unstarted(ledger::run);
    private final LeaseTimer lease = new LeaseTimer(Duration.ofSeconds(30), Duration.ofSeconds(20), env);
    private final AtomicReference<String> nodeId = new AtomicReference<>(Samples.NODE);
    private final List<RunningAttempt> abandoned = new CopyOnWriteArrayList<>();
    private final Watchdog watchdog = new Watchdog(env, Stopping.standard(), lease, abandoned::add, () -> {});
    private final Worker worker = Samples.worker("n/default-1", clock);
    private final AtomicInteger calls = new AtomicInteger();
    private final Services services = new Services(env, store, ledger,
            new ProbationWatch(watchdog.running(), new StartControl(() -> {}), ledger, env),
            new JsonCodec(JsonMapper.builder().build()), watchdog);

    /** What attempts need of a node; these tests have no children, sequels or observers. */
    private record Services(Environment env, Store store, Ledger ledger, ProbationWatch probation, JsonCodec codec,
            Watchdog watchdog)
            implements
                AttemptServices {

        @Override
        public LogWriter logs() {
            return new LogWriter(store, env);
        }

        @Override
        public int maxCrashes() {
            return 3;
        }

        @Override
        public String requireStorable(String json, String what) {
            return json;
        }

        @Override
        public void publish(Supplier<PoolEvent> event) {}

        @Override
        public JobCancelledException stop(RunningAttempt run, StopCause cause, String reason) {
            watchdog.stop(run, cause, reason);
            return new JobCancelledException(reason);
        }

        @Override
        public boolean reserve(RunningAttempt run) {
            return true;
        }

        @Override
        public Optional<JobId> spawn(JobRequest<?, ?> child, Fence attempt) {
            throw new UnsupportedOperationException("spawn");
        }

        @Override
        public NewJob encodeChild(JobRequest<?, ?> child) {
            throw new UnsupportedOperationException("encodeChild");
        }

        @Override
        public List<NewJob> sequelOf(Job ended) {
            return List.of();
        }
    }

    @BeforeEach
    void open() {
        store.useClock(env);
        Samples.join(store, clock.instant());
        ledgerThread.start();
    }

    @AfterEach
    void close() throws InterruptedException {
        flush();
        store.close();
    }

    private void flush() throws InterruptedException {
        ledger.stop();
        ledgerThread.join();
    }

    private Claim claim(JobType<String, String> type) {
        return Samples.storedClaim(store, clock.instant(), type.with("x"), "\"x\"");
    }

    private AttemptRunner runner(JobType<String, String> type, JobHandler<String, String> handler, Gate... gates) {
        HandlerRegistry registry = Samples.registry(env, Samples.registration(type, (payload, job) -> {
            calls.incrementAndGet();
            return handler.handle(payload, job);
        }), gates);
        Demand demand = new Demand(env);
        AfterCommit afterCommit = new AfterCommit(
                new AfterSubmit(registry, new PoolCounters(), new EventPublisher(), demand),
                new PendingFutures(), List.of(), new ClaimsInFlight(registry, demand, env), _ -> {});
        return new AttemptRunner(services, registry, watchdog, afterCommit, lease, nodeId::get);
    }

    /** Returns the job as it is in the store once everything is written. */
    private Job written(Claim claim) throws InterruptedException {
        flush();
        return store.find(claim.job().id()).orElseThrow();
    }

    private Job run(JobType<String, String> type, JobHandler<String, String> handler, Gate... gates)
            throws InterruptedException {
        Claim claim = claim(type);
        assertThat(runner(type, handler, gates).run(worker, claim)).as("the thread may go on").isTrue();
        return written(claim);
    }

    private void stopAll(StopCause cause) {
        watchdog.running().forEach(run -> watchdog.stop(run, cause, "told to stop"));
    }

    @Test
    void writesTheResultOfAHandlerThatReturns() throws Exception {
        Job job = run(TYPE, (payload, _) -> payload + "y");

        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(job.result(TYPE)).contains("xy");
        assertThat(watchdog.running()).isEmpty();
    }

    @Test
    void schedulesARetryOfATransientFailure() throws Exception {
        Job job = run(TYPE, (_, _) -> {
            throw new IOException("not now");
        });

        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.dueAt()).contains(clock.instant().plusSeconds(10));
        assertThat(job.counts().failures()).isEqualTo(1);
    }

    @Test
    void deadLettersAPermanentFailureAtOnce() throws Exception {
        Job job = run(TYPE, (_, _) -> {
            throw JobException.permanent("never");
        });

        assertThat(job.state()).isEqualTo(JobState.FAILED);
    }

    @Test
    void deadLettersAPayloadThatCannotBeRead() throws Exception {
        Claim claim = Samples.storedClaim(store, clock.instant(), TYPE.with("x"), "{}");
        runner(TYPE, (_, _) -> "").run(worker, claim);

        assertThat(written(claim).state()).isEqualTo(JobState.FAILED);
        assertThat(calls).hasValue(0);
    }

    @Test
    void retriesAnAttemptThatTimedOutEvenIfItsHandlerReturns() throws Exception {
        Job job = run(TYPE, (_, _) -> {
            stopAll(StopCause.TIMEOUT);
            return "too late";
        });

        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.counts().failures()).isEqualTo(1);
        assertThat(store.details(job.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.TIMED_OUT);
    }

    @Test
    void requeuesAnAttemptThatThrowsBecauseTheNodeCloses() throws Exception {
        Job job = run(TYPE, (_, _) -> {
            stopAll(StopCause.CLOSING);
            throw new IllegalStateException("interrupted in the middle");
        });

        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.counts().failures()).as("not the handler's fault").isZero();
    }

    @Test
    void keepsTheResultOfAHandlerThatReturnsAlthoughTheNodeCloses() throws Exception {
        Job job = run(TYPE, (_, _) -> {
            stopAll(StopCause.CLOSING);
            return "done";
        });

        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void dropsTheLateResultOfAnAbandonedAttempt() throws Exception {
        Claim claim = claim(TYPE);
        AttemptRunner runner = runner(TYPE, (_, _) -> {
            watchdog.running().forEach(RunningAttempt::abandon);
            return "too late";
        });

        assertThat(runner.run(worker, claim)).as("the thread may go on").isFalse();
        assertThat(written(claim).state()).isEqualTo(JobState.RUNNING);
    }

    @Test
    void endsAnAbandonedAttemptInPlaceOfItsHandler() throws Exception {
        Claim claim = claim(TYPE);
        AttemptRunner[] runner = new AttemptRunner[1];
        runner[0] = runner(TYPE, (_, _) -> {
            stopAll(StopCause.TIMEOUT);
            for (RunningAttempt run : watchdog.running()) {
                run.abandon();
                runner[0].abandon(run);
            }
            return "too late";
        });
        runner[0].run(worker, claim);

        assertThat(written(claim).state()).isEqualTo(JobState.SCHEDULED);
    }

    @Test
    void releasesAClaimIfTheNodeIsClosing() throws Exception {
        watchdog.close("closing", ClosingTimes.draining(Duration.ZERO, Stopping.standard()));

        assertReleased(run(TYPE, (_, _) -> ""));
    }

    @Test
    void releasesAClaimIfTheLeaseHasLapsed() throws Exception {
        lease.lapse();

        assertReleased(run(TYPE, (_, _) -> ""));
    }

    /** The answer to its claim arrived late: meanwhile the node was declared dead and has joined again. */
    @Test
    void doesNotStartWhatTheNodeClaimedUnderAnEarlierId() throws Exception {
        nodeId.set("another life");

        assertThat(run(TYPE, (_, _) -> "").state()).isEqualTo(JobState.QUEUED);
        assertThat(calls).hasValue(0);
    }

    @Test
    void releasesAClaimThatAGateHolds() throws Exception {
        assertReleased(run(TYPE, (_, _) -> "", _ -> Optional.of("no memory")));
    }

    @Test
    void releasesAClaimOfATypeWithoutAHandler() throws Exception {
        Claim claim = claim(TYPE);
        runner(JobType.of("other", String.class, String.class), (_, _) -> "").run(worker, claim);

        assertReleased(written(claim));
    }

    private void assertReleased(Job job) {
        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.counts().failures()).isZero();
        assertThat(calls).as("calls of the handler").hasValue(0);
    }

    @Test
    void doesNotStartANonIdempotentJobThatWasCancelledMeanwhile() throws Exception {
        Claim claim = claim(TYPE.nonIdempotent());
        store.execute(new AdminCommand.Cancel(claim.job().id(), "enough", Samples.NODE, clock.instant()));

        runner(TYPE.nonIdempotent(), (_, _) -> "").run(worker, claim);

        assertThat(calls).hasValue(0);
        assertThat(written(claim).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void callsNoHandlerIfTheJobIsCancelledAsSoonAsItsStartIsWritten() throws Exception {
        Claim claim = claim(TYPE.nonIdempotent());
        afterWrite.set(() -> {
            store.execute(new AdminCommand.Cancel(claim.job().id(), "enough", Samples.NODE, clock.instant()));
            stopAll(StopCause.CANCEL);
        });

        runner(TYPE.nonIdempotent(), (_, _) -> "").run(worker, claim);

        assertThat(calls).hasValue(0);
        assertThat(written(claim).state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void failsAClaimWithoutCallingItsHandler() throws Exception {
        Claim claim = claim(TYPE);
        runner(TYPE, (_, _) -> "").fail(claim, JobException.permanent("its worker is gone"));

        Job job = written(claim);
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.failure().orElseThrow().message()).contains("its worker is gone");
        assertThat(calls).hasValue(0);
    }
}
