package dev.heddle.testkit.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.pool.JobHandle;
import dev.heddle.store.JobDetails;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Steps and checkpoints: the state that carries over to the next attempt. */
abstract class CheckpointContract extends PoolFixture {

    CheckpointContract(PoolContract contract) {
        super(contract);
    }

    record Done(int items) {}

    @Test
    void runsAStepOnceAndReplaysItsResult() throws Exception {
        AtomicInteger charged = new AtomicInteger();
        open((note, job) -> {
            String receipt = job.step("charge", String.class, () -> "receipt " + charged.incrementAndGet());
            if (job.attempt() < 3) {
                throw new IllegalStateException("after the step");
            }
            return receipt;
        });

        assertThat(submit("x").await(LONG)).isEqualTo("receipt 1");
        assertThat(charged).hasValue(1);
    }

    @Test
    void remembersAStepThatReturnsNull() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        open((note, job) -> {
            job.step("touch", () -> {
                ran.incrementAndGet();
            });
            if (job.attempt() == 1) {
                throw new IllegalStateException("again");
            }
            return "done";
        });

        assertThat(submit("x").await(LONG)).isEqualTo("done");
        assertThat(ran).hasValue(1);
    }

    @Test
    void rerunsAFailedStep() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        open((note, job) -> job.step("flaky", String.class, () -> {
            if (ran.incrementAndGet() == 1) {
                throw new IllegalStateException("once");
            }
            return "ok";
        }));

        assertThat(submit("x").await(LONG)).isEqualTo("ok");
        assertThat(ran).hasValue(2);
    }

    @Test
    void failsPermanentlyIfAStepNameIsUsedTwice() {
        open((note, job) -> job.step("same", String.class, () -> "1") + job.step("same", String.class, () -> "2"));

        Job job = end(submit("x"));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.counts().attempt()).isEqualTo(1);
        assertThat(job.reason().orElseThrow()).contains("step 'same' was used twice")
                .contains("give each step a unique name");
    }

    @Test
    void resumesFromTheCheckpointOfThePreviousAttempt() throws Exception {
        List<Integer> items = new CopyOnWriteArrayList<>();
        open((note, job) -> {
            int done = job.checkpoint(Done.class).map(Done::items).orElse(0);
            for (int item = done + 1; item <= 5; item++) {
                if (item == 3 && job.attempt() == 1) {
                    throw JobException.partial("item 3", new IllegalStateException("not now"));
                }
                items.add(item);
                job.saveCheckpoint(new Done(item));
                assertThat(job.checkpoint(Done.class)).contains(new Done(item));
            }
            return "all";
        });

        JobHandle<String> handle = submit("x");
        assertThat(handle.await(LONG)).isEqualTo("all");
        assertThat(items).containsExactly(1, 2, 3, 4, 5);
        JobDetails story = pool().admin().details(handle.id()).orElseThrow();
        assertThat(story.saved().checkpoint()).as("deleted when the job completes").isEmpty();
    }

    @Test
    void keepsTheCheckpointOfADeadLetterForItsRetry() throws Exception {
        AtomicInteger broken = new AtomicInteger(1);
        open((note, job) -> {
            if (job.checkpoint(Done.class).isEmpty()) {
                job.saveCheckpoint(new Done(1));
            }
            if (broken.get() == 1) {
                throw JobException.permanent("broken");
            }
            return "from " + job.checkpoint(Done.class).orElseThrow().items();
        });
        JobHandle<String> handle = submit("x");
        assertThat(end(handle).state()).isEqualTo(JobState.FAILED);
        assertThat(pool().admin().deadLetters().find(handle.id()).orElseThrow().checkpoint())
                .isEqualToIgnoringWhitespace("{\"items\":1}");

        broken.set(0);
        pool().admin().deadLetters().retry(handle.id());
        assertThat(handle.await(LONG)).isEqualTo("from 1");
    }

    @Test
    void refusesACheckpointOverTheLimit() {
        open(builder().payloadLimit(50).register(NOTE, (note, job) -> {
            job.saveCheckpoint("x".repeat(100));
            return "";
        }));

        Job job = end(submit("x"));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.reason().orElseThrow()).contains("checkpoint of job").contains("102 bytes").contains("50");
    }
}
