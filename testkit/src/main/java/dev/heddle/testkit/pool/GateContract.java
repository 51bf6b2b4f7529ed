package dev.heddle.testkit.pool;

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

/** Gates that hold jobs back for a reason outside of the job, such as too little memory. */
abstract class GateContract extends PoolFixture {

    private static final JobType<Note, String> OTHER = JobType.of("other", Note.class, String.class);

    private final AtomicReference<@Nullable String> reason = new AtomicReference<>();

    GateContract(PoolContract contract) {
        super(contract);
    }

    private void openGated() {
        open(steered(builder())
                .gate(type -> type.equals("note") ? Optional.ofNullable(reason.get()) : Optional.empty())
                .register(NOTE, (note, job) -> "done").register(OTHER, (note, job) -> "fine"));
    }

    @Test
    void keepsJobsQueuedAndReportsTheReasonWhileClosed() throws Exception {
        reason.set("no memory");
        openGated();
        JobHandle<String> held = submit("held");
        assertThat(pool().submit(OTHER, new Note("x")).await(LONG)).isEqualTo("fine");
        clock.advance(Duration.ofSeconds(5));

        assertThat(state(held)).isEqualTo(JobState.QUEUED);
        assertThat(pool().admin().details(held.id()).orElseThrow().attempts()).isEmpty();
        assertThat(pool().stats().held()).containsOnlyKeys("note").containsValue("no memory");
        assertThat(logged()).anyMatch(line -> line.contains("Jobs of type note are held back: no memory"));
    }

    @Test
    void startsJobsOnceItOpens() throws Exception {
        reason.set("no memory");
        openGated();
        JobHandle<String> held = submit("held");
        assertThat(pool().submit(OTHER, new Note("x")).await(LONG)).isEqualTo("fine");
        reason.set(null);
        // A gate does not announce that it opens; the pool checks every second.
        clock.advance(Duration.ofSeconds(1));

        assertThat(held.await(LONG)).isEqualTo("done");
        assertThat(pool().stats().held()).isEmpty();
        assertThat(logged()).anyMatch(line -> line.contains("Jobs of type note may start again"));
    }

    /** Closes for one tag of one type. */
    private final Gate tagGate = new Gate() {
        @Override
        public Optional<String> holdReason(String type) {
            return Optional.empty();
        }

        @Override
        public Map<String, String> heldTags(String type) {
            String why = reason.get();
            return why == null || !type.equals("note") ? Map.of() : Map.of("blue", why);
        }
    };

    private JobHandle<String> submitTagged(JobType<Note, String> type, String... tags) {
        return pool().submit(type.with(new Note("x")).tags(tags));
    }

    @Test
    void holdsOnlyJobsWithAClosedTag() throws Exception {
        reason.set("no budget");
        open(steered(builder()).gate(tagGate).register(NOTE, (note, job) -> "done").register(OTHER,
                (note, job) -> "fine"));
        JobHandle<String> held = submitTagged(NOTE, "blue", "red");
        assertThat(submitTagged(NOTE, "red").await(LONG)).isEqualTo("done");
        assertThat(submit("x").await(LONG)).isEqualTo("done");
        assertThat(submitTagged(OTHER, "blue").await(LONG)).isEqualTo("fine");

        assertThat(state(held)).isEqualTo(JobState.QUEUED);
        assertThat(pool().admin().details(held.id()).orElseThrow().history()).as("holding a job writes nothing")
                .isEmpty();
        assertThat(pool().admin().holdReasons().reason("note", Set.of("red", "blue"))).contains("no budget");
        assertThat(pool().admin().holdReasons().reason("note", Set.of("red"))).isEmpty();
        assertThat(pool().admin().holdReasons().reason("other", Set.of("blue"))).isEmpty();
        assertThat(pool().stats().held()).containsOnlyKeys("tag:blue").containsValue("no budget");
        assertThat(logged())
                .anyMatch(line -> line.contains("Jobs of type note with the tag blue are held back: no budget"));

        reason.set(null);
        clock.advance(Duration.ofSeconds(1));

        assertThat(held.await(LONG)).isEqualTo("done");
        assertThat(pool().stats().held()).isEmpty();
        assertThat(logged()).anyMatch(line -> line.contains("Jobs of type note with the tag blue may start again"));
    }

    /** The pool asks the gate again before a job that was claimed ahead starts. */
    @Test
    void releasesClaimedJobsWhoseTagIsClosed() {
        AtomicInteger started = new AtomicInteger();
        open(steered(builder()).workers(1).gate(tagGate).register(NOTE, (note, job) -> {
            // The node claims ahead once a few jobs have ended.
            if (started.incrementAndGet() == 50) {
                reason.set("no budget");
            }
            return "done";
        }));
        List<JobHandle<String>> all = IntStream.range(0, 200).mapToObj(_ -> submitTagged(NOTE, "blue")).toList();

        await().until(() -> started.get() >= 50 && pool().stats().active() == 0);
        clock.advance(Duration.ofSeconds(2));
        assertThat(started).hasValue(50);
        reason.set(null);
        clock.advance(Duration.ofSeconds(2));
        all.forEach(job -> assertThat(end(job).state()).isEqualTo(JobState.COMPLETED));
        assertThat(started).hasValue(200);
    }

    @Test
    void limitsHowManyJobsOfATypeRunAtOnce() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch bothRunning = new CountDownLatch(2);
        open(builder().workers(8).register(NOTE.maxConcurrentPerNode(2), (note, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            bothRunning.countDown();
            bothRunning.await();
            Thread.sleep(2); // gives a third job the time to start
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
    void runsWaitingJobsOnceTheirTypeIsRegistered() throws Exception {
        open(builder().register(OTHER, (note, job) -> "fine"));
        JobHandle<String> early = submit("early");
        assertThat(pool().submit(OTHER, new Note("x")).await(LONG)).isEqualTo("fine");
        assertThat(state(early)).isEqualTo(JobState.QUEUED);
        pool().register(NOTE, (note, job) -> "at last");
        assertThat(early.await(LONG)).isEqualTo("at last");
        assertThat(pool().admin().types()).contains("note", "other");
    }

    @Test
    void ignoresAGateThatThrows() throws Exception {
        open(steered(builder()).gate(type -> {
            throw new IllegalStateException("broken gate");
        }).register(NOTE, (note, job) -> "done"));

        assertThat(submit("x").await(LONG)).isEqualTo("done");
    }
}
