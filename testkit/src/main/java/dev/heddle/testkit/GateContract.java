package dev.heddle.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Gate;
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

    /** Closed for a tag of one type only. */
    private final Gate tagGate = new Gate() {
        @Override
        public Optional<String> closed(String type) {
            return Optional.empty();
        }

        @Override
        public Map<String, String> closedTags(String type) {
            String why = reason.get();
            return why == null || !type.equals("note") ? Map.of() : Map.of("blue", why);
        }
    };

    private JobHandle<String> submitTagged(JobType<Note, String> type, String... tags) {
        return pool().submit(type.with(new Note("x")).tags(tags));
    }

    @Test
    void ofATagStayQueuedWhileOthersOfTheirTypeRun() throws Exception {
        reason.set("no budget");
        open(builder().clock(clock).gate(tagGate).handle(NOTE, (note, job) -> "done").handle(OTHER,
                (note, job) -> "fine"));
        JobHandle<String> held = submitTagged(NOTE, "blue", "red");
        assertThat(submitTagged(NOTE, "red").await(LONG)).isEqualTo("done");
        assertThat(submit("x").await(LONG)).isEqualTo("done");
        assertThat(submitTagged(OTHER, "blue").await(LONG)).isEqualTo("fine");

        assertThat(state(held)).isEqualTo(JobState.QUEUED);
        assertThat(pool().story(held.id()).orElseThrow().history()).as("no write says so").isEmpty();
        assertThat(pool().held().reason("note", Set.of("red", "blue"))).contains("no budget");
        assertThat(pool().held().reason("note", Set.of("red"))).isEmpty();
        assertThat(pool().held().reason("other", Set.of("blue"))).isEmpty();
        assertThat(pool().stats().held()).containsOnlyKeys("tag:blue").containsValue("no budget");
        assertThat(logged()).anyMatch(
                line -> line.contains("Jobs of type note with the tag blue are held back: no budget"));

        reason.set(null);
        clock.advance(Duration.ofSeconds(1));

        assertThat(held.await(LONG)).isEqualTo("done");
        assertThat(pool().stats().held()).isEmpty();
        assertThat(logged())
                .anyMatch(line -> line.contains("Jobs of type note with the tag blue may start again"));
    }

    /** What was claimed ahead goes back: it is asked again before it starts. */
    @Test
    void ofATagDoNotStartThoughTheyWereClaimed() {
        AtomicInteger started = new AtomicInteger();
        open(builder().clock(clock).workers(1).gate(tagGate).handle(NOTE, (note, job) -> {
            // After the first few the node claims ahead.
            if (started.incrementAndGet() == 50) {
                reason.set("no budget");
            }
            return "done";
        }));
        List<JobHandle<String>> all = IntStream.range(0, 200).mapToObj(_ -> submitTagged(NOTE, "blue"))
                .toList();

        await().until(() -> started.get() >= 50 && pool().stats().active() == 0);
        clock.advance(Duration.ofSeconds(2));
        assertThat(started).hasValue(50);
        reason.set(null);
        clock.advance(Duration.ofSeconds(2));
        all.forEach(job -> assertThat(end(job).state()).isEqualTo(JobState.COMPLETED));
        assertThat(started).hasValue(200);
    }

    @Test
    void ofATypeWithABoundNoMoreRunAtOnce() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch two = new CountDownLatch(2);
        open(builder().workers(8).handle(NOTE.atMost(2), (note, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            two.countDown();
            two.await();
            Thread.sleep(2); // for a third to come, if one could
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
