package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.testing.ManualClock;
import dev.heddle.engine.testing.Samples;
import dev.heddle.env.Environment;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolSettings.Stopping;
import dev.heddle.store.ClaimResult.Claim;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs a watchdog on its own thread, by a clock that the test moves. */
@Timeout(30)
class WatchdogTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);
    private static final JobType<String, Void> TYPE = JobType.of("task", String.class).timeout(TIMEOUT);

    private final ManualClock clock = new ManualClock();
    private final Environment env = Environment.system().withClock(clock);
    private final Stopping stopping = Stopping.standard();
    private final LeaseTimer lease = new LeaseTimer(Duration.ofSeconds(30), Duration.ZERO, env);
    private final BlockingQueue<RunningAttempt> abandoned = new LinkedBlockingQueue<>();
    private final CountDownLatch lapsed = new CountDownLatch(1);
    private final Watchdog watchdog = new Watchdog(env, stopping, lease, abandoned::add, lapsed::countDown);

    @BeforeEach
    void start() {
        Thread.ofPlatform().daemon().start(watchdog::run);
    }

    @AfterEach
    void stop() {
        watchdog.stop();
    }

    /** An attempt on its own thread, whose handler waits until it is interrupted. */
    private final class Attempt {
        final CountDownLatch cancelled = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(1);
        final RunningAttempt run;

        Attempt(JobType<?, ?> type, String worker) throws InterruptedException {
            BlockingQueue<RunningAttempt> created = new LinkedBlockingQueue<>();
            Thread.ofPlatform().daemon().start(() -> {
                created.add(attempt(type, worker));
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                }
            });
            run = created.take();
            run.onCancel(cancelled::countDown);
            watchdog.watch(run);
        }

        RunningAttempt.Stopped stopped() {
            return run.stopped().orElseThrow();
        }
    }

    private RunningAttempt attempt(JobType<?, ?> type, String worker) {
        Registration<?, ?> registration = Samples.registration(type);
        Claim claim = Samples.claim(1);
        return new RunningAttempt(claim, registration, Samples.worker(worker, clock), env);
    }

    private Attempt attempt(JobType<?, ?> type) throws InterruptedException {
        return new Attempt(type, "w-1");
    }

    @Test
    void stopsAnAttemptAtItsDeadline() throws Exception {
        Attempt attempt = attempt(TYPE);

        clock.advance(TIMEOUT);

        attempt.cancelled.await();
        assertThat(attempt.stopped().cause()).isEqualTo(StopCause.TIMEOUT);
        assertThat(attempt.stopped().reason()).isEqualTo("timed out after 1m");
    }

    /** Its thread writes to the store then, and no interrupt must reach the handler that comes next. */
    @Test
    void interruptsNoAttemptBeforeItsHandlerStarts() throws Exception {
        RunningAttempt expected = attempt(TYPE, "w-1");
        watchdog.expect(expected);
        Attempt running = attempt(TYPE);
        watchdog.running().forEach(run -> watchdog.stop(run, StopCause.CANCEL, "enough"));

        clock.advance(stopping.interruptAfter());
        running.interrupted.await();
        assertThat(expected.isCancelled()).isTrue();
        assertThat(expected.interruptedAt()).isEmpty();
    }

    @Test
    void letsAnAttemptRunUntilItsDeadline() throws Exception {
        Attempt patient = attempt(TYPE.timeout(TIMEOUT.plus(stopping.interruptAfter()).plusMillis(1)));
        Attempt late = attempt(TYPE);

        clock.advance(TIMEOUT);
        late.cancelled.await();
        clock.advance(stopping.interruptAfter());
        // By now the watchdog has looked at all attempts at least once.
        late.interrupted.await();

        assertThat(patient.run.isCancelled()).isFalse();
    }

    @Test
    void stopsAnAttemptWithoutHeartbeats() throws Exception {
        Attempt attempt = attempt(TYPE.stallAfter(Duration.ofSeconds(10)));

        clock.advance(Duration.ofSeconds(11));

        attempt.cancelled.await();
        assertThat(attempt.stopped().cause()).isEqualTo(StopCause.STALL);
        assertThat(attempt.stopped().reason()).isEqualTo("stalled: no heartbeat for 11 s");
    }

    @Test
    void doesNotStopAnAttemptThatSendsHeartbeats() throws Exception {
        Attempt alive = attempt(TYPE.stallAfter(Duration.ofSeconds(10)));
        Attempt silent = attempt(TYPE.stallAfter(Duration.ofSeconds(10)));
        clock.advance(Duration.ofSeconds(9));
        alive.run.heartbeat();

        clock.advance(Duration.ofSeconds(2));
        silent.cancelled.await();
        clock.advance(stopping.interruptAfter());
        silent.interrupted.await();

        assertThat(alive.run.isCancelled()).isFalse();
    }

    /** A machine wakes up, or NTP corrects its clock: no time has passed for the attempts. */
    @Test
    void stopsNoAttemptIfTheClockIsSetForward() throws Exception {
        Attempt patient = attempt(TYPE.stallAfter(Duration.ofSeconds(10)));
        Attempt stopped = attempt(TYPE);
        watchdog.stop(stopped.run, StopCause.CANCEL, "enough");
        stopped.cancelled.await();

        clock.jump(Duration.ofHours(1));
        Attempt late = attempt(TYPE.timeout(Duration.ofMillis(1)));
        clock.advance(Duration.ofMillis(1));
        // By now the watchdog has looked at all attempts since the jump.
        late.cancelled.await();

        assertThat(patient.run.isCancelled()).isFalse();
        assertThat(stopped.run.interruptedAt()).as("it has time to stop by itself").isEmpty();
    }

    @Test
    void stopsAttemptsInTimeIfTheClockIsSetBack() throws Exception {
        Attempt slow = attempt(TYPE);
        Attempt silent = attempt(TYPE.stallAfter(Duration.ofSeconds(10)));
        Attempt stopped = attempt(TYPE);
        watchdog.stop(stopped.run, StopCause.CANCEL, "enough");

        clock.jump(Duration.ofHours(-1));
        clock.advance(TIMEOUT);

        slow.cancelled.await();
        silent.cancelled.await();
        stopped.interrupted.await();
        assertThat(slow.stopped().reason()).isEqualTo("timed out after 1m");
        clock.advance(stopping.abandonAfter());
        assertThat(abandoned.poll(30, TimeUnit.SECONDS)).isSameAs(stopped.run);
    }

    @Test
    void interruptsAnAttemptThatDoesNotStop() throws Exception {
        Attempt attempt = attempt(TYPE);
        watchdog.stop(attempt.run, StopCause.CANCEL, "enough");
        attempt.cancelled.await();
        assertThat(attempt.run.interruptedAt()).as("it has time to stop by itself").isEmpty();

        clock.advance(stopping.interruptAfter());

        attempt.interrupted.await();
        assertThat(abandoned).isEmpty();
    }

    @Test
    void abandonsAnAttemptThatIgnoresItsInterrupt() throws Exception {
        Attempt attempt = attempt(TYPE);
        watchdog.stop(attempt.run, StopCause.CANCEL, "enough");
        clock.advance(stopping.interruptAfter());
        attempt.interrupted.await();

        clock.advance(stopping.abandonAfter());

        assertThat(abandoned.poll(30, TimeUnit.SECONDS)).isSameAs(attempt.run);
        assertThat(attempt.run.isAbandoned()).isTrue();
        assertThat(watchdog.running()).isEmpty();
    }

    @Test
    void forgetsAnAttemptWhoseHandlerHasReturned() throws Exception {
        Attempt returned = attempt(TYPE);
        watchdog.unwatch(returned.run);
        Attempt late = attempt(TYPE);

        clock.advance(TIMEOUT);

        late.cancelled.await();
        assertThat(returned.run.isCancelled()).isFalse();
    }

    @Test
    void stopsAttemptsThatStartWhileTheNodeCloses() throws Exception {
        Attempt before = attempt(TYPE);
        watchdog.close("closing", ClosingTimes.draining(Duration.ZERO, stopping));
        Attempt after = attempt(TYPE);

        assertThat(before.stopped().cause()).isEqualTo(StopCause.CLOSING);
        assertThat(after.stopped().cause()).isEqualTo(StopCause.CLOSING);
    }

    @Test
    void hurriesIfTheNodeClosesWithinALimit() throws Exception {
        Attempt before = attempt(TYPE.stopWithin(Duration.ofMinutes(1)));
        watchdog.close("closing", ClosingTimes.within(Duration.ofSeconds(4), stopping));
        assertThat(before.stopped().interruptAt().minus(env.elapsed())).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void stopsTheJobsOfAStoppedWorker() throws Exception {
        Attempt running = new Attempt(TYPE, "w-1");
        Attempt other = new Attempt(TYPE, "w-2");

        watchdog.stopWorker("w-1");
        Attempt starting = new Attempt(TYPE, "w-1");

        assertThat(running.run.isCancelled()).isTrue();
        assertThat(starting.run.isCancelled()).isTrue();
        assertThat(other.run.isCancelled()).isFalse();
    }

    @Test
    void letsTheLeaseLapseInTime() throws Exception {
        lease.renewed(env.nanoTime());
        watchdog.wake();

        lapsed.await();
        assertThat(lease.isLapsed()).isTrue();
        assertThat(attempt(TYPE).stopped().cause()).as("of an attempt that starts later").isEqualTo(StopCause.LAPSED);
    }

    @Test
    void keepsTheFirstCauseToStop() throws Exception {
        Attempt attempt = attempt(TYPE);
        watchdog.stop(attempt.run, StopCause.CANCEL, "enough");
        watchdog.stop(attempt.run, StopCause.CLOSING, "closing");

        assertThat(attempt.stopped().cause()).isEqualTo(StopCause.CANCEL);
    }

    @Test
    void givesAnAttemptAsMuchTimeToStopAsItsTypeAsksFor() throws Exception {
        Duration asked = Duration.ofSeconds(50);
        JobType<String, Void> slow = TYPE.stopWithin(asked);

        assertThat(graceOf(slow, StopCause.CANCEL)).isEqualTo(asked);
        assertThat(graceOf(slow, StopCause.CLOSING)).isEqualTo(asked);
        assertThat(graceOf(TYPE, StopCause.CLOSING)).isEqualTo(stopping.closeTimeout());
        assertThat(graceOf(slow, StopCause.LOST)).as("another node may have started the job")
                .isEqualTo(stopping.interruptAfter());
    }

    private Duration graceOf(JobType<?, ?> type, StopCause cause) throws InterruptedException {
        Attempt attempt = attempt(type);
        watchdog.stop(attempt.run, cause, "test");
        return attempt.stopped().interruptAt().minus(clock.elapsed());
    }
}
