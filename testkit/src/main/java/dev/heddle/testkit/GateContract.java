package dev.heddle.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Jobs that are held back for a reason that is none of theirs. */
abstract class GateContract extends PoolFixture {

    private static final JobType<Note, String> OTHER = JobType.of("other", Note.class, String.class);

    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();

    GateContract(PoolContract door) {
        super(door);
    }

    private void openGated() {
        open(builder().clock(clock)
                .gate(type -> type.equals("note") ? Optional.ofNullable(reason.get()) : Optional.empty())
                .handle(NOTE, (note, job) -> "done").handle(OTHER, (note, job) -> "fine"));
    }

    @Test
    void stayQueuedWithoutAnAttemptAndTheReasonIsTold() throws Exception {
        reason.set("no memory");
        openGated();
        JobHandle<String> held = submit("held");
        assertThat(pool().submit(OTHER, new Note("x")).await(LONG)).isEqualTo("fine");
        clock.advance(Duration.ofSeconds(5));

        assertThat(state(held)).isEqualTo(JobState.QUEUED);
        assertThat(pool().story(held.id()).orElseThrow().attempts()).isEmpty();
        assertThat(pool().stats().held()).containsOnlyKeys("note").containsValue("no memory");
        assertThat(logged()).anyMatch(line -> line.contains("Jobs of type note are held back: no memory"));
    }

    @Test
    void startByThemselvesOnceItIsOpen() throws Exception {
        reason.set("no memory");
        openGated();
        JobHandle<String> held = submit("held");
        assertThat(pool().submit(OTHER, new Note("x")).await(LONG)).isEqualTo("fine");
        reason.set(null);
        // The gate does not say that it is open; the pool looks every second.
        clock.advance(Duration.ofSeconds(1));

        assertThat(held.await(LONG)).isEqualTo("done");
        assertThat(pool().stats().held()).isEmpty();
        assertThat(logged()).anyMatch(line -> line.contains("Jobs of type note may start again"));
    }

    @Test
    void ofATypeWithABoundNoMoreRunAtOnce() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        open(builder().workers(8).handle(NOTE.atMost(2), (note, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            Thread.sleep(2);
            running.decrementAndGet();
            return "done";
        }));
        List<JobHandle<String>> all = IntStream.range(0, 30).mapToObj(i -> submit("note " + i)).toList();
        for (JobHandle<String> one : all) {
            assertThat(one.await(LONG)).isEqualTo("done");
        }
        assertThat(most).hasValue(2);
    }

    @Test
    void runOnceTheirTypeHasComeToAnOpenPool() throws Exception {
        open(builder().handle(OTHER, (note, job) -> "fine"));
        JobHandle<String> early = submit("early");
        assertThat(pool().submit(OTHER, new Note("x")).await(LONG)).isEqualTo("fine");
        assertThat(state(early)).isEqualTo(JobState.QUEUED);
        pool().handle(NOTE, (note, job) -> "at last");
        assertThat(early.await(LONG)).isEqualTo("at last");
        assertThat(pool().types()).contains("note", "other");
    }

    @Test
    void areNotHeldByAGateThatFails() throws Exception {
        open(builder().clock(clock).gate(type -> {
            throw new IllegalStateException("broken gate");
        }).handle(NOTE, (note, job) -> "done"));

        assertThat(submit("x").await(LONG)).isEqualTo("done");
    }
}
