package dev.heddle.testkit.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobState;
import dev.heddle.limit.Limit;
import dev.heddle.limit.Limit.WhenFull;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.LimitReachedException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Limits per key, as a pool applies them. */
abstract class LimitContract extends PoolFixture {

    private static final Limit ONE = Limit.named("notes").ofType("note").maxConcurrent(1);

    private final CountDownLatch go = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    LimitContract(PoolContract contract) {
        super(contract);
    }

    /** The grace is long: an abandoned handler would run beside its successor. */
    private void openBlocked() {
        open(builder().workers(4).cancelGrace(LONG, LONG).register(NOTE, (note, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            job.cancellation().onCancel(go::countDown);
            try {
                go.await();
                return "done";
            } finally {
                running.decrementAndGet();
            }
        }));
    }

    @Test
    void runsOneAfterAnotherOnceEachSlotIsFree() throws Exception {
        openBlocked();
        pool().admin().setLimit(ONE);
        List<JobHandle<String>> handles = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            handles.add(submit("note " + i));
        }
        go.countDown();
        for (JobHandle<String> handle : handles) {
            assertThat(handle.await(LONG)).isEqualTo("done");
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void raisingALimitStartsWaitingJobs() throws Exception {
        openBlocked();
        pool().admin().setLimit(ONE);
        JobHandle<String> first = submit("first");
        JobHandle<String> second = submit("second");
        await().until(() -> state(first) == JobState.RUNNING);
        assertThat(state(second)).isEqualTo(JobState.QUEUED);
        pool().admin().setLimit(ONE.maxConcurrent(2));
        await().until(() -> running.get() == 2);
        go.countDown();
        assertThat(second.await(LONG)).isEqualTo("done");
    }

    @Test
    void refusesAJobIfTheLimitDropsNewOnes() throws Exception {
        openBlocked();
        pool().admin().setLimit(ONE.whenFull(WhenFull.DROP_NEW));
        JobHandle<String> first = submit("first");
        assertThatThrownBy(() -> submit("second")).isInstanceOf(LimitReachedException.class)
                .hasMessageStartingWith("limit 'notes' has no room for key '*'");
        go.countDown();
        first.await(LONG);
        assertThat(submit("third").await(LONG)).isEqualTo("done");
    }

    @Test
    void cancelsTheOldestJobIfTheLimitMakesRoomForNewOnes() throws Exception {
        openBlocked();
        pool().admin().setLimit(ONE.whenFull(WhenFull.CANCEL_RUNNING));
        JobHandle<String> first = submit("first");
        await().until(() -> state(first) == JobState.RUNNING);
        JobHandle<String> second = submit("second");
        assertThat(second.await(LONG)).isEqualTo("done");
        assertThat(state(first)).isEqualTo(JobState.CANCELLED);
        assertThat(most).hasValue(1);
    }

    @Test
    void refusesAJobThatNamesAnUnknownLimit() {
        openBlocked();
        assertThatThrownBy(() -> pool().submit(NOTE.with(new Note("x")).limitKey("tow", "42")))
                .isInstanceOf(IllegalArgumentException.class).hasMessage("there is no limit 'tow'");
        assertThat(pool().admin().countJobs().live()).isEmpty();
    }
}
