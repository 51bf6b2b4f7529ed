package dev.heddle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;

import dev.heddle.LimitedNode.Work;
import dev.heddle.limit.Limit;
import dev.heddle.limit.LimitStore;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Submitter;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Three nodes on PostgreSQL start jobs at a rate per key while they are killed, stopped and started again: in no window,
 * however long, do more jobs of a key start than its burst and its rate admit.
 */
class RateKillTest {

    private static final int NODES = 3;
    private static final int KEYS = 10;
    private static final int BURST = 3;
    private static final Duration INTERVAL = Duration.ofMillis(50);
    /** The store knows the time to the millisecond. */
    private static final Duration PRECISION = Duration.ofMillis(1);

    @TempDir
    private Path directory;

    @Test
    void neverStartsMoreInAnyWindowThanTheBurstAndTheRateWhileNodesDieAndStop() throws Exception {
        Random random = Torture.random("RateKillTest");
        try (PostgresServer server = PostgresServer.start(Version.V18)) {
            play(random, server.createDatabase());
        }
    }

    private void play(Random random, String location) throws Exception {
        int jobsOfAKey = Torture.rounds(50, 1_000);
        int rounds = Torture.rounds(3, 20);
        Path log = directory.resolve("log");
        try (Store store = StoreLocations.open(location)) {
            store.capability(LimitStore.class).orElseThrow()
                    .setLimit(Limit.named("per-key").key("$.key").rate(1, INTERVAL).burst(BURST));
            try (StoreTrace trace = StoreTrace.of(location);
                    KillableNodes nodes = KillableNodes.start(NODES, LimitedNode.class, location, log.toString())) {
                Submitter submitter = Pool.on(store).submitter();
                for (int i = 0; i < jobsOfAKey; i += 50) {
                    submitter.submit(IntStream.range(0, KEYS * 50)
                            .mapToObj(n -> LimitedNode.WORK.with(new Work("k" + n % KEYS, random.nextInt(20))))
                            .toList());
                }
                for (int round = 0; round < rounds; round++) {
                    nodes.disturb(random);
                }
                Awaitility.await("the end of all jobs").atMost(Duration.ofMinutes(3))
                        .pollInterval(Duration.ofMillis(50)).until(() -> store.countJobs().live().isEmpty());
                check(AttemptLog.read(log), trace.times(true), jobsOfAKey);
                System.out.println("RateKillTest: " + nodes);
            }
        }
    }

    /** A start counts when its job is claimed; a claim whose handler never began was refunded, or is not counted here. */
    private static void check(List<AttemptLog.Line> lines, Map<String, Long> claims, int jobsOfAKey) {
        Map<String, List<Long>> byKey = new TreeMap<>();
        lines.stream().filter(AttemptLog.Line::start).forEach(line -> byKey
                .computeIfAbsent(line.key(), _ -> new ArrayList<>()).add(claims.get(line.attemptId())));
        assertThat(byKey).hasSize(KEYS);
        byKey.forEach((key, starts) -> {
            starts.sort(null);
            assertThat(starts).hasSizeGreaterThanOrEqualTo(jobsOfAKey);
            for (int from = 0; from < starts.size(); from++) {
                for (int to = from + 1; to < starts.size(); to++) {
                    long window = starts.get(to) - starts.get(from) + PRECISION.toNanos() / 1_000;
                    assertThat((long) (to - from + 1)).as("starts of %s in %d µs", key, window)
                            .isLessThanOrEqualTo(BURST + window / (INTERVAL.toNanos() / 1_000));
                }
            }
        });
        long span = byKey.values().stream().mapToLong(starts -> starts.getLast() - starts.getFirst()).max().orElse(0);
        System.out.printf("RateKillTest: %,d starts of %d keys in %,d ms, %.1f of the rate%n",
                byKey.values().stream().mapToInt(List::size).sum(), KEYS, span / 1_000,
                byKey.values().stream().mapToInt(List::size).max().orElse(0) * INTERVAL.toMillis() * 1_000.0 / span);
    }
}
