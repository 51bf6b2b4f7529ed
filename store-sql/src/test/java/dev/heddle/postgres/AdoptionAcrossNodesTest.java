package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
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
import dev.heddle.testkit.StoreFaults;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

/** Work that outlives its node, in a store shared by several machines. */
class AdoptionAcrossNodesTest {

    private static final Machine LOOM = new Machine("loom", "boot-1");
    private static final Machine ANOTHER = new Machine("another", "boot-7");

    private final Schemas schemas = new Schemas(Version.V18).steerable();
    private final List<Pool> pools = new ArrayList<>();
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final Semaphore mayEnd = new Semaphore(0);

    @BeforeEach
    void createSchema() {
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
            job.detachFromNode();
            started.add(node + "/" + job.attempt());
            while (!mayEnd.tryAcquire()) {
                job.sleep(Duration.ofMillis(5));
            }
            return "done";
        };
    }

    private Pool open(String node, PoolBuilder builder) {
        Pool pool = builder.register(OutlivingNode.WORK, handler(node)).open();
        pools.add(pool);
        return pool;
    }

    private Pool open(String node, Machine machine) {
        return open(node, OutlivingNode.on(schemas.openAgain(), machine));
    }

    /** Starts a node of LOOM and kills it with SIGKILL; its work goes on. */
    private void killANode() {
        try (ChildJvm child = ChildJvm.start(OutlivingNode.class, schemas.url(), schemas.schema(), LOOM.machine(),
                LOOM.boot())) {
            child.awaitLine("at work"::equals);
            child.kill();
        }
    }

    /** A node whose lease expires soon if it cannot be renewed, but not by a delay of this process. */
    private static PoolBuilder lapsing(Store store) {
        return OutlivingNode.on(store, LOOM).lease(Duration.ofSeconds(8)).cancelGrace(Duration.ofMillis(100),
                Duration.ofSeconds(4));
    }

    private JobId startOn(Pool pool) {
        JobId id = pool.submit(OutlivingNode.WORK, "x").id();
        await().until(() -> started.size() == 1);
        // A handler may run before its start is stored.
        await().until(() -> pool.find(id).orElseThrow().state() == JobState.RUNNING);
        return id;
    }

    private void declareDeadAllBut(Pool survivor) {
        survivor.admin().nodes().stream().map(NodeRecord::id).filter(id -> !id.equals(survivor.admin().nodeId()))
                .forEach(schemas::declareDead);
    }

    private static Job job(Pool pool) {
        return pool.admin().list(JobQuery.all()).getFirst();
    }

    private static List<Attempt> attempts(Pool pool) {
        return pool.admin().details(job(pool).id()).orElseThrow().attempts();
    }

    private Instant reservedUntil() throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT until FROM " + schemas.schema() + ".reservation")) {
            assertThat(row.next()).isTrue();
            return row.getObject(1, OffsetDateTime.class).toInstant();
        }
    }

    /** By the clock of the server: that of the other machine is a day ahead. */
    @Test
    void isNotStartedOnAnotherMachineUntilAMinuteAfterItsDeadline() throws SQLException {
        killANode();
        ManualClock server = new ManualClock(Instant.now());
        schemas.follow(server);
        Pool other = open("other", OutlivingNode.on(schemas.openAgain(), ANOTHER)
                .clock(new ManualClock(server.instant().plus(Duration.ofDays(1)))));
        declareDeadAllBut(other);
        assertThat(job(other).state()).isEqualTo(JobState.RUNNING);
        Instant until = reservedUntil();
        assertThat(until).isCloseTo(
                Objects.requireNonNull(job(other).status().startedAt()).plus(Duration.ofMinutes(11)),
                within(1, ChronoUnit.MINUTES));

        server.advance(Duration.between(server.instant(), until.minusMillis(1)));
        JobId quick = other.submit(OutlivingNode.WORK, "y").id();
        await().until(() -> started.size() == 1);
        mayEnd.release();
        await().until(() -> other.find(quick).orElseThrow().state() == JobState.COMPLETED);
        JobId kept = other.admin().list(JobQuery.all()).getLast().id();
        assertThat(other.find(kept).orElseThrow().state()).isEqualTo(JobState.RUNNING);

        server.advance(Duration.ofMillis(1));
        await().until(() -> started.contains("other/2"));
        mayEnd.release();
        await().until(() -> other.find(kept).orElseThrow().state() == JobState.COMPLETED);
    }

    @Test
    void isAdoptedOnItsMachineAfterAnotherMachineDeclaredItsNodeDead() {
        killANode();
        Pool other = open("other", ANOTHER);
        declareDeadAllBut(other);

        Pool next = open("next", LOOM);

        await().until(() -> started.contains("next/1"));
        assertThat(job(next).status().node()).isEqualTo(next.admin().nodeId());
        mayEnd.release();
        await().until(() -> job(next).state() == JobState.COMPLETED);
        assertThat(started).containsExactly("next/1");
        assertThat(attempts(next)).extracting(Attempt::number, Attempt::node, Attempt::end)
                .containsExactly(tuple(1, next.admin().nodeId(), Attempt.End.COMPLETED));
    }

    /** A node of the same machine knows that the other is dead, and need not wait for its lease to expire. */
    @Test
    void isAdoptedBeforeTheLeaseOfTheDeadNodeExpires() {
        killANode();
        Pool next = open("next", LOOM);
        assertThat(next.admin().nodes()).hasSize(2);
        await().until(() -> started.contains("next/1"));
        declareDeadAllBut(next);
        assertThat(job(next).state()).isEqualTo(JobState.RUNNING);
        assertThat(started).containsExactly("next/1");
    }

    /** A node that loses its connection leaves its work running, and adopts it when it is back. */
    @Test
    void isAdoptedAgainByANodeThatHadLostItsConnection() {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        Pool pool = open("only", lapsing(faults.store()));
        JobId id = startOn(pool);
        faults.fail("renew", "apply", "claim", "recover", "reservedFor", "adopt");
        await().until(() -> pool.stats().active() == 0);
        assertThat(pool.find(id).orElseThrow().state()).isEqualTo(JobState.RUNNING);

        faults.heal();

        await().until(() -> started.size() == 2);
        assertThat(started).containsExactly("only/1", "only/1");
        mayEnd.release();
        await().until(() -> pool.find(id).orElseThrow().state() == JobState.COMPLETED);
        assertThat(attempts(pool)).extracting(Attempt::number).containsExactly(1);
    }

    /** A node that was declared dead adopts it under its new id. */
    @Test
    void isAdoptedAgainByANodeThatWasDeclaredDead() {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        Pool pool = open("first", lapsing(faults.store()));
        String before = pool.admin().nodeId();
        JobId id = startOn(pool);
        Pool other = open("other", ANOTHER);
        faults.fail("renew", "apply", "claim", "recover", "reservedFor", "adopt", "join");
        schemas.declareDead(before);
        assertThat(other.find(id).orElseThrow().status().node()).isEqualTo(before);
        await().until(() -> pool.stats().active() == 0);

        faults.heal();

        await().until(() -> started.size() == 2);
        assertThat(pool.admin().nodeId()).isNotEqualTo(before);
        assertThat(started).containsExactly("first/1", "first/1");
        assertThat(pool.find(id).orElseThrow().status().node()).isEqualTo(pool.admin().nodeId());
        mayEnd.release();
        await().until(() -> pool.find(id).orElseThrow().state() == JobState.COMPLETED);
    }
}
