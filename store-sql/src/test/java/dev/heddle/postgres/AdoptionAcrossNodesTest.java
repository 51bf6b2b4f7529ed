package dev.heddle.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.postgres.OutlivingNode.Machine;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Wire;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Work that outlives its node, in a store that several machines share. */
class AdoptionAcrossNodesTest {

    private static final Machine LOOM = new Machine("loom", "boot-1");
    private static final Machine ANOTHER = new Machine("another", "boot-7");

    private final Schemas schemas = new Schemas(Version.V18);
    private final List<Pool> pools = new ArrayList<>();
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final Semaphore mayEnd = new Semaphore(0);

    @BeforeEach
    void makeTheSchema() {
        schemas.openNew().close();
    }

    @AfterEach
    void close() {
        mayEnd.release(100);
        pools.forEach(Pool::close);
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(30)).pollInterval(Duration.ofMillis(20));
    }

    private JobHandler<String, String> handler(String node) {
        return (_, job) -> {
            job.outliveNode();
            started.add(node + "/" + job.attempt());
            while (!mayEnd.tryAcquire()) {
                job.sleep(Duration.ofMillis(5));
            }
            return "done";
        };
    }

    private Pool open(String node, PoolBuilder builder) {
        Pool pool = builder.handle(OutlivingNode.WORK, handler(node)).open();
        pools.add(pool);
        return pool;
    }

    private Pool open(String node, Machine machine) {
        return open(node, OutlivingNode.on(schemas.openAgain(), machine));
    }

    /** A node of LOOM is killed with SIGKILL, and its work goes on. */
    private void killANode() {
        try (ChildJvm child = ChildJvm.start(OutlivingNode.class, schemas.url(), schemas.schema(),
                LOOM.machine(), LOOM.boot())) {
            child.awaitLine("at work"::equals);
            child.kill();
        }
    }

    /** One whose lease is over soon where it cannot be renewed, and not so soon that it would be by itself. */
    private static PoolBuilder lapsing(Store store) {
        return OutlivingNode.on(store, LOOM).lease(Duration.ofSeconds(8)).cancelGrace(Duration.ofMillis(100),
                Duration.ofSeconds(4));
    }

    private JobId startOn(Pool pool) {
        JobId id = pool.submit(OutlivingNode.WORK, "x").id();
        await().until(() -> started.size() == 1);
        // A handler may run before its start is written.
        await().until(() -> pool.find(id).orElseThrow().state() == JobState.RUNNING);
        return id;
    }

    private void buryAllBut(Pool survivor) {
        survivor.nodes().stream().map(NodeRecord::id).filter(id -> !id.equals(survivor.nodeId()))
                .forEach(schemas::bury);
    }

    private static Job job(Pool pool) {
        return pool.list(JobQuery.all()).getFirst();
    }

    private static List<Attempt> attempts(Pool pool) {
        return pool.story(job(pool).id()).orElseThrow().attempts();
    }

    @Test
    void isNotStartedOnAnotherMachineUntilAMinuteAfterItsDeadline() {
        killANode();
        ManualClock clock = new ManualClock(Instant.now());
        Pool other = open("other", OutlivingNode.on(schemas.openAgain(), ANOTHER).clock(clock));
        buryAllBut(other);
        Instant until = Objects.requireNonNull(job(other).status().startedAt()).plus(Duration.ofMinutes(11));
        assertThat(job(other).state()).isEqualTo(JobState.RUNNING);

        clock.advance(Duration.between(clock.instant(), until.minusMillis(1)));
        JobId quick = other.submit(OutlivingNode.WORK, "y").id();
        await().until(() -> started.size() == 1);
        mayEnd.release();
        await().until(() -> other.find(quick).orElseThrow().state() == JobState.COMPLETED);
        JobId kept = other.list(JobQuery.all()).getLast().id();
        assertThat(other.find(kept).orElseThrow().state()).isEqualTo(JobState.RUNNING);

        clock.advance(Duration.ofMillis(1));
        await().until(() -> started.contains("other/2"));
        mayEnd.release();
        await().until(() -> other.find(kept).orElseThrow().state() == JobState.COMPLETED);
    }

    @Test
    void isAdoptedOnItsMachineThoughAnotherNodeBuriedItsOwn() {
        killANode();
        Pool other = open("other", ANOTHER);
        buryAllBut(other);

        Pool next = open("next", LOOM);

        await().until(() -> started.contains("next/1"));
        assertThat(job(next).status().node()).isEqualTo(next.nodeId());
        mayEnd.release();
        await().until(() -> job(next).state() == JobState.COMPLETED);
        assertThat(started).containsExactly("next/1");
        assertThat(attempts(next)).extracting(Attempt::number, Attempt::node, Attempt::end)
                .containsExactly(tuple(1, next.nodeId(), Attempt.End.COMPLETED));
    }

    /** Its node has the home, and knows: nobody has to wait for the lease of the dead one. */
    @Test
    void isAdoptedBeforeTheLeaseOfTheDeadNodeHasEnded() {
        killANode();
        Pool next = open("next", LOOM);
        assertThat(next.nodes()).hasSize(2);
        await().until(() -> started.contains("next/1"));
        buryAllBut(next);
        assertThat(job(next).state()).isEqualTo(JobState.RUNNING);
        assertThat(started).containsExactly("next/1");
    }

    /** A node that loses touch leaves its work alone, and takes it up when it is back. */
    @Test
    void isTakenUpAgainByANodeThatHadLostTouch() {
        Wire wire = new Wire(schemas.openAgain());
        Pool pool = open("only", lapsing(wire.store()));
        JobId id = startOn(pool);
        wire.cut("renew", "apply", "claim", "recover", "reserved", "adopt");
        await().until(() -> pool.stats().active() == 0);
        assertThat(pool.find(id).orElseThrow().state()).isEqualTo(JobState.RUNNING);

        wire.mend();

        await().until(() -> started.size() == 2);
        assertThat(started).containsExactly("only/1", "only/1");
        mayEnd.release();
        await().until(() -> pool.find(id).orElseThrow().state() == JobState.COMPLETED);
        assertThat(attempts(pool)).extracting(Attempt::number).containsExactly(1);
    }

    /** A node that was declared dead meanwhile does so under its new id. */
    @Test
    void isTakenUpAgainByANodeThatWasBuried() {
        Wire wire = new Wire(schemas.openAgain());
        Pool pool = open("first", lapsing(wire.store()));
        String before = pool.nodeId();
        JobId id = startOn(pool);
        Pool other = open("other", ANOTHER);
        wire.cut("renew", "apply", "claim", "recover", "reserved", "adopt", "join");
        schemas.bury(before);
        assertThat(other.find(id).orElseThrow().status().node()).isEqualTo(before);
        await().until(() -> pool.stats().active() == 0);

        wire.mend();

        await().until(() -> started.size() == 2);
        assertThat(pool.nodeId()).isNotEqualTo(before);
        assertThat(started).containsExactly("first/1", "first/1");
        assertThat(pool.find(id).orElseThrow().status().node()).isEqualTo(pool.nodeId());
        mayEnd.release();
        await().until(() -> pool.find(id).orElseThrow().state() == JobState.COMPLETED);
    }
}
