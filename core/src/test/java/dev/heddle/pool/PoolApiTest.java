package dev.heddle.pool;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.heddle.job.Affinity;
import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.job.TypeRef;
import dev.heddle.job.VoidJobHandler;
import dev.heddle.memory.MemoryStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

@Timeout(60)
class PoolApiTest {

    private record Order(String item, int count) {}

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final JobType<String, Void> NOTE = JobType.of("note", String.class);
    private static final JobType<Void, Void> TICK = JobType.of("tick");
    private static final JobType<List<Order>, Map<String, Integer>> COUNT = JobType.of("count",
            new TypeRef<>() {},
            new TypeRef<>() {});
    private static final TypeRef<List<Order>> ORDERS = new TypeRef<>() {};
    private static final TwoPhaseHandler<String, Void> TWO_PHASES = new TwoPhaseHandler<>() {
        @Override
        public void ingest(String payload, JobContext job) {}

        @Override
        public @Nullable Void aggregate(String payload, Children children, JobContext job) {
            return null;
        }
    };
    private static final JobHandler<String, Void> IN_ONE = (note, job) -> null;

    private final Queue<String> seen = new ConcurrentLinkedQueue<>();

    private static PoolBuilder builder() {
        return Pool.on(new MemoryStore()).retry(RetryPolicy.none());
    }

    @Test
    void runsAHandlerWithoutAResult() throws Exception {
        try (Pool pool = builder().registerVoid(NOTE, (note, job) -> seen.add(note)).open()) {
            assertThat(pool.submit(NOTE, "hello").await(SOON)).isNull();
        }
        assertThat(seen).containsExactly("hello");
    }

    @Test
    void tellsAHandlerWithoutAResultOfADeadJob() throws Exception {
        VoidJobHandler<String> handler = new VoidJobHandler<>() {
            @Override
            public void handle(String note, JobContext job) {
                throw JobException.permanent("no");
            }

            @Override
            public void onDead(Job job) {
                seen.add(job.payload(NOTE));
            }
        };
        try (Pool pool = builder().open()) {
            pool.registerVoid(NOTE, handler);
            assertThat(pool.submit(NOTE, "hello").awaitEnd(SOON).state()).isEqualTo(JobState.FAILED);
            assertThat(pool.awaitIdle(SOON)).isTrue();
        }
        assertThat(seen).containsExactly("hello");
    }

    @Test
    void refusesALateTypeWithAnAffinityIfItsGroupHasNoSessions() {
        JobType<String, Void> chat = NOTE.affinity(Affinity.STRICT_QUEUE);
        try (Pool pool = builder().open()) {
            assertThatIllegalArgumentException().isThrownBy(() -> pool.register(chat, IN_ONE))
                    .withMessage("job type 'note' has an affinity, but group 'default' was opened without sessions;"
                            + " register the type before the pool opens");
            assertThat(pool.admin().types()).isEmpty();
        }
        JobType<String, Void> other = JobType.of("other", String.class).affinity(Affinity.HINT);
        try (Pool pool = builder().register(other, IN_ONE).open()) {
            pool.register(chat, IN_ONE);
            assertThat(pool.admin().keepsSessions("note")).isTrue();
        }
    }

    @Test
    void submitsAJobWithoutAPayload() throws Exception {
        try (Pool pool = builder().registerVoid(TICK, (none, job) -> seen.add("tick")).open()) {
            JobHandle<Void> handle = pool.submit(TICK);

            assertThat(handle.await(SOON)).isNull();
            assertThat(handle.isNew()).isTrue();
        }
        assertThat(seen).containsExactly("tick");
    }

    @Test
    void passesGenericPayloadsResultsStepsAndCheckpoints() throws Exception {
        try (Pool pool = builder().register(COUNT, (orders, job) -> {
            List<Order> doubled = job.step("double", ORDERS,
                    () -> orders.stream().map(order -> new Order(order.item(), 2 * order.count())).toList());
            job.saveCheckpoint(doubled);
            Order first = job.checkpoint(ORDERS).orElseThrow().getFirst();
            return Map.of(first.item(), first.count());
        }).open()) {
            JobHandle<Map<String, Integer>> handle = pool.submit(COUNT, List.of(new Order("cup", 2)));

            assertThat(handle.await(SOON)).isEqualTo(Map.of("cup", 4));
            Job job = pool.find(handle.id()).orElseThrow();
            assertThat(job.payload(COUNT)).containsExactly(new Order("cup", 2));
            assertThat(job.result(COUNT)).contains(Map.of("cup", 4));
        }
    }

    @Test
    void refusesASecondHandlerInTheBuilder() {
        String refusal = "job type 'note' has a handler already";
        PoolBuilder builder = builder().register(NOTE, IN_ONE);

        assertThatIllegalArgumentException().isThrownBy(() -> builder.register(NOTE, IN_ONE))
                .withMessage(refusal);
        assertThatIllegalArgumentException().isThrownBy(() -> builder.register(NOTE, TWO_PHASES))
                .withMessage(refusal);
        assertThatIllegalArgumentException().isThrownBy(() -> builder.registerVoid(NOTE, (note, job) -> {}))
                .withMessage(refusal);
    }

    @Test
    void refusesASecondHandlerInAnOpenPool() {
        String refusal = "job type 'note' has a handler already";
        try (Pool pool = builder().open()) {
            pool.register(NOTE, TWO_PHASES);

            assertThatIllegalArgumentException().isThrownBy(() -> pool.register(NOTE, IN_ONE))
                    .withMessage(refusal);
            assertThatIllegalArgumentException().isThrownBy(() -> pool.register(NOTE, TWO_PHASES))
                    .withMessage(refusal);
            assertThat(pool.registerIfAbsent(NOTE, IN_ONE)).isFalse();
            assertThat(pool.registerIfAbsent(COUNT, (orders, job) -> Map.of())).isTrue();
        }
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    void namesAnArgumentThatIsNull() {
        PoolBuilder builder = builder();
        assertThatNullPointerException().isThrownBy(() -> Pool.on(null)).withMessage("store");
        assertThatNullPointerException().isThrownBy(() -> builder.registerVoid(NOTE, null))
                .withMessage("handler");
        assertThatNullPointerException().isThrownBy(() -> builder.listener(null)).withMessage("listener");
        assertThatNullPointerException().isThrownBy(() -> builder.gate(null)).withMessage("gate");
        assertThatNullPointerException().isThrownBy(() -> builder.retention(null)).withMessage("limits");
        try (Pool pool = builder.open()) {
            assertThatNullPointerException().isThrownBy(() -> pool.find(null)).withMessage("id");
            assertThatNullPointerException().isThrownBy(() -> pool.admin().cancel(null, "x"))
                    .withMessage("id");
            assertThatNullPointerException().isThrownBy(() -> pool.admin().pauseQueue(null))
                    .withMessage("queue");
        }
    }
}
