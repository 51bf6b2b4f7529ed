package dev.heddle;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Submitter;
import dev.heddle.store.Store;
import dev.heddle.testkit.Torture;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** One key has very many waiting jobs; others, which come later, have ten each and end among the first jobs. */
class FairnessTest {

    private static final int BIG = Torture.rounds(20_000, 100_000);
    private static final int SMALL_KEYS = 100;
    private static final int EACH = 10;
    private static final int SOON = (BIG + SMALL_KEYS * EACH) / 20;

    private static final JobType<String, Void> WORK = JobType.of("work", String.class, Void.class);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void aKeyWithManyWaitingJobsDoesNotDelayOthers(StoreLocations.Kind kind) throws Exception {
        String location = StoreLocations.create(kind, directory);
        AtomicInteger ended = new AtomicInteger();
        AtomicInteger endedBig = new AtomicInteger();
        CountDownLatch small = new CountDownLatch(SMALL_KEYS * EACH);
        Store store = StoreLocations.open(location);
        store.capability(LimitStore.class).orElseThrow()
                .setLimit(Limit.named("per-key").maxConcurrent(20));
        submit(Pool.on(store).submitter());
        AtomicInteger position = new AtomicInteger();
        try (Pool _ = Pool.on(store).workers(4).registerVoid(WORK, (key, _) -> {
            int number = ended.incrementAndGet();
            if (key.equals("big")) {
                endedBig.incrementAndGet();
            } else {
                position.accumulateAndGet(number, Math::max);
                small.countDown();
            }
        }).open()) {
            small.await();
        }
        System.out.printf(
                "FairnessTest: on %s, the small keys ended after %,d of %,d jobs, %,d of them of the big key%n",
                kind, position.get(), BIG + SMALL_KEYS * EACH, position.get() - SMALL_KEYS * EACH);
        assertThat(position.get()).isLessThan(SOON);
        assertThat(endedBig).as("jobs of the big key, which has its turns, too").hasPositiveValue();
    }

    private static void submit(Submitter submitter) {
        for (int i = 0; i < BIG; i += 5_000) {
            submitter.submit(IntStream.range(0, 5_000).mapToObj(_ -> of("big")).toList());
        }
        List<JobRequest<String, Void>> others = IntStream.range(0, SMALL_KEYS * EACH)
                .mapToObj(i -> of("small-" + i / EACH)).toList();
        submitter.submit(others);
    }

    private static JobRequest<String, Void> of(String key) {
        return WORK.with(key).limitKey("per-key", key);
    }
}
