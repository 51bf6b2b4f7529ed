package dev.heddle;

import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import dev.heddle.pool.Pool;
import dev.heddle.schedule.Missed;
import dev.heddle.schedule.Overlap;
import dev.heddle.schedule.Schedule;
import dev.heddle.schedule.Schedules;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes on PostgreSQL fire many schedules every second while they are killed and stopped: there is exactly one job
 * for each schedule and time from its first second to its last, and none is missing, because the schedules catch up.
 */
class ScheduleKillTest {

    private static final int NODES = 3;
    private static final int LEAST_ROUNDS = 3;

    @Test
    void makesExactlyOneRunForEveryTimeWhileNodesDieAndStop() throws Exception {
        Random random = Torture.random("ScheduleKillTest");
        try (PostgresServer server = PostgresServer.start(Version.V18)) {
            play(random, server.createDatabase());
        }
    }

    private static void play(Random random, String location) throws Exception {
        int count = Torture.rounds(50, 1_000);
        Duration length = Duration.ofSeconds(Torture.rounds(8, 90));
        try (Store store = StoreLocations.open(location); StoreTrace trace = StoreTrace.of(location)) {
            Instant last = Instant.now().truncatedTo(ChronoUnit.SECONDS).plus(length);
            List<Instant> firstBy = put(Pool.on(store).submitter().schedules(), count, last);
            play(random, location, store, trace, firstBy, last);
        }
    }

    /** The nodes start when the first times have passed, and are disturbed until the last. */
    private static void play(Random random, String location, Store store, StoreTrace trace, List<Instant> firstBy,
            Instant last) throws Exception {
        try (KillableNodes nodes = KillableNodes.start(NODES, FiringNode.class, location)) {
            // Late by up to a minute is on time; more is caught up.
            for (int round = 0; round < LEAST_ROUNDS || Instant.now().isBefore(last); round++) {
                nodes.disturb(random);
            }
            Awaitility.await("the end of all schedules and jobs").atMost(Duration.ofMinutes(5))
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> trace.rows("SELECT name FROM heddle.schedule WHERE state <> 'ENDED' LIMIT 1").isEmpty()
                            && store.countJobs().live().isEmpty());
            check(trace, firstBy, last);
            System.out.println("ScheduleKillTest: " + nodes + "; " + trace.rows("""
                    SELECT count(*) || ' runs of ' || count(DISTINCT schedule) || ' schedules at ' ||
                           count(DISTINCT time) || ' times, ' || sum((kind = 'CAUGHT_UP')::int) ||
                           ' caught up, at most ' || extract(epoch FROM max(fired_at - time)) || ' s late'
                    FROM heddle.schedule_run"""));
        }
    }

    /** Returns the latest instant at which each schedule must have fired first. */
    private static List<Instant> put(Schedules schedules, int count, Instant last) {
        List<Instant> firstBy = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            schedules.put(Schedule.of(name(i), "every 1s", FiringNode.TICK.withoutPayload())
                    .missed(Missed.catchUp(10_000)).overlap(Overlap.ALLOW).until(last));
            firstBy.add(Instant.now().truncatedTo(ChronoUnit.SECONDS).plusSeconds(1));
        }
        return firstBy;
    }

    private static String name(int number) {
        return "tick-%04d".formatted(number);
    }

    private static void check(StoreTrace trace, List<Instant> firstBy, Instant last) throws SQLException {
        assertThat(trace.rows("""
                SELECT (headers ->> 'heddle-schedule') || ' ' || (headers ->> 'heddle-fire-time') FROM heddle.job
                GROUP BY 1 HAVING count(*) > 1""")).as("times with two jobs").isEmpty();
        assertThat(trace.rows("""
                SELECT schedule FROM heddle.schedule_run GROUP BY 1
                HAVING count(*) <> extract(epoch FROM max(time) - min(time)) + 1""")).as("schedules with a gap")
                .isEmpty();
        assertThat(trace.rows("""
                SELECT r.schedule || r.time FROM heddle.schedule_run r LEFT JOIN heddle.job j ON j.id = r.job
                    AND j.headers ->> 'heddle-schedule' = r.schedule
                    AND (j.headers ->> 'heddle-fire-time')::timestamptz = r.time
                WHERE j.id IS NULL""")).as("runs without a job").isEmpty();
        assertThat(trace.rows("SELECT id FROM heddle.job WHERE id NOT IN (SELECT job FROM heddle.schedule_run)"))
                .as("jobs without a run").isEmpty();
        List<String> lasts = trace
                .rows("SELECT extract(epoch FROM max(time))::bigint FROM heddle.schedule_run GROUP BY schedule");
        assertThat(lasts).hasSize(firstBy.size()).containsOnly(String.valueOf(last.getEpochSecond()));
        List<String> firsts = trace.rows("""
                SELECT extract(epoch FROM min(time))::bigint FROM heddle.schedule_run GROUP BY schedule
                ORDER BY schedule""");
        for (int i = 0; i < firsts.size(); i++) {
            assertThat(Long.parseLong(firsts.get(i))).as("first run of " + name(i))
                    .isLessThanOrEqualTo(firstBy.get(i).getEpochSecond());
        }
    }
}
