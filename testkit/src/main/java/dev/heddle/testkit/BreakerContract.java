package dev.heddle.testkit;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Breaker;
import dev.heddle.pool.CircuitOpenException;
import dev.heddle.pool.JobHandle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The circuit breaker of a job type. */
abstract class BreakerContract extends PoolFixture {

    private static final JobType<Note, String> GUARDED = NOTE
            .breaker(new BreakerPolicy(3, Duration.ofSeconds(30))).retry(RetryPolicy.none());

    private final AtomicBoolean down = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();

    BreakerContract(PoolContract door) {
        super(door);
    }

    private Breaker openGuarded() {
        open(builder().clock(clock).handle(GUARDED, (note, job) -> {
            calls.incrementAndGet();
            if (down.get()) {
                throw new IOException("down");
            }
            return "up";
        }));
        return pool().breaker(GUARDED).orElseThrow();
    }

    private void fail(int times) {
        down.set(true);
        for (int i = 0; i < times; i++) {
            end(submit("fails"));
        }
    }

    /** A claim that was under way when the breaker opened is handed back. */
    private void awaitQueued(JobHandle<?> held) {
        await().until(() -> state(held) == JobState.QUEUED);
    }

    @Test
    void opensAfterFailuresInARowAndKeepsJobsQueuedWithoutAnAttempt() {
        Breaker breaker = openGuarded();
        fail(3);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
        JobHandle<String> held = submit("held");
        clock.advance(Duration.ofSeconds(29));

        awaitQueued(held);
        assertThat(calls).hasValue(3);
        assertThat(logged()).anyMatch(line -> line.contains("Circuit breaker of note"));
    }

    @Test
    void letsOneJobTryAfterTheResetTimeAndClosesOnSuccess() throws Exception {
        Breaker breaker = openGuarded();
        fail(3);
        JobHandle<String> first = submit("first");
        JobHandle<String> second = submit("second");
        down.set(false);
        clock.advance(Duration.ofSeconds(30));

        assertThat(first.await(LONG)).isEqualTo("up");
        assertThat(second.await(LONG)).isEqualTo("up");
        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
    }

    @Test
    void opensAgainWhereTheTrialFails() {
        Breaker breaker = openGuarded();
        fail(3);
        JobHandle<String> trial = submit("trial");
        JobHandle<String> held = submit("held");
        clock.advance(Duration.ofSeconds(30));

        assertThat(end(trial).state()).isEqualTo(JobState.FAILED);
        await().until(() -> breaker.state() == Breaker.State.OPEN);
        awaitQueued(held);
        assertThat(calls).hasValue(4);
    }

    @Test
    void startsTheCountAgainAfterASuccess() {
        Breaker breaker = openGuarded();
        fail(2);
        down.set(false);
        end(submit("succeeds"));
        fail(2);

        assertThat(breaker.state()).isEqualTo(Breaker.State.CLOSED);
        fail(1);
        assertThat(breaker.state()).isEqualTo(Breaker.State.OPEN);
    }

    @Test
    void refusesADirectCallWhileOpen() throws Exception {
        Breaker breaker = openGuarded();
        assertThat(breaker.call(() -> "called")).isEqualTo("called");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> breaker.call(() -> {
                throw new IOException("down");
            })).hasMessage("down");
        }

        assertThatThrownBy(() -> breaker.call(() -> "not called")).isInstanceOf(CircuitOpenException.class)
                .hasMessageContaining("circuit breaker is open");
        breaker.reset();
        assertThat(breaker.call(() -> "called")).isEqualTo("called");
    }

    @Test
    void doesNotHoldBackOtherTypes() throws Exception {
        JobType<Note, String> other = JobType.of("other", Note.class, String.class);
        open(builder().clock(clock).handle(GUARDED, (note, job) -> {
            throw new IOException("down");
        }).handle(other, (note, job) -> "fine"));
        fail(3);

        assertThat(pool().submit(other, new Note("x")).await(LONG)).isEqualTo("fine");
    }
}
