package dev.heddle.testkit.pool;

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
abstract class CircuitBreakerContract extends PoolFixture {

    private static final JobType<Note, String> GUARDED = NOTE.breaker(new BreakerPolicy(3, Duration.ofSeconds(30)))
            .retry(RetryPolicy.none());

    private final AtomicBoolean down = new AtomicBoolean();
    private final AtomicInteger calls = new AtomicInteger();

    CircuitBreakerContract(PoolContract contract) {
        super(contract);
    }

    private Breaker openGuarded() {
        open(steered(builder()).register(GUARDED, (note, job) -> {
            calls.incrementAndGet();
            if (down.get()) {
                throw new IOException("down");
            }
            return "up";
        }));
        return pool().admin().breaker(GUARDED).orElseThrow();
    }

    private void fail(int times) {
        down.set(true);
        for (int i = 0; i < times; i++) {
            end(submit("fails"));
        }
    }

    /** Waits, because a job that was being claimed when the breaker opened is released a moment later. */
    private void awaitQueued(JobHandle<?> held) {
        await().until(() -> state(held) == JobState.QUEUED);
    }

    @Test
    void opensAfterConsecutiveFailuresAndKeepsJobsQueued() {
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
    void runsOneTrialJobAfterTheResetTimeAndClosesOnSuccess() throws Exception {
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
    void waitsOutItsResetTimeEvenIfTheClockIsSet() throws Exception {
        Breaker breaker = openGuarded();
        fail(3);
        down.set(false);
        clock.jump(Duration.ofHours(1));
        assertThatThrownBy(() -> breaker.call(() -> "too early")).isInstanceOf(CircuitOpenException.class);

        clock.jump(Duration.ofHours(-2));
        clock.advance(Duration.ofSeconds(30));
        assertThat(submit("on time").await(LONG)).isEqualTo("up");
    }

    @Test
    void reopensIfTheTrialFails() {
        Breaker breaker = openGuarded();
        fail(3);
        JobHandle<String> one = submit("one");
        JobHandle<String> other = submit("other");
        clock.advance(Duration.ofSeconds(30));

        // Either job may be the trial: one that was being claimed when the breaker opened is released and comes later.
        await().until(() -> state(one) == JobState.FAILED || state(other) == JobState.FAILED);
        await().until(() -> breaker.state() == Breaker.State.OPEN);
        awaitQueued(state(one) == JobState.FAILED ? other : one);
        assertThat(calls).hasValue(4);
    }

    @Test
    void resetsTheFailureCountAfterASuccess() {
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
                .hasMessageContaining("circuit breaker of job type 'note' is open");
        breaker.reset();
        assertThat(breaker.call(() -> "called")).isEqualTo("called");
    }

    @Test
    void doesNotAffectOtherTypes() throws Exception {
        JobType<Note, String> other = JobType.of("other", Note.class, String.class);
        open(steered(builder()).register(GUARDED, (note, job) -> {
            throw new IOException("down");
        }).register(other, (note, job) -> "fine"));
        fail(3);

        assertThat(pool().submit(other, new Note("x")).await(LONG)).isEqualTo("fine");
    }
}
