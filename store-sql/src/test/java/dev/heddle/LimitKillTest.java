package dev.heddle;

import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

import dev.heddle.LimitedNode.Work;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.pool.Pool;
import dev.heddle.stats.CountStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes on PostgreSQL run jobs of many keys, two of each at once, while they are killed and stopped. No key ever
 * has more, neither in the store nor by what the handlers tell; and no key is stuck afterwards.
 */
class LimitKillTest {

    private static final int NODES = 3;
    private static final int MOST = 2;

    @TempDir
    private Path directory;

    private record Interval(long from, long to) {}

    @Test
    void neverRunsMoreThanTheLimitOfAKeyWhileNodesDieAndStop() throws Exception {
        Random random = Torture.random("LimitKillTest");
        try (PostgresServer server = PostgresServer.start(Version.V18)) {
            play(random, server.createDatabase());
        }
    }

    private void play(Random random, String location) throws Exception {
        int keys = Torture.rounds(100, 1_000);
        int rounds = Torture.rounds(4, 30);
        Path log = directory.resolve("log");
        try (Store store = StoreLocations.open(location)) {
            store.capability(LimitStore.class).orElseThrow()
                    .setLimit(Limit.named("per-key").key("$.key").maxConcurrent(MOST));
            try (StoreTrace trace = StoreTrace.of(location);
                    HeldWatch watch = HeldWatch.start(location);
                    KillableNodes nodes = KillableNodes.start(NODES, LimitedNode.class, location, log.toString())) {
                for (int round = 0; round < rounds; round++) {
                    for (int i = 0; i < keys * 2; i += keys / 2) {
                        submit(store, random, keys, keys / 2);
                    }
                    nodes.disturb(random);
                }
                awaitEnd(store, trace);
                IntStream.range(0, MOST + 1).forEach(_ -> submitEach(store, keys));
                awaitEnd(store, trace);
                System.out.println("LimitKillTest: " + nodes + ", " + watch);
                assertThat(store.capability(CountStore.class).orElseThrow().checkCounts(false)).as("wrong counts")
                        .isEmpty();
                assertThat(watch.mostPerKey()).as("jobs of a key that nodes hold").isEqualTo(MOST);
                checkHandlers(AttemptLog.read(log), trace.times(false));
                assertThat(nodes.output()).noneMatch(line -> line.contains("that nothing else would have opened"));
            }
        }
    }

    private static void submit(Store store, Random random, int keys, int count) {
        Pool.on(store).submitter().submit(IntStream.range(0, count).mapToObj(
                _ -> LimitedNode.WORK.with(new Work("k" + random.nextInt(keys), random.nextInt(30)))).toList());
    }

    private static void submitEach(Store store, int keys) {
        Pool.on(store).submitter().submit(IntStream.range(0, keys)
                .mapToObj(key -> LimitedNode.WORK.with(new Work("k" + key, 0))).toList());
    }

    private static void awaitEnd(Store store, StoreTrace trace) throws SQLException {
        try {
            Awaitility.await().atMost(Duration.ofSeconds(Torture.rounds(60, 300))).pollInterval(Duration.ofMillis(50))
                    .until(() -> store.countJobs().live().isEmpty());
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("jobs are stuck: " + trace.rows("""
                    SELECT state || ', on a node ' || (node IS NOT NULL) || ', ' || count(*) FROM heddle.live
                    GROUP BY state, node IS NOT NULL""")
                    + trace.rows(
                            """
                                    SELECT 'key ' || g.limits::text || ' closed by ' || coalesce(g.closed_by::text, 'none') || ', slots ' ||
                                           (SELECT count(*) FROM heddle.limit_held h WHERE h.limit_key = g.closed_by)
                                    FROM heddle.limit_group g LIMIT 10""")
                    + trace.rows("SELECT e::text FROM heddle.limit_event e LIMIT 10")
                    + trace.rows("SELECT id || ' ' || renewed_at || ' now ' || now() FROM heddle.node"), e);
        }
    }

    /** An attempt lasts until its handler ends, or until the store takes it from a node that was declared dead. */
    private static void checkHandlers(List<AttemptLog.Line> lines, Map<String, Long> lost) {
        Map<String, Long> ends = new HashMap<>(lost);
        lines.stream().filter(line -> !line.start())
                .forEach(line -> ends.merge(line.attemptId(), line.micros(), Math::min));
        Map<String, List<Interval>> byKey = new HashMap<>();
        Set<String> started = new HashSet<>();
        int late = 0;
        for (AttemptLog.Line line : lines) {
            if (line.start()) {
                assertThat(started.add(line.attemptId())).as("attempt %s starts once", line.attemptId()).isTrue();
                long end = ends.get(line.attemptId());
                if (end > line.micros()) {
                    byKey.computeIfAbsent(line.key(), _ -> new ArrayList<>()).add(new Interval(line.micros(), end));
                } else {
                    late++;
                }
            }
        }
        byKey.forEach((key, intervals) -> assertThat(mostAtOnce(intervals)).as("handlers of " + key)
                .isLessThanOrEqualTo(MOST));
        int most = byKey.values().stream().mapToInt(LimitKillTest::mostAtOnce).max().orElse(0);
        assertThat(most).isEqualTo(MOST);
        System.out.printf("LimitKillTest: %,d handlers of %,d keys, at most %d of a key at once; %d began after their"
                + " node was declared dead%n", started.size(), byKey.size(), most, late);
    }

    private static int mostAtOnce(List<Interval> intervals) {
        record Edge(long at, int by) {}
        List<Edge> edges = new ArrayList<>();
        for (Interval interval : intervals) {
            Collections.addAll(edges, new Edge(interval.from, 1), new Edge(interval.to, -1));
        }
        edges.sort(Comparator.comparingLong(Edge::at).thenComparingInt(Edge::by));
        int now = 0;
        int most = 0;
        for (Edge edge : edges) {
            now += edge.by;
            most = Math.max(most, now);
        }
        return most;
    }
}
