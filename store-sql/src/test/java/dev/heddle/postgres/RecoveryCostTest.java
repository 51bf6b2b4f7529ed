package dev.heddle.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

import javax.sql.DataSource;

import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A recovery is one transaction and must be short, so it must not take many round trips. */
class RecoveryCostTest {

    private final Schemas schemas = new Schemas(Version.V18);

    @Test
    void recoversTenThousandJobsInAFewDozenRoundTrips() throws SQLException {
        int one = statements(1);
        int many = statements(10_000);

        System.out.println("RecoveryCostTest: " + one + " statements and batches for a node that held 1 job, " + many
                + " for 10,000, in the longest transaction");
        assertThat(many).isLessThan(60);
    }

    /** Counts the statements in the longest transaction of a node that recovers and does nothing else. */
    private int statements(int orphans) throws SQLException {
        try (PostgresStore store = schemas.openNew()) {
            new CrashedNode(store, "note", Instant.now()).running(orphans);
        }
        AtomicInteger longest = new AtomicInteger();
        PostgresStore counted = PostgresStore.builder().dataSource(counting(longest)).schema(schemas.schema()).open();
        longest.set(0);
        try (PostgresStore watching = schemas.openAgain();
                Pool _ = Pool.on(counted).pollEvery(Duration.ZERO).renewEvery(Duration.ofMillis(200)).open()) {
            schemas.makeAllNodesSteady();
            Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(5))
                    .until(() -> watching.countJobs().in(JobState.RUNNING) == 0);
            return longest.get();
        }
    }

    private DataSource counting(AtomicInteger longest) {
        return (DataSource) Proxy.newProxyInstance(RecoveryCostTest.class.getClassLoader(),
                new Class<?>[]{DataSource.class},
                (_, _, _) -> counting(DriverManager.getConnection(schemas.url()), longest));
    }

    private static Connection counting(Connection real, AtomicInteger longest) {
        AtomicInteger executed = new AtomicInteger();
        return (Connection) Proxy.newProxyInstance(RecoveryCostTest.class.getClassLoader(),
                new Class<?>[]{Connection.class}, (_, method, arguments) -> {
                    if (Set.of("commit", "rollback").contains(method.getName())) {
                        longest.accumulateAndGet(executed.getAndSet(0), Math::max);
                    }
                    Object answer = call(real, method, arguments);
                    return answer instanceof PreparedStatement statement ? counting(statement, executed) : answer;
                });
    }

    private static PreparedStatement counting(PreparedStatement real, AtomicInteger executed) {
        return (PreparedStatement) Proxy.newProxyInstance(RecoveryCostTest.class.getClassLoader(),
                new Class<?>[]{PreparedStatement.class}, (_, method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        executed.incrementAndGet();
                    }
                    return call(real, method, arguments);
                });
    }

    private static Object call(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
