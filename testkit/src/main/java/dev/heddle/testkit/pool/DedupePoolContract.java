package dev.heddle.testkit.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Dedupe;
import dev.heddle.job.JobState;
import dev.heddle.job.SubmitEffect;
import dev.heddle.pool.JobHandle;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Dedupe modes, as a pool applies them. */
abstract class DedupePoolContract extends PoolFixture {

    private final Semaphore go = new Semaphore(0);
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    DedupePoolContract(PoolContract contract) {
        super(contract);
    }

    /** The grace is long: an abandoned handler would run beside its successor. */
    private void openBlocked() {
        open(builder().workers(4).cancelGrace(LONG, LONG).register(NOTE, (note, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            job.cancellation().onCancel(go::release);
            try {
                go.acquire();
                ran.add(note.text());
                return note.text();
            } finally {
                running.decrementAndGet();
            }
        }));
    }

    private JobHandle<String> submit(String text, Dedupe mode) {
        return pool().submit(NOTE.with(new Note(text)).dedupeKey("k", mode));
    }

    private JobHandle<String> started(String text, Dedupe mode) {
        JobHandle<String> handle = submit(text, mode);
        await().until(() -> state(handle) == JobState.RUNNING);
        return handle;
    }

    @Test
    void aRunningJobIsFollowedByTheLastSubmit() throws Exception {
        openBlocked();
        JobHandle<String> first = started("1", Dedupe.replace());
        JobHandle<String> second = submit("2", Dedupe.replace());
        JobHandle<String> third = submit("3", Dedupe.replace());
        assertThat(List.of(first.effect(), second.effect(), third.effect())).containsExactly(SubmitEffect.CREATED,
                SubmitEffect.SUCCEEDS, SubmitEffect.REPLACED);
        assertThat(third.id()).isEqualTo(second.id());
        assertThat(List.of(first.isNew(), second.isNew(), third.isNew())).containsExactly(true, true, false);
        go.release(2);
        assertThat(first.await(LONG)).isEqualTo("1");
        assertThat(third.await(LONG)).isEqualTo("3");
        assertThat(ran).containsExactly("1", "3");
        assertThat(most).hasValue(1);
    }

    @Test
    void aNewerJobSupersedesARunningOne() throws Exception {
        openBlocked();
        JobHandle<String> first = started("1", Dedupe.supersede());
        JobHandle<String> second = submit("2", Dedupe.supersede());
        assertThat(second.effect()).isEqualTo(SubmitEffect.SUPERSEDED);
        assertThat(first.awaitEnd(LONG).state()).isEqualTo(JobState.CANCELLED);
        await().until(() -> state(second) == JobState.RUNNING);
        go.release();
        assertThat(second.await(LONG)).isEqualTo("2");
        assertThat(most).hasValue(1);
    }

    @Test
    void whoWaitsForASupersededJobIsTold() throws Exception {
        open(builder().register(NOTE, (note, job) -> note.text()));
        JobHandle<String> first = pool()
                .submit(NOTE.with(new Note("1")).delay(Duration.ofHours(1)).dedupeKey("k", Dedupe.supersede()));
        var end = first.completion();
        JobHandle<String> second = submit("2", Dedupe.supersede());
        assertThat(second.await(LONG)).isEqualTo("2");
        await().until(end::isDone);
        assertThat(end.join().reason()).hasValue("superseded by job " + second.id());
    }

    @Test
    void aReplacedJobRunsAtOnceIfItNeedNotWaitAnyMore() throws Exception {
        open(builder().register(NOTE, (note, job) -> note.text()));
        pool().submit(NOTE.with(new Note("1")).delay(Duration.ofHours(1)).dedupeKey("k", Dedupe.replace()));
        assertThat(submit("2", Dedupe.replace()).await(LONG)).isEqualTo("2");
    }

    @Test
    void aJobIsDebouncedByTheClockOfTheStore() throws Exception {
        open(steered(builder()).register(NOTE, (note, job) -> note.text()));
        Dedupe mode = Dedupe.debounce(Duration.ofMinutes(10), Duration.ofMinutes(15));
        JobHandle<String> first = submit("1", mode);
        clock.advance(Duration.ofMinutes(9));
        JobHandle<String> second = submit("2", mode);
        assertThat(second.effect()).isEqualTo(SubmitEffect.DEBOUNCED);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(first.job().orElseThrow().dueAt()).hasValue(clock.instant().plus(Duration.ofMinutes(6)));
        clock.advance(Duration.ofMinutes(6));
        assertThat(first.await(LONG)).isEqualTo("2");
    }

    @Test
    void aKeyIsRememberedForItsTime() throws Exception {
        open(steered(builder()).register(NOTE, (note, job) -> note.text()));
        Dedupe mode = Dedupe.within(Duration.ofHours(1));
        JobHandle<String> first = submit("1", mode);
        first.await(LONG);
        JobHandle<String> second = submit("2", mode);
        assertThat(second.id()).isEqualTo(first.id());
        assertThat(second.effect()).isEqualTo(SubmitEffect.UNCHANGED);
        assertThat(second.await(LONG)).isEqualTo("1");
        clock.advance(Duration.ofMinutes(61));
        assertThat(submit("3", mode).await(LONG)).isEqualTo("3");
    }
}
