package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.NewJob;
import dev.heddle.store.Submission;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/** New work wakes idle nodes, and polling finds work whose announcement was lost. */
class AnnouncementTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    private final Schemas schemas = new Schemas(Version.V18);

    @BeforeEach
    void createSchema() {
        schemas.openNew().close();
    }

    /** Opens a pool that never polls: only an announcement wakes it. */
    private static Pool listener(PostgresStore store) {
        return worker(Pool.on(store).pollEvery(Duration.ZERO));
    }

    private static Pool worker(PoolBuilder builder) {
        return builder.register(ECHO, (text, job) -> text).open();
    }

    /** Waits until the first look at the store is over, which would find everything without an announcement. */
    private static void awaitIdle(Pool pool) throws Exception {
        pool.submit(ECHO, "first").await(LONG);
        Thread.sleep(200);
    }

    @Test
    void wakesANodeThatNeverPolls() throws Exception {
        try (Pool idle = listener(schemas.openAgain()); Pool submitter = Pool.on(schemas.openAgain()).open()) {
            awaitIdle(idle);
            JobHandle<String> handle = submitter.submit(ECHO, "wake up");

            assertThat(handle.await(LONG)).isEqualTo("wake up");
        }
    }

    @Test
    void wakesANodeForAJobThatWasSubmittedWithoutAPool() throws Exception {
        try (Pool idle = listener(schemas.openAgain())) {
            awaitIdle(idle);
            JobSpec spec = new JobSpec(JobId.next(), ECHO.name(), "default", 0, "\"from outside\"", Instant.now(),
                    JobSpec.Extras.NONE);
            try (PostgresStore bare = schemas.openAgain()) {
                bare.insert(List.of(new Submission(List.of(new NewJob(spec)))));
            }

            // Less than the interval of probes, after which the node looks by itself.
            Awaitility.await().atMost(Duration.ofSeconds(20))
                    .until(() -> idle.find(spec.id()).orElseThrow().state() == JobState.COMPLETED);
        }
    }

    @Test
    void wakesANodeForAScheduledJobThatIsDueBeforeItsOwn() throws Exception {
        try (Pool idle = listener(schemas.openAgain()); Pool submitter = Pool.on(schemas.openAgain()).open()) {
            awaitIdle(idle);
            idle.submit(ECHO.with("late").delay(Duration.ofHours(1)));
            JobHandle<String> handle = submitter.submit(ECHO.with("soon").delay(Duration.ofMillis(300)));

            assertThat(handle.await(LONG)).isEqualTo("soon");
        }
    }

    @Test
    void receivesAnnouncementsAgainAfterItsConnectionWasCut() throws Exception {
        try (Pool idle = listener(schemas.openAgain()); Pool submitter = Pool.on(schemas.openAgain()).open()) {
            awaitIdle(idle);
            cutListeners();
            // It reconnects, and looks once by itself before it relies on announcements.
            Awaitility.await().atMost(LONG).until(() -> listeners() > 0);
            Thread.sleep(500);
            JobHandle<String> handle = submitter.submit(ECHO, "still there");

            assertThat(handle.await(LONG)).isEqualTo("still there");
        }
    }

    private int listeners() throws SQLException {
        return query("""
                SELECT count(*) FROM pg_stat_activity WHERE application_name = 'heddle'
                AND (query LIKE '%pg_notify(%' OR query LIKE 'LISTEN%')""");
    }

    /** Returns once the connections are gone: one that ends later could lose the next announcement. */
    private void cutListeners() throws SQLException {
        assertThat(query("""
                SELECT count(pg_terminate_backend(pid, 30000)) FROM pg_stat_activity
                WHERE application_name = 'heddle' AND pid <> pg_backend_pid()""")).isPositive();
    }

    private int query(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getInt(1);
        }
    }

    @Test
    void pollsBehindAPoolerThatSwallowsListenAndLogsThatOnce() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(Listener.class);
        ListAppender<ILoggingEvent> logged = new ListAppender<>();
        logged.start();
        logger.addAppender(logged);
        AtomicInteger tries = new AtomicInteger();
        PostgresStore deaf = PostgresStore.builder().dataSource(TamperedNotifications.deaf(schemas.url(), tries))
                .schema(schemas.schema()).open();
        try (Pool _ = worker(Pool.on(deaf)); Pool submitter = Pool.on(schemas.openAgain()).open()) {
            Awaitility.await().atMost(LONG).until(() -> !logged.list.isEmpty());
            for (int i = 0; i < 3; i++) {
                assertThat(submitter.submit(ECHO, "polled " + i).await(LONG)).isEqualTo("polled " + i);
            }
        } finally {
            logger.detachAppender(logged);
        }
        assertThat(tries).as("it did try to listen").hasPositiveValue();
        assertThat(logged.list).extracting(ILoggingEvent::getFormattedMessage).singleElement().asString()
                .contains("a NOTIFY to ourselves was not answered within 2 s").contains("polling more often instead");
    }

    /** All nodes of a schema probe on one channel, and their probes may arrive together. */
    @Test
    void recognizesItsOwnProbeAmongThoseOfOthers() throws Exception {
        PostgresStore crowded = PostgresStore.builder().dataSource(TamperedNotifications.crowded(schemas.url()))
                .schema(schemas.schema()).open();
        try (Pool idle = listener(crowded); Pool submitter = Pool.on(schemas.openAgain()).open()) {
            awaitIdle(idle);
            // After the timeout of its probe it would fall back to polling, which is off here.
            Thread.sleep(2_500);
            assertThat(submitter.submit(ECHO, "among others").await(LONG)).isEqualTo("among others");
        }
    }

    @Test
    void announcesTheWorkOfABatchOnce() throws Exception {
        try (Pool _ = Pool.on(schemas.openAgain()).open()) {
            assertThat(announcementsOfABatch(1)).isEqualTo(1);
        }
    }

    @Test
    void announcesNothingIfThereIsNoOtherNode() throws Exception {
        assertThat(announcementsOfABatch(0)).isZero();
    }

    /** Counts announcements until the expected number has arrived, and for a second more. */
    private int announcementsOfABatch(int expected) throws SQLException {
        try (Connection listener = DriverManager.getConnection(schemas.url());
                Statement statement = listener.createStatement();
                Pool submitter = Pool.on(schemas.openAgain()).open()) {
            statement.execute("LISTEN heddle_" + schemas.schema());
            submitter.submitAll(
                    IntStream.range(0, 500).mapToObj(i -> ECHO.with("job " + i).queue("queue-" + i % 3)).toList());
            var connection = listener.unwrap(PGConnection.class);
            AtomicInteger work = new AtomicInteger();
            Callable<Boolean> receive = () -> {
                for (var notification : connection.getNotifications(100)) {
                    work.addAndGet(notification.getParameter().startsWith("WORK") ? 1 : 0);
                }
                return work.get() >= expected;
            };
            Awaitility.await().atMost(LONG).until(receive);
            Awaitility.await().during(Duration.ofSeconds(1)).atMost(LONG).until(receive);
            return work.get();
        }
    }
}
