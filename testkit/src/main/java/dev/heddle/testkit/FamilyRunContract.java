package dev.heddle.testkit;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.Children;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Story;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** Two-phase jobs: ingest, the children, aggregate. */
abstract class FamilyRunContract extends PoolFixture {

    record Numbers(List<Integer> values) {}

    static final JobType<Numbers, Integer> SUM = JobType.of("sum", Numbers.class, Integer.class);
    static final JobType<Integer, Integer> SQUARE = JobType.of("square", Integer.class, Integer.class);

    FamilyRunContract(PoolContract door) {
        super(door);
    }

    /** Sums up the squares of numbers, each of which is a child. */
    static class SumOfSquares implements TwoPhaseHandler<Numbers, Integer> {
        @Override
        public void ingest(Numbers numbers, JobContext job) throws Exception {
            numbers.values().forEach(value -> job.spawn(SQUARE, value));
        }

        @Override
        public Integer aggregate(Numbers numbers, Children children, JobContext job) {
            return children.results(SQUARE).mapToInt(Integer::intValue).sum();
        }
    }

    private PoolBuilder summing(TwoPhaseHandler<Numbers, Integer> handler) {
        return builder().handle(SUM, handler).handle(SQUARE, (value, job) -> value * value);
    }

    private JobHandle<Integer> sum(int... values) {
        return pool().submit(SUM, new Numbers(IntStream.of(values).boxed().toList()));
    }

    private Story story(JobHandle<?> handle) {
        return pool().story(handle.id()).orElseThrow();
    }

    @Test
    void aggregatesWhatItsChildrenMade() throws Exception {
        open(summing(new SumOfSquares()));

        JobHandle<Integer> handle = sum(1, 2, 3);

        assertThat(handle.await(LONG)).isEqualTo(14);
        Story story = story(handle);
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.INGESTED,
                Attempt.End.COMPLETED);
        // From RUNNING, or from ASSIGNED where the start was not yet written when it was over.
        assertThat(story.history()).extracting(HistoryEntry::to, HistoryEntry::reason).containsExactly(
                tuple(JobState.WAITING, "Ingested: waits for 3 children"),
                tuple(JobState.QUEUED, "All children have ended"));
        assertThat(story.children()).isEqualTo(Map.of(JobState.COMPLETED, 3L));
        assertThat(pool().children(handle.id()).counts()).isEqualTo(story.children());
        assertThat(pool().children(handle.id()).results(SQUARE)).containsExactly(1, 4, 9);
        assertThat(pool().children(JobId.next()).stream()).isEmpty();
        assertThat(story.job().counts().failures()).isZero();
    }

    /** With one worker, a parent that held it would wait for ever. */
    @Test
    void holdsNoWorkerWhileItWaits() throws Exception {
        open(summing(new SumOfSquares()).workers(1));

        List<JobHandle<Integer>> handles = IntStream.range(0, 5).mapToObj(i -> sum(i, i + 1)).toList();

        for (int i = 0; i < handles.size(); i++) {
            assertThat(handles.get(i).await(LONG)).isEqualTo(i * i + (i + 1) * (i + 1));
        }
    }

    @Test
    void goesStraightOnWithoutChildren() throws Exception {
        open(summing(new SumOfSquares()));

        assertThat(sum().await(LONG)).isZero();
    }

    @Test
    void waitsInSightOfEverybodyUntilTheLastChildHasEnded() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        open(builder().handle(SUM, new SumOfSquares()).handle(SQUARE, (value, job) -> {
            if (value == 3) {
                release.await();
            }
            return value * value;
        }));
        JobHandle<Integer> handle = sum(1, 2, 3);

        await().until(() -> story(handle).children().getOrDefault(JobState.COMPLETED, 0L) == 2);
        assertThat(state(handle)).isEqualTo(JobState.WAITING);
        assertThat(story(handle).job().status().node()).isNull();
        release.countDown();

        assertThat(handle.await(LONG)).isEqualTo(14);
    }

    @Test
    void tellsTheAggregateOfFailedAndCancelledChildren() throws Exception {
        JobType<Numbers, String> report = JobType.of("report", Numbers.class, String.class);
        CountDownLatch spawned = new CountDownLatch(1);
        open(builder().retry(RetryPolicy.none()).handle(report, new TwoPhaseHandler<Numbers, String>() {
            @Override
            public void ingest(Numbers numbers, JobContext job) {
                numbers.values().forEach(value -> job.spawn(SQUARE.with(value).subject("number " + value)
                        .delay(value == 3 ? Duration.ofHours(1) : Duration.ZERO)));
            }

            @Override
            public String aggregate(Numbers numbers, Children children, JobContext job) {
                return children.counts() + " " + String.join("; ", children.stream()
                        .map(child -> child.job().spec().subject().orElse("") + " " + child.state() + " "
                                + child.job().failure().map(f -> f.message())
                                        .or(() -> child.job().reason())
                                        .orElseGet(
                                                () -> child.result(SQUARE).map(String::valueOf).orElse("")))
                        .toList());
            }
        }).handle(SQUARE, (value, job) -> {
            if (value == 2) {
                throw JobException.permanent("I hate two");
            }
            spawned.countDown();
            return value * value;
        }));
        JobHandle<String> handle = pool().submit(report, new Numbers(List.of(1, 2, 3)));
        spawned.await();
        JobId late = pool().list(JobQuery.all().parent(handle.id()).states(JobState.SCHEDULED)).getFirst()
                .id();

        pool().cancel(late, "too late");

        assertThat(handle.await(LONG)).isEqualTo("{COMPLETED=1, FAILED=1, CANCELLED=1} "
                + "number 1 COMPLETED 1; number 2 FAILED I hate two; number 3 CANCELLED too late");
    }

    @Test
    void spawnsNothingWhereTheIngestFailsAndOneSetWhereItIsRepeated() throws Exception {
        AtomicInteger ingests = new AtomicInteger();
        open(summing(new SumOfSquares() {
            @Override
            public void ingest(Numbers numbers, JobContext job) throws Exception {
                super.ingest(numbers, job);
                if (ingests.incrementAndGet() < 3) {
                    throw JobException.transientFailure("after it spawned");
                }
            }
        }));

        JobHandle<Integer> handle = sum(2, 3);

        assertThat(handle.await(LONG)).isEqualTo(13);
        assertThat(ingests).hasValue(3);
        assertThat(story(handle).children()).isEqualTo(Map.of(JobState.COMPLETED, 2L));
    }

    @Test
    void repeatsAnAggregateThatFailsAndNotTheIngest() throws Exception {
        AtomicInteger ingests = new AtomicInteger();
        open(summing(new SumOfSquares() {
            @Override
            public void ingest(Numbers numbers, JobContext job) throws Exception {
                ingests.incrementAndGet();
                job.saveCheckpoint(100);
                super.ingest(numbers, job);
            }

            @Override
            public Integer aggregate(Numbers numbers, Children children, JobContext job) {
                if (job.attempt() == 2) {
                    throw JobException.transientFailure("at first");
                }
                return super.aggregate(numbers, children, job)
                        + job.checkpoint(Integer.class).orElseThrow();
            }
        }));

        JobHandle<Integer> handle = sum(2, 3);

        assertThat(handle.await(LONG)).as("with what the ingest saved").isEqualTo(113);
        assertThat(ingests).hasValue(1);
        assertThat(story(handle).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.INGESTED,
                Attempt.End.FAILED, Attempt.End.COMPLETED);
    }

    @Test
    void nestsFamilies() throws Exception {
        JobType<Integer, Integer> tower = JobType.of("tower", Integer.class, Integer.class);
        open(builder().workers(2).handle(tower, new TwoPhaseHandler<Integer, Integer>() {
            @Override
            public void ingest(Integer height, JobContext job) {
                for (int i = 0; height > 0 && i < 2; i++) {
                    job.spawn(tower, height - 1);
                }
            }

            @Override
            public Integer aggregate(Integer height, Children children, JobContext job) {
                return 1 + children.results(tower).mapToInt(Integer::intValue).sum();
            }
        }));

        assertThat(pool().submit(tower, 4).await(LONG)).as("jobs of a binary tree").isEqualTo(31);
    }

    @Test
    void readsManyChildrenInTheirOrder() throws Exception {
        int many = 1_234;
        Set<Integer> ran = ConcurrentHashMap.newKeySet();
        JobType<Integer, Boolean> ordered = JobType.of("ordered", Integer.class, Boolean.class);
        open(builder().queueCapacity(5).handle(ordered, new TwoPhaseHandler<Integer, Boolean>() {
            @Override
            public void ingest(Integer count, JobContext job) {
                IntStream.range(0, count).forEach(i -> job.spawn(SQUARE, i));
            }

            @Override
            public Boolean aggregate(Integer count, Children children, JobContext job) {
                return children.results(SQUARE).toList().equals(IntStream.range(0, count).boxed().toList());
            }
        }).handle(SQUARE, (value, job) -> {
            ran.add(value);
            return value;
        }));

        assertThat(pool().submit(ordered, many).await(LONG)).isTrue();
        assertThat(ran).hasSize(many);
    }

    @Test
    void refusesAChildOfAJobThatDoesNotExist() {
        open(summing(new SumOfSquares()));
        JobId nobody = JobId.next();

        assertThatThrownBy(() -> pool().submit(SQUARE.with(1).parent(nobody)))
                .isInstanceOf(NoSuchJobException.class)
                .hasMessage("no job has the id " + nobody
                        + ", which should be a parent; submit the parent first");
    }
}
