package dev.heddle.testkit.pool;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.PoolClosedException;
import dev.heddle.pool.QueueFullException;
import dev.heddle.store.JobQuery;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Submissions: what a caller can rely on. */
abstract class SubmitContract extends PoolFixture {

    SubmitContract(PoolContract contract) {
        super(contract);
    }

    private static JobRequest<Note, String> note(String text) {
        return NOTE.with(new Note(text));
    }

    @Test
    void runsASubmittedJobAndReturnsItsResult() throws Exception {
        open((note, job) -> "did " + note.text());

        assertThat(submit("it").await(LONG)).isEqualTo("did it");
    }

    @Test
    void storesEveryOptionOfARequest() {
        open(steered(builder()));
        JobId parent = pool().submit(note("parent")).id();

        JobHandle<String> handle = pool().submit(note("x").queue("mail").priority(7).delay(Duration.ofMinutes(1))
                .maxRetries(9).timeout(Duration.ofSeconds(3)).parent(parent).session("s1").subject("doc-1")
                .tags("b", "a").dedupeKey("k"));

        Job job = handle.job().orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.queue()).isEqualTo("mail");
        assertThat(job.spec().priority()).isEqualTo(7);
        assertThat(job.dueAt()).contains(clock.instant().plusSeconds(60));
        assertThat(job.spec().extras().maxRetries()).isEqualTo(9);
        assertThat(job.spec().timeout()).contains(Duration.ofSeconds(3));
        assertThat(job.spec().parent()).contains(parent);
        assertThat(job.spec().session()).contains("s1");
        assertThat(job.spec().subject()).contains("doc-1");
        assertThat(job.spec().tags()).containsExactlyInAnyOrder("a", "b");
        assertThat(job.spec().dedupeKey()).contains("k");
        assertThat(pool().admin().list(JobQuery.all().subject("doc-1"))).containsExactly(job);
    }

    @Test
    void refusesAJobIfTheQueueIsFullAndSaysWhatToDo() {
        open(builder().queueCapacity(2));
        submit("1");
        submit("2");

        assertThatThrownBy(() -> submit("3")).isInstanceOf(QueueFullException.class).hasMessageContaining("'default'")
                .hasMessageContaining("2 jobs").hasMessageContaining("raise");
        assertThat(pool().trySubmit(note("4"))).isEmpty();
        assertThat(pool().trySubmit(note("5").queue("other"))).isPresent();
        assertThat(pool().admin().countJobs().in(JobState.QUEUED)).isEqualTo(3);
    }

    @Test
    void waitsForCapacityIfAskedTo() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        open(builder().workers(1).queueCapacity(1).register(NOTE, (note, job) -> {
            go.await();
            return "";
        }));
        JobHandle<String> running = submit("running");
        await().until(() -> state(running) != JobState.QUEUED);
        submit("fills the queue");

        try (ExecutorService caller = Executors.newSingleThreadExecutor()) {
            Future<JobHandle<String>> waiting = caller.submit(() -> pool().submit(note("waits"), LONG));
            assertThat(waiting.isDone()).isFalse();
            go.countDown();
            assertThat(end(waiting.get()).state()).isEqualTo(JobState.COMPLETED);
        }
    }

    @Test
    void refusesAJobIfTheQueueStaysFull() {
        open(builder().queueCapacity(1));
        submit("fills the queue");

        assertThatThrownBy(() -> pool().submit(note("waits"), Duration.ofMillis(20)))
                .isInstanceOf(QueueFullException.class);
    }

    @Test
    void submitsAllJobsInOneCommitOrNone() {
        open(builder().queueCapacity(3));

        assertThat(pool().submitAll(List.of(note("1"), note("2")))).hasSize(2);
        assertThatThrownBy(() -> pool().submitAll(List.of(note("3"), note("4"))))
                .isInstanceOf(QueueFullException.class);

        assertThat(pool().admin().countJobs().in(JobState.QUEUED)).isEqualTo(2);
        assertThat(pool().submitAll(List.<JobRequest<Note, String>>of())).isEmpty();
    }

    @Test
    void startsHigherPrioritiesFirstAndEqualOnesInOrder() throws Exception {
        List<String> order = new CopyOnWriteArrayList<>();
        open(builder().workers(1).register(NOTE, (note, job) -> {
            order.add(note.text());
            return "";
        }));
        pool().admin().pauseQueue("default");
        pool().submitAll(List.of(note("low").priority(-1), note("a"), note("high").priority(5), note("b")));
        pool().admin().resumeQueue("default");

        assertThat(pool().awaitIdle(LONG)).isTrue();
        assertThat(order).containsExactly("high", "a", "b", "low");
    }

    @Test
    void startsADelayedJobOnlyOnceItIsDue() {
        open(steered(builder()).register(NOTE, (note, job) -> ""));
        JobHandle<String> delayed = pool().submit(note("later").delay(Duration.ofMinutes(5)));
        JobHandle<String> past = pool().submit(note("past").runAt(clock.instant().minusSeconds(5)));

        assertThat(end(past).state()).isEqualTo(JobState.COMPLETED);
        clock.advance(Duration.ofSeconds(299));
        assertThat(state(delayed)).isEqualTo(JobState.SCHEDULED);
        clock.advance(Duration.ofSeconds(1));
        assertThat(end(delayed).state()).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void returnsTheLiveJobForADedupeKeyAndANewOneOnceItHasEnded() {
        open(builder().register(NOTE, (note, job) -> ""));
        pool().admin().pauseQueue("default");
        JobHandle<String> first = pool().submit(note("1").dedupeKey("k"));
        JobHandle<String> second = pool().submit(note("2").dedupeKey("k"));
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();

        pool().admin().resumeQueue("default");
        end(first);
        assertThat(pool().submit(note("3").dedupeKey("k")).id()).isNotEqualTo(first.id());
    }

    @Test
    void storesOneJobIfARequestIsSubmittedTwice() {
        open(builder());
        JobRequest<Note, String> request = note("once");

        JobHandle<String> first = pool().submit(request);
        JobHandle<String> second = pool().submit(request);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(first.isNew()).isTrue();
        assertThat(second.isNew()).isFalse();
        assertThat(pool().admin().list(JobQuery.all())).hasSize(1);
    }

    @Test
    void keepsAJobOfAnUnknownTypeAndWarnsWithTheKnownTypes() {
        open((note, job) -> "");
        JobHandle<String> handle = pool().submit(JobType.of("nope", Note.class, String.class), new Note("x"));

        end(submit("after it"));
        assertThat(state(handle)).isEqualTo(JobState.QUEUED);
        assertThat(logged()).anyMatch(line -> line.contains("'nope'") && line.contains("Known here: note"));
    }

    @Test
    void refusesAPayloadOverTheLimitAndNamesBothSizes() {
        open(builder().payloadLimit(100));

        assertThatThrownBy(() -> submit("x".repeat(200))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'note'").hasMessageContaining("211 bytes").hasMessageContaining("limit of 100");
        assertThat(pool().admin().list(JobQuery.all())).isEmpty();
    }

    @Test
    void refusesInvalidOptionsAndNamesTheirValues() {
        assertThatThrownBy(() -> note("x").delay(Duration.ofSeconds(-5))).hasMessageContaining("PT-5S");
        assertThatThrownBy(() -> note("x").maxRetries(-1)).hasMessageContaining("-1");
        assertThatThrownBy(() -> note("x").timeout(Duration.ZERO)).hasMessageContaining("must be longer than zero");
        assertThatThrownBy(() -> note("x").queue(" ")).hasMessageContaining("' '");
    }

    @Test
    void refusesASubmitAfterClose() {
        open((note, job) -> "");
        pool().close();

        assertThatThrownBy(() -> submit("late")).isInstanceOf(PoolClosedException.class)
                .hasMessageContaining("the pool is closed").hasMessageContaining("'note' was not submitted");
    }

    @Test
    void acceptsSubmissionsFromManyThreads() throws Exception {
        open((note, job) -> note.text());
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<JobHandle<String>>>> handles = IntStream.range(0, 200)
                    .mapToObj(i -> callers.submit(() -> pool().trySubmit(note("n" + i)))).toList();
            for (int i = 0; i < handles.size(); i++) {
                assertThat(handles.get(i).get().orElseThrow().await(LONG)).isEqualTo("n" + i);
            }
        }
        assertThat(pool().stats().submitted()).isEqualTo(200);
    }
}
