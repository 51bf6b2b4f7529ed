package dev.heddle.testkit.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What a running pool does with the children of a parent that ends, is cancelled or is deleted. */
abstract class FamilyCancellationContract extends PoolFixture {

    private static final JobType<Note, String> BUSY = JobType.of("busy", Note.class, String.class);
    private static final JobType<Note, String> IDLE = JobType.of("idle", Note.class, String.class);

    private final Queue<String> started = new ConcurrentLinkedQueue<>();
    private final CountDownLatch end = new CountDownLatch(1);

    FamilyCancellationContract(PoolContract contract) {
        super(contract);
    }

    /** Lets the handlers return before the pool closes and waits for them. */
    @AfterEach
    void releaseHandlers() {
        end.countDown();
    }

    /**
     * Opens a pool for a parent that spawns a busy child and an idle child in a paused queue, and ends when the test
     * says so. The long grace keeps handlers from being interrupted before they report why they were cancelled.
     */
    private Pool family(JobType<Note, String> parent) {
        Pool opened = open(builder().workers(3).cancelGrace(LONG, LONG).register(parent, this::spawnTwo)
                .register(BUSY, this::runUntilCancelled)
                .register(IDLE, (note, job) -> String.valueOf(started.add("idle"))));
        opened.admin().pauseQueue("idle");
        return opened;
    }

    private String spawnTwo(Note note, JobContext job) throws InterruptedException {
        job.spawn(BUSY.with(new Note("busy")));
        JobId idle = job.spawn(IDLE.with(new Note("idle")).queue("idle"));
        end.await();
        return idle.toString();
    }

    private String runUntilCancelled(Note note, JobContext job) throws Exception {
        CompletableFuture<String> cancelled = new CompletableFuture<>();
        job.cancellation().onCancel(() -> cancelled.complete(job.cancellation().reason().orElseThrow()));
        started.add("busy");
        String why = cancelled.get(30, TimeUnit.SECONDS);
        started.add(why);
        return "too late";
    }

    private JobHandle<String> child(JobType<Note, String> type, JobHandle<?> parent) {
        await().until(() -> pool().admin().list(JobQuery.all().type(type).parent(parent.id())).size() == 1);
        return pool().job(pool().admin().list(JobQuery.all().type(type).parent(parent.id())).getFirst().id(), type);
    }

    @Test
    void cancelsUnfinishedChildrenWhenTheirParentCompletes() throws Exception {
        family(NOTE);
        JobHandle<String> parent = submit("p");
        JobHandle<String> busy = child(BUSY, parent);
        JobHandle<String> idle = child(IDLE, parent);
        CompletableFuture<Job> idleEnd = idle.completion();
        await().until(() -> started.contains("busy"));

        end.countDown();

        assertThat(end(parent).state()).isEqualTo(JobState.COMPLETED);
        assertThat(idleEnd.get(30, TimeUnit.SECONDS).reason()).as("the future of a child completes")
                .contains("parent job completed");
        await().until(() -> started.contains("parent job completed"));
        await().untilAsserted(() -> assertThat(pool().admin().details(busy.id()).orElseThrow().attempts())
                .extracting(Attempt::end).containsExactly(Attempt.End.CANCELLED));
        assertThat(busy.job().orElseThrow().result()).as("its late result is ignored").isEmpty();
        pool().admin().resumeQueue("idle");
        assertThat(pool().awaitIdle(LONG)).isTrue();
        assertThat(started).doesNotContain("idle");
    }

    @Test
    void keepsChildrenThatOutliveTheirParent() throws Exception {
        JobType<Note, String> keeping = JobType.of("keeping", Note.class, String.class).keepChildren();
        family(keeping);
        JobHandle<String> parent = pool().submit(keeping, new Note("p"));
        JobHandle<String> idle = child(IDLE, parent);

        end.countDown();
        assertThat(end(parent).state()).isEqualTo(JobState.COMPLETED);
        pool().admin().resumeQueue("idle");

        assertThat(idle.await(LONG)).isEqualTo("true");
        pool().admin().cancel(child(BUSY, parent).id(), "enough");
    }

    @Test
    void cancelsAllDescendants() throws Exception {
        JobType<Integer, String> node = JobType.of("node", Integer.class, String.class);
        CountDownLatch leaves = new CountDownLatch(4);
        open(builder().workers(8).register(node, (depth, job) -> {
            if (depth == 0) {
                leaves.countDown();
            } else {
                job.spawn(node, depth - 1);
                job.spawn(node, depth - 1);
            }
            job.sleep(LONG);
            return "";
        }));
        JobHandle<String> root = pool().submit(node, 2);
        assertThat(leaves.await(30, TimeUnit.SECONDS)).isTrue();

        root.cancel("all of it");

        assertThat(pool().awaitIdle(LONG)).isTrue();
        List<Job> jobs = pool().admin().list(JobQuery.all());
        assertThat(jobs).hasSize(7).allMatch(job -> job.state() == JobState.CANCELLED);
        assertThat(jobs).filteredOn(job -> job.spec().parent().isPresent())
                .allMatch(job -> job.reason().equals(Optional.of("parent job cancelled")));
        await().untilAsserted(() -> assertThat(pool().stats().active()).isZero());
    }

    /** Ignores its cancellation, and therefore loses its worker; only then can its job be deleted. */
    private JobHandler<Note, String> spawnsAfter(CountDownLatch go, CompletableFuture<String> seen) {
        return (note, job) -> {
            started.add("spawner");
            while (true) {
                try {
                    go.await();
                    break;
                } catch (InterruptedException e) {
                    started.add("ignored");
                }
            }
            try {
                seen.complete("spawned " + job.spawn(IDLE, new Note("late")));
            } catch (RuntimeException e) {
                seen.complete(e.getMessage());
            }
            return "";
        };
    }

    @Test
    void spawnsNothingForADeletedParent() throws Exception {
        CompletableFuture<String> seen = new CompletableFuture<>();
        open(builder().register(NOTE, spawnsAfter(end, seen)));
        JobHandle<String> parent = submit("p");
        // A job that is cancelled between its start and its handler never gets to its handler.
        await().until(() -> state(parent) == JobState.RUNNING && started.contains("spawner"));
        parent.cancel("go away");
        await().until(() -> parent.job().orElseThrow().endedAt().isPresent());
        pool().admin().delete(parent.id());

        end.countDown();

        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("parent job deleted during execution");
        assertThat(pool().admin().list(JobQuery.all())).isEmpty();
    }

    @Test
    void spawnsNothingForACancelledParent() throws Exception {
        CompletableFuture<String> seen = new CompletableFuture<>();
        open(builder().cancelGrace(Duration.ofSeconds(20), Duration.ofSeconds(20)).register(NOTE,
                spawnsAfter(end, seen)));
        JobHandle<String> parent = submit("p");
        // A job that is cancelled between its start and its handler never gets to its handler.
        await().until(() -> state(parent) == JobState.RUNNING && started.contains("spawner"));
        parent.cancel("go away");

        end.countDown();

        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo("go away");
        assertThat(pool().admin().list(JobQuery.all().parent(parent.id()))).isEmpty();
    }
}
