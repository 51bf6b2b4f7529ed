package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.Affinity;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Sessions on two nodes of one database: a session has one worker among those of both nodes. */
class SessionsAcrossNodesTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<String, String> CHAT = JobType.of("chat", String.class, String.class).group("chat")
            .affinity(Affinity.STRICT_QUEUE);

    private final Schemas schemas = new Schemas(Version.V18);
    private final List<Pool> pools = new ArrayList<>();
    private final Map<String, Set<String>> workersOf = new ConcurrentHashMap<>();
    private final CountDownLatch gate = new CountDownLatch(1);

    @AfterEach
    void close() {
        gate.countDown();
        pools.forEach(Pool::close);
    }

    /** A job "hold" waits for the gate. */
    private Pool node(PostgresStore store) {
        Pool pool = Pool.on(store).closeTimeout(Duration.ofMillis(500)).group("chat", 2).register(CHAT, (text, job) -> {
            workersOf.computeIfAbsent(job.session().orElseThrow(), _ -> ConcurrentHashMap.newKeySet())
                    .add(job.worker());
            if (text.equals("hold")) {
                gate.await();
            }
            return job.worker();
        }).open();
        pools.add(pool);
        return pool;
    }

    private static JobHandle<String> submit(Pool pool, String session, String text) {
        return pool.session(session).submit(CHAT, text);
    }

    private static ConditionFactory await() {
        return Awaitility.await().atMost(LONG);
    }

    private long parkingLanes() throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                PreparedStatement count = connection
                        .prepareStatement("SELECT count(*) FROM " + schemas.schema() + ".lane WHERE type LIKE ?")) {
            count.setString(1, "%\u001f%");
            try (ResultSet rows = count.executeQuery()) {
                return rows.next() ? rows.getLong(1) : -1;
            }
        }
    }

    @Test
    void keepASessionOnOneWorker() throws Exception {
        Pool one = node(schemas.openNew());
        Pool other = node(schemas.openAgain());
        List<JobHandle<String>> handles = new ArrayList<>();
        for (int round = 0; round < 20; round++) {
            for (int session = 0; session < 12; session++) {
                handles.add(submit((round + session) % 2 == 0 ? one : other, "s" + session, "hello"));
            }
        }
        for (JobHandle<String> handle : handles) {
            handle.await(LONG);
        }
        assertThat(workersOf).hasSize(12).allSatisfy((_, workers) -> assertThat(workers).hasSize(1));
        assertThat(one.admin().sessions(100)).extracting(Binding::session).hasSize(12)
                .containsExactlyInAnyOrderElementsOf(workersOf.keySet());
    }

    @Test
    void letJobsWaitForTheNodeOfTheirWorkerAndDeleteItsLaneAfterwards() throws Exception {
        Pool one = node(schemas.openNew());
        JobHandle<String> holding = submit(one, "ada", "hold");
        await().until(() -> workersOf.containsKey("ada"));
        Pool other = node(schemas.openAgain());
        List<JobHandle<String>> waiting = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            waiting.add(submit(other, "ada", "hello"));
        }
        assertThat(submit(other, "bert", "hello").await(LONG)).as("other sessions go on").isNotEmpty();
        await().until(() -> parkingLanes() > 0);
        gate.countDown();
        String worker = holding.await(LONG);
        for (JobHandle<String> handle : waiting) {
            assertThat(handle.await(LONG)).isEqualTo(worker);
        }
        pools.forEach(Pool::close);
        assertThat(parkingLanes()).as("lanes of gone workers").isZero();
    }

    @Test
    void loseASessionWithItsNode() throws Exception {
        Pool one = node(schemas.openNew());
        submit(one, "ada", "hold");
        await().until(() -> workersOf.containsKey("ada"));
        Pool other = node(schemas.openAgain());
        List<JobHandle<String>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            waiting.add(submit(other, "ada", "hello"));
        }
        one.close();
        for (JobHandle<String> handle : waiting) {
            Job ended = handle.awaitEnd(LONG);
            assertThat(ended.state()).isEqualTo(JobState.FAILED);
            assertThat(ended.reason()).get().asString().contains("SessionLost: session 'ada'");
        }
        assertThat(submit(other, "ada", "hello").await(LONG)).startsWith(other.admin().nodeId());
    }

    @Test
    void endASessionFromAnyNode() throws Exception {
        Pool one = node(schemas.openNew());
        submit(one, "ada", "hello").await(LONG);
        // A node without handlers, which cannot start the session again.
        Pool other = Pool.on(schemas.openAgain()).open();
        pools.add(other);
        assertThat(other.admin().dropSession("ada")).isTrue();
        assertThat(one.admin().sessions(10)).isEmpty();
        await().until(() -> {
            submit(one, "ada", "hello").await(LONG);
            return one.admin().sessions(10).getFirst().worker() != null;
        });
    }
}
