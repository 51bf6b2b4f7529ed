package dev.heddle;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;

import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.postgres.Schemas;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Store;
import dev.heddle.store.StoreListener;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Ten thousand jobs of a dead node become due gradually, not all at once. */
class ManyOrphansTest {

    private static final Instant OPENED = Instant.parse("2026-03-01T12:00:00Z");
    private static final String TYPE = "note";
    private static final int ASSIGNED = 500;
    private static final int CHECKPOINTED = 700;
    private static final int RUNNING = 10_000 - ASSIGNED - CHECKPOINTED;
    private static final int SLOW = CHECKPOINTED + RUNNING - 10;

    private final ManualClock clock = new ManualClock(OPENED);
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void areClaimedAccordingToTheirStages(StoreLocations.Kind kind) {
        Supplier<Store> stores = stores(kind);
        Set<JobId> checkpointed = crashAndOpen(stores.get());
        try (Store store = stores.get()) {
            store.join(new NodeRecord("counter", OPENED, OPENED, Duration.ofHours(1), "[]"), StoreListener.none());

            assertThat(claim(store, 0)).as("jobs that had not started, and the first that had").hasSize(ASSIGNED + 1);
            List<JobId> claimedInOrder = new ArrayList<>();
            for (int second = 1; second <= 9; second++) {
                List<JobId> claimed = claim(store, second * 1_000);
                assertThat(claimed).as("at second %d", second).hasSize(1);
                claimedInOrder.addAll(claimed);
            }
            assertThat(claim(store, 9_999)).isEmpty();
            int seen = 0;
            for (int at = 30_000; at <= 900_000; at += 30_000) {
                long now = at;
                int due = (int) LongStream.range(0, SLOW).filter(slow -> 10_000 + 890_000 * slow / SLOW <= now).count();
                List<JobId> claimed = claim(store, at);
                assertThat(claimed).as("until second %d", at / 1_000).hasSize(due - seen);
                claimedInOrder.addAll(claimed);
                seen = due;
            }
            assertThat(seen).as("all within 15 minutes").isEqualTo(SLOW);
            assertThat(checkpointed).as("jobs with a checkpoint come first")
                    .containsAll(claimedInOrder.subList(0, CHECKPOINTED / 2));
            assertThat(store.countJobs().in(JobState.SCHEDULED)).isZero();
        }
    }

    /** Returns how to open a store that goes by the clock of this test. */
    private Supplier<Store> stores(StoreLocations.Kind kind) {
        return switch (kind) {
            case SQLITE -> () -> {
                SqliteStore store = SqliteStore.at(directory.resolve("jobs.db"));
                store.useClock(Environment.system().withClock(clock));
                return store;
            };
            case POSTGRESQL -> {
                Schemas schemas = new Schemas(Version.V18).steerable();
                schemas.openNew().close();
                schemas.follow(clock);
                yield schemas::openAgain;
            }
        };
    }

    private Set<JobId> crashAndOpen(Store store) {
        CrashedNode wreck = new CrashedNode(store, TYPE, OPENED);
        wreck.running(RUNNING);
        Set<JobId> checkpointed = new HashSet<>(wreck.checkpointed(CHECKPOINTED, StartGuarantee.NONE));
        wreck.assigned(ASSIGNED);
        try (Pool pool = Pool.on(store).clock(clock).lease(Duration.ofSeconds(3))
                .renewEvery(Duration.ofMillis(300)).open()) {
            Awaitility.await().atMost(Duration.ofSeconds(60))
                    .until(() -> pool.admin().countJobs().in(JobState.SCHEDULED) == SLOW + 9);
        }
        return checkpointed;
    }

    private List<JobId> claim(Store store, int millis) {
        clock.advance(Duration.between(clock.instant(), OPENED.plusMillis(millis)));
        return store
                .claim(new ClaimRequest("counter", OPENED.plusMillis(millis), 20_000,
                        List.of(new Wanted(TYPE, true, 20_000))))
                .claims().stream().map(claim -> claim.job().id()).toList();
    }
}
