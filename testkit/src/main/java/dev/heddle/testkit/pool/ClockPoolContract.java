package dev.heddle.testkit.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Affinity;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.DetachedWork;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** What a pool does if the clock of its machine is set. */
abstract class ClockPoolContract extends PoolFixture {

    private static final Duration DELAY = Duration.ofSeconds(10);

    /** The clock of the server, if the store has one. Nobody sets it here. */
    private final ManualClock server = new ManualClock(clock.instant());

    ClockPoolContract(PoolContract contract) {
        super(contract);
    }

    private PoolBuilder onOwnClock() {
        PoolBuilder builder = builder();
        follow(server);
        return builder.clock(clock).workers(1);
    }

    private void pass(Duration time) {
        server.advance(time);
        clock.advance(time);
    }

    /** Runs a job that may start at once. The claim that finds it would also find every job that is due. */
    private void claimWhatIsDue() {
        assertThat(end(submit("now")).state()).isEqualTo(JobState.COMPLETED);
    }

    private void waitsExactly(JobHandle<?> handle, Duration delay) {
        claimWhatIsDue();
        assertThat(state(handle)).isEqualTo(JobState.SCHEDULED);
        pass(delay.minusMillis(1));
        claimWhatIsDue();
        assertThat(state(handle)).as("not early").isEqualTo(JobState.SCHEDULED);
        pass(Duration.ofMillis(1));
        assertThat(end(handle).state()).as("not late").isEqualTo(JobState.COMPLETED);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void keepsDelaysIfTheClockIsSet(long hours) {
        open(onOwnClock().register(NOTE, (note, job) -> ""));
        JobHandle<String> handle = pool().submit(NOTE.with(new Note("later")).delay(DELAY));

        clock.jump(Duration.ofHours(hours));

        waitsExactly(handle, DELAY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void countsADelayFromASubmitAfterTheClockWasSet(long hours) {
        open(onOwnClock().register(NOTE, (note, job) -> ""));
        clock.jump(Duration.ofHours(hours));

        waitsExactly(pool().submit(NOTE.with(new Note("later")).delay(DELAY)), DELAY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void keepsTheBackoffIfTheClockIsSet(long hours) {
        AtomicInteger failures = new AtomicInteger();
        open(onOwnClock().retry(RetryPolicy.linear(2, DELAY)).register(NOTE, (note, job) -> {
            if (note.text().equals("fails once") && failures.getAndIncrement() == 0) {
                throw JobException.transientFailure("not now");
            }
            return "";
        }));
        JobHandle<String> handle = submit("fails once");
        await().until(() -> state(handle) == JobState.SCHEDULED);

        clock.jump(Duration.ofHours(hours));

        waitsExactly(handle, DELAY);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void startsAJobAtTheTimeOfDayThatWasNamed(long hours) {
        open(onOwnClock().register(NOTE, (note, job) -> ""));
        JobHandle<String> handle = pool()
                .submit(NOTE.with(new Note("later")).runAt(clock.instant().plus(Duration.ofHours(1))));

        clock.jump(Duration.ofHours(hours));

        Duration left = isShared() ? Duration.ofHours(1) : Duration.ofHours(1 - hours);
        if (left.isPositive()) {
            waitsExactly(handle, left);
        } else {
            assertThat(end(handle).state()).isEqualTo(JobState.COMPLETED);
        }
    }

    /** The attempt waits for nobody to adopt it while the clock is set. */
    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void keepsTheRestOfTheTimeOfAnAdoptedAttemptIfTheClockIsSet(long hours) {
        AtomicBoolean adoptable = new AtomicBoolean();
        List<Duration> left = new CopyOnWriteArrayList<>();
        CountDownLatch mayEnd = new CountDownLatch(1);
        Store store = newStoreWith(AdoptionStore.class);
        follow(server);
        open(quick(Pool.on(store)).clock(clock).workers(2).lease(LONG).renewEvery(Duration.ofMillis(300))
                .detachedWork(new DetachedWork() {
                    @Override
                    public String machine() {
                        return "loom";
                    }

                    @Override
                    public String boot() {
                        return "boot-1";
                    }

                    @Override
                    public Status status(JobId job, int attempt) {
                        return adoptable.get() ? Status.ADOPTABLE : Status.UNKNOWN;
                    }
                }).register(NOTE.timeout(Duration.ofMinutes(10)), (_, job) -> {
                    job.detachFromNode();
                    left.add(Duration.between(clock.instant(), job.deadline()));
                    while (mayEnd.getCount() > 0) {
                        job.sleep(Duration.ofMillis(5));
                    }
                    return "";
                }));
        JobHandle<String> handle = submit("long");
        await().until(() -> left.size() == 1);
        pass(Duration.ofMinutes(4));
        pool().admin().stopWorker(pool().admin().workers().stream().filter(one -> handle.id().equals(one.job()))
                .findFirst().orElseThrow().id());
        await().until(() -> pool().stats().active() == 0);

        clock.jump(Duration.ofHours(hours));
        adoptable.set(true);

        await().until(() -> left.size() == 2);
        mayEnd.countDown();
        assertThat(end(handle).state()).isEqualTo(JobState.COMPLETED);
        assertThat(left).containsExactly(Duration.ofMinutes(10), Duration.ofMinutes(6));
    }

    private static final JobType<Note, String> CHAT = NOTE.affinity(Affinity.STRICT_QUEUE);

    /** The note "hold" occupies the only worker until the test opens the gate; other jobs record their time left. */
    private JobHandle<String> openWithABusySession(CountDownLatch gate, List<Duration> left) {
        Store store = newStoreWith(SessionStore.class);
        follow(server);
        open(quick(Pool.on(store)).clock(clock).workers(1).register(CHAT, (note, job) -> {
            if (note.text().equals("hold")) {
                gate.await();
            } else {
                left.add(Duration.between(clock.instant(), job.deadline()));
            }
            return "";
        }));
        JobHandle<String> first = inSession("hold", Duration.ofHours(1));
        await().until(() -> state(first) == JobState.RUNNING);
        return first;
    }

    private JobHandle<String> inSession(String text, Duration timeout) {
        return pool().session("anna").submit(CHAT.with(new Note(text)).timeout(timeout));
    }

    /**
     * Submits a job that the node claims for the busy worker. A claim tells how long the job has waited, so the clock
     * must not move meanwhile.
     */
    private JobHandle<String> waitingInSession(Duration timeout) {
        JobHandle<String> waiting = inSession("later", timeout);
        await().until(() -> state(waiting) == JobState.ASSIGNED);
        return waiting;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void failsAJobWithASessionAtItsDeadlineIfTheClockIsSet(long hours) {
        CountDownLatch gate = new CountDownLatch(1);
        openWithABusySession(gate, new CopyOnWriteArrayList<>());
        JobHandle<String> waiting = waitingInSession(Duration.ofSeconds(60));

        clock.jump(Duration.ofHours(hours));

        JobHandle<String> shorter = waitingInSession(Duration.ofSeconds(59));
        pass(Duration.ofSeconds(59));
        assertThat(end(shorter).status().reason()).contains("not done within 59 s of its submission");
        assertThat(state(waiting)).as("not early").isNotEqualTo(JobState.FAILED);
        pass(Duration.ofSeconds(1));
        assertThat(end(waiting).status().reason()).as("not late").contains("not done within 1m of its submission");
        gate.countDown();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void givesAJobWithASessionTheRestOfItsTimeIfTheClockWasSet(long hours) {
        CountDownLatch gate = new CountDownLatch(1);
        List<Duration> left = new CopyOnWriteArrayList<>();
        openWithABusySession(gate, left);
        JobHandle<String> waiting = waitingInSession(Duration.ofSeconds(60));
        pass(Duration.ofSeconds(10));

        clock.jump(Duration.ofHours(hours));
        gate.countDown();

        assertThat(end(waiting).state()).isEqualTo(JobState.COMPLETED);
        assertThat(left).containsExactly(Duration.ofSeconds(50));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void tellsOnceThatTheClockWasSet(long hours) {
        open(onOwnClock().register(NOTE, (note, job) -> ""));
        pool().submit(NOTE.with(new Note("later")).delay(DELAY));
        assertThat(pool().admin().clockJumps()).isZero();

        clock.jump(Duration.ofHours(hours));
        claimWhatIsDue();

        String direction = hours > 0 ? "forward" : "back";
        int jumps = isShared() ? 0 : 1;
        await().untilAsserted(() -> {
            assertThat(pool().admin().clockJumps()).isEqualTo(jumps);
            assertThat(logged().stream().filter(line -> line.contains("clock of this machine was set " + direction
                    + " by 1h; delays and retries take as long as before (jobs that wait: 1)"))).hasSize(jumps);
        });
    }
}
