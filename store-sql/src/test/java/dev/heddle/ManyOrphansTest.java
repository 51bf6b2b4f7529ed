package dev.heddle;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.store.Bell;
import dev.heddle.store.Care;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.Wreck;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Ten thousand jobs of a dead node: no stampede. */
class ManyOrphansTest {

    private static final Instant OPENED = Instant.parse("2026-03-01T12:00:00Z");
    private static final String TYPE = "note";
    private static final int ASSIGNED = 500;
    private static final int CHECKPOINTED = 700;
    private static final int RUNNING = 10_000 - ASSIGNED - CHECKPOINTED;
    private static final int SLOW = CHECKPOINTED + RUNNING - 10;

    @TempDir private Path directory;

    @ParameterizedTest
    @EnumSource
    void areClaimedAsTheirStagesSay(Places.Kind kind) {
        String place = Places.in(kind, directory);
        Set<JobId> checkpointed = crashAndOpen(place);
        try (Store store = Places.open(place)) {
            store.join(new NodeRecord("counter", OPENED, OPENED, Duration.ofHours(1), "[]"), Bell.silent());

            assertThat(claim(store, 0)).as("what had not started, and the first").hasSize(ASSIGNED + 1);
            List<JobId> turns = new ArrayList<>();
            for (int second = 1; second <= 9; second++) {
                List<JobId> claimed = claim(store, second * 1_000);
                assertThat(claimed).as("at second %d", second).hasSize(1);
                turns.addAll(claimed);
            }
            assertThat(claim(store, 9_999)).isEmpty();
            int seen = 0;
            for (int at = 30_000; at <= 900_000; at += 30_000) {
                long now = at;
                int due = (int) LongStream.range(0, SLOW)
                        .filter(slow -> 10_000 + 890_000 * slow / SLOW <= now).count();
                List<JobId> claimed = claim(store, at);
                assertThat(claimed).as("until second %d", at / 1_000).hasSize(due - seen);
                turns.addAll(claimed);
                seen = due;
            }
            assertThat(seen).as("all of them within a quarter of an hour").isEqualTo(SLOW);
            assertThat(checkpointed).as("first come those with a checkpoint")
                    .containsAll(turns.subList(0, CHECKPOINTED / 2));
            assertThat(store.tally().in(JobState.SCHEDULED)).isZero();
        }
    }

    private static Set<JobId> crashAndOpen(String place) {
        Store store = Places.open(place);
        Wreck wreck = new Wreck(store, TYPE, OPENED);
        wreck.running(RUNNING);
        Set<JobId> checkpointed = new HashSet<>(wreck.checkpointed(CHECKPOINTED, Care.NONE));
        wreck.assigned(ASSIGNED);
        try (Pool pool = Pool.on(store).clock(new ManualClock(OPENED)).lease(Duration.ofSeconds(3))
                .renewEvery(Duration.ofMillis(300)).open()) {
            Awaitility.await().atMost(Duration.ofSeconds(60))
                    .until(() -> pool.tally().in(JobState.SCHEDULED) == SLOW + 9);
        }
        return checkpointed;
    }

    private static List<JobId> claim(Store store, int millis) {
        return store
                .claim(new ClaimRequest("counter", OPENED.plusMillis(millis), 20_000,
                        List.of(new Wanted(TYPE, true, 20_000))))
                .jobs().stream().map(claim -> claim.job().id()).toList();
    }
}
