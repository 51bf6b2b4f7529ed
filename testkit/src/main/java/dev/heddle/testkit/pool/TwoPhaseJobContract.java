package dev.heddle.testkit.pool;

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
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

/** Two-phase jobs: ingest spawns children, and aggregate combines their results. */
abstract class TwoPhaseJobContract extends PoolFixture {

    record Numbers(List<Integer> values) {}

    static final JobType<Numbers, Integer> SUM = JobType.of("sum", Numbers.class, Integer.class);
    static final JobType<Integer, Integer> SQUARE = JobType.of("square", Integer.class, Integer.class);

    TwoPhaseJobContract(PoolContract contract) {
        super(contract);
    }

    /** Adds up the squares of numbers; each number is a child job. */
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
        return builder().register(SUM, handler).register(SQUARE, (value, job) -> value * value);
    }

    private JobHandle<Integer> sum(int... values) {
        return pool().submit(SUM, new Numbers(IntStream.of(values).boxed().toList()));
    }

    private JobDetails story(JobHandle<?> handle) {
        return pool().admin().details(handle.id()).orElseThrow();
    }

    @Test
    void aggregatesTheResultsOfItsChildren() throws Exception {
        open(summing(new SumOfSquares()));

        JobHandle<Integer> handle = sum(1, 2, 3);

        assertThat(handle.await(LONG)).isEqualTo(14);
        JobDetails story = story(handle);
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.INGESTED,
                Attempt.End.COMPLETED);
        // From RUNNING, or from ASSIGNED if the start was not committed before the end.
        assertThat(story.history()).extracting(HistoryEntry::to, HistoryEntry::reason).containsExactly(
                tuple(JobState.WAITING, "Ingested: waits for 3 children"),
                tuple(JobState.QUEUED, "All children have ended"));
        assertThat(story.children()).isEqualTo(Map.of(JobState.COMPLETED, 3L));
        assertThat(pool().admin().children(handle.id()).counts()).isEqualTo(story.children());
        assertThat(pool().admin().children(handle.id()).results(SQUARE)).containsExactly(1, 4, 9);
        assertThat(pool().admin().children(JobId.next()).stream()).isEmpty();
        assertThat(story.job().counts().failures()).isZero();
    }

    /** With a single worker, a parent that kept it would wait forever. */
    @Test
    void holdsNoWorkerWhileItWaits() throws Exception {
        open(summing(new SumOfSquares()).workers(1));

        List<JobHandle<Integer>> handles = IntStream.range(0, 5).mapToObj(i -> sum(i, i + 1)).toList();

        for (int i = 0; i < handles.size(); i++) {
            assertThat(handles.get(i).await(LONG)).isEqualTo(i * i + (i + 1) * (i + 1));
        }
    }

    @Test
    void aggregatesAtOnceWithoutChildren() throws Exception {
        open(summing(new SumOfSquares()));

        assertThat(sum().await(LONG)).isZero();
    }

    @Test
    void showsAsWaitingUntilTheLastChildEnds() throws Exception {
        CountDownLatch release = new CountDownLatch(1);
        open(builder().register(SUM, new SumOfSquares()).register(SQUARE, (value, job) -> {
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
    void passesFailedAndCancelledChildrenToAggregate() throws Exception {
        JobType<Numbers, String> report = JobType.of("report", Numbers.class, String.class);
        CountDownLatch spawned = new CountDownLatch(1);
        open(builder().retry(RetryPolicy.none()).register(report, new TwoPhaseHandler<Numbers, String>() {
            @Override
            public void ingest(Numbers numbers, JobContext job) {
                numbers.values().forEach(value -> job.spawn(SQUARE.with(value).subject("number " + value)
                        .delay(value == 3 ? Duration.ofHours(1) : Duration.ZERO)));
            }

            @Override
            public String aggregate(Numbers numbers, Children children, JobContext job) {
                return children.counts() + " "
                        + String.join("; ", children.stream()
                                .map(child -> child.job().spec().subject().orElse("") + " " + child.state() + " "
                                        + child.job().failure().map(f -> f.message()).or(() -> child.job().reason())
                                                .orElseGet(() -> child.result(SQUARE).map(String::valueOf).orElse("")))
                                .toList());
            }
        }).register(SQUARE, (value, job) -> {
            if (value == 2) {
                throw JobException.permanent("I hate two");
            }
            spawned.countDown();
            return value * value;
        }));
        JobHandle<String> handle = pool().submit(report, new Numbers(List.of(1, 2, 3)));
        spawned.await();
        JobId late = pool().admin().list(JobQuery.all().parent(handle.id()).states(JobState.SCHEDULED)).getFirst().id();

        pool().admin().cancel(late, "too late");

        assertThat(handle.await(LONG)).isEqualTo("{COMPLETED=1, FAILED=1, CANCELLED=1} "
                + "number 1 COMPLETED 1; number 2 FAILED I hate two; number 3 CANCELLED too late");
    }

    @Test
    void spawnsChildrenOnlyForTheIngestThatSucceeds() throws Exception {
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
    void retriesAFailedAggregateWithoutRepeatingIngest() throws Exception {
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
                return super.aggregate(numbers, children, job) + job.checkpoint(Integer.class).orElseThrow();
            }
        }));

        JobHandle<Integer> handle = sum(2, 3);

        assertThat(handle.await(LONG)).as("uses the state that ingest saved").isEqualTo(113);
        assertThat(ingests).hasValue(1);
        assertThat(story(handle).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.INGESTED,
                Attempt.End.FAILED, Attempt.End.COMPLETED);
    }

    @Test
    void nestsTwoPhaseJobs() throws Exception {
        JobType<Integer, Integer> tower = JobType.of("tower", Integer.class, Integer.class);
        open(builder().workers(2).register(tower, new TwoPhaseHandler<Integer, Integer>() {
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

        assertThat(pool().submit(tower, 4).await(LONG)).as("the number of nodes of a binary tree").isEqualTo(31);
    }

    @Test
    void readsManyChildrenInSpawnOrder() throws Exception {
        int many = 1_234;
        Set<Integer> ran = ConcurrentHashMap.newKeySet();
        JobType<Integer, Boolean> ordered = JobType.of("ordered", Integer.class, Boolean.class);
        open(builder().queueCapacity(5).register(ordered, new TwoPhaseHandler<Integer, Boolean>() {
            @Override
            public void ingest(Integer count, JobContext job) {
                IntStream.range(0, count).forEach(i -> job.spawn(SQUARE, i));
            }

            @Override
            public Boolean aggregate(Integer count, Children children, JobContext job) {
                return children.results(SQUARE).toList().equals(IntStream.range(0, count).boxed().toList());
            }
        }).register(SQUARE, (value, job) -> {
            ran.add(value);
            return value;
        }));

        assertThat(pool().submit(ordered, many).await(LONG)).isTrue();
        assertThat(ran).hasSize(many);
    }

    @Test
    void refusesAChildOfAnUnknownParent() {
        open(summing(new SumOfSquares()));
        JobId nobody = JobId.next();

        assertThatThrownBy(() -> pool().submit(SQUARE.with(1).parent(nobody))).isInstanceOf(NoSuchJobException.class)
                .hasMessage("no job has the id " + nobody + ", which was given as a parent; submit the parent first");
    }
}
