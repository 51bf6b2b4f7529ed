package dev.heddle;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import dev.heddle.store.Store;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes on PostgreSQL fire many schedules every second while they are killed and stopped: there is exactly one job
 * for each schedule and time, and none is missing, because the schedules catch up.
 */
class ScheduleKillTest {

    private static final int NODES = 3;

    @TempDir
    private Path directory;

    @Test
    void makesExactlyOneRunForEveryTimeWhileNodesDieAndStop() throws Exception {
        Random random = Torture.random("ScheduleKillTest");
        int count = Torture.rounds(50, 1_000);
        int rounds = Torture.rounds(4, 30);
        String location = StoreLocations.create(StoreLocations.Kind.POSTGRESQL, directory);
        List<ChildJvm> nodes = new ArrayList<>();
        try (Store store = StoreLocations.open(location)) {
            put(store, count);
            IntStream.range(0, NODES).forEach(_ -> nodes.add(start(location)));
            for (int round = 0; round < rounds; round++) {
                TimeUnit.MILLISECONDS.sleep(500 + random.nextInt(1_000));
                disturb(nodes, random.nextInt(NODES), random.nextInt(3), location);
            }
            stopFiring(store, count);
            Awaitility.await().atMost(Duration.ofMinutes(5)).pollInterval(Duration.ofMillis(100))
                    .until(() -> store.countJobs().in(JobState.QUEUED) + store.countJobs().in(JobState.ASSIGNED)
                            + store.countJobs().in(JobState.RUNNING) + store.countJobs().in(JobState.SCHEDULED) == 0);
        } finally {
            nodes.forEach(ChildJvm::close);
        }
        check(location, count);
    }

    private static void put(Store store, int count) {
        var schedules = Pool.on(store).submitter().schedules();
        for (int i = 0; i < count; i++) {
            schedules.put(Schedule.of("tick-" + i, "every 1s", FiringNode.TICK.withoutPayload())
                    .missed(Missed.catchUp(10_000)).overlap(Overlap.ALLOW));
        }
    }

    private static ChildJvm start(String location) {
        ChildJvm node = ChildJvm.start(FiringNode.class, location);
        node.awaitLine(FiringNode.OPEN::equals);
        return node;
    }

    private static void disturb(List<ChildJvm> nodes, int victim, int kind, String location) throws Exception {
        if (kind == 0) {
            nodes.get(victim).suspend();
            TimeUnit.MILLISECONDS.sleep(FiringNode.LEASE.toMillis() * 2);
            nodes.get(victim).resume();
        } else {
            nodes.get(victim).kill();
            nodes.set(victim, start(location));
        }
    }

    private static void stopFiring(Store store, int count) {
        var schedules = Pool.on(store).submitter().schedules();
        for (int i = 0; i < count; i++) {
            schedules.pause("tick-" + i);
        }
    }

    private static void check(String location, int count) throws SQLException {
        try (Connection connection = DriverManager.getConnection(location);
                Statement statement = connection.createStatement()) {
            assertThat(rows(statement, """
                    SELECT headers ->> 'heddle-schedule', headers ->> 'heddle-fire-time', count(*) FROM heddle.job
                    GROUP BY 1, 2 HAVING count(*) > 1""")).as("times with two jobs").isEmpty();
            assertThat(rows(statement, """
                    SELECT schedule, count(*) FROM heddle.schedule_run GROUP BY 1
                    HAVING count(*) <> extract(epoch FROM max(time) - min(time)) + 1""")).as("times without a run")
                    .isEmpty();
            assertThat(rows(statement, """
                    SELECT r.schedule, r.time FROM heddle.schedule_run r LEFT JOIN heddle.job j ON j.id = r.job
                    WHERE j.id IS NULL""")).as("runs without a job").isEmpty();
            assertThat(rows(statement,
                    "SELECT schedule, count(*) FROM heddle.schedule_run GROUP BY 1")).hasSize(count);
            System.out.println("ScheduleKillTest: " + rows(statement, """
                    SELECT count(*) || ' runs for', count(DISTINCT time) || ' times, ' ||
                           sum((kind = 'CAUGHT_UP')::int) || ' caught up' FROM heddle.schedule_run"""));
        }
    }

    private static List<String> rows(Statement statement, String sql) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                rows.add(found.getString(1) + " " + found.getString(2));
            }
        }
        return rows;
    }
}
