package dev.heddle.testkit.store;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.stats.LogHistogram;
import dev.heddle.stats.StatsSlice;
import dev.heddle.stats.StatsStore;
import dev.heddle.stats.StatsWindow;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Slices of time are kept for a week, and there are never many of them. */
abstract class StatsStoreContract extends StoreFixture {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    StatsStoreContract(StoreContract contract) {
        super(contract);
    }

    private StatsStore stats() {
        return capability(StatsStore.class);
    }

    private static StatsSlice slice(Instant start, String type, long completed) {
        LogHistogram runs = new LogHistogram();
        for (int i = 0; i < completed; i++) {
            runs.add(Duration.ofMillis(5));
        }
        return new StatsSlice(type, "default", start, StatsWindow.SHORTEST, completed, 1, 0, new LogHistogram(), runs);
    }

    private static long completed(List<StatsSlice> slices) {
        return slices.stream().mapToLong(StatsSlice::completed).sum();
    }

    @Test
    void returnsWhatWasSaved() {
        StatsSlice slice = slice(START, "mail", 3);
        stats().saveSlices("one", List.of(slice));
        assertThat(stats().slices(START, null, null)).containsExactly(slice);
        assertThat(stats().slices(START, "mail", "default")).containsExactly(slice);
        assertThat(stats().slices(START.plusSeconds(1), null, null)).isEmpty();
        assertThat(stats().slices(START, "fax", null)).isEmpty();
        assertThat(stats().slices(START, null, "q")).isEmpty();
    }

    @Test
    void replacesWhatTheSameSourceSavedBefore() {
        stats().saveSlices("one", List.of(slice(START, "mail", 3)));
        stats().saveSlices("one", List.of(slice(START, "mail", 4)));
        stats().saveSlices("two", List.of(slice(START, "mail", 10)));
        assertThat(completed(stats().slices(START, null, null))).isEqualTo(14);
    }

    @Test
    void keepsSlicesWhenTheStoreIsReopened() {
        stats().saveSlices("one", List.of(slice(START, "mail", 3)));
        restart(at(9));
        assertThat(completed(stats().slices(START, null, null))).isEqualTo(3);
    }

    @Test
    void mergesSlicesAsTheyGrowOlderAndDeletesThemAfterAWeek() {
        Instant now = START;
        long saved = 0;
        for (int i = 0; i < 8 * 24 * 6; i++) {
            now = START.plus(Duration.ofMinutes(10L * i));
            stats().saveSlices("source " + i / 50, List.of(slice(now, "mail", 2), slice(now, "fax", 1)));
            saved += 3;
            if (i % 5 == 0) {
                stats().mergeSlices(now);
            }
            if (i == 700) {
                assertThat(completed(stats().slices(START, null, null))).as("in less than a week").isEqualTo(saved);
            }
        }
        stats().mergeSlices(now);
        List<StatsSlice> kept = stats().slices(START, null, null);
        assertThat(kept.size()).isLessThan(2 * (60 + 96 + 2 + 84 + 2));
        assertThat(completed(kept)).isBetween(7L * 24 * 6 * 3, 7L * 24 * 6 * 3 + 12 * 3 * 2);
        assertThat(kept.getFirst().runs().count()).isEqualTo(kept.getFirst().completed());
        stats().mergeSlices(now);
        assertThat(stats().slices(START, null, null)).containsExactlyInAnyOrderElementsOf(kept);
    }

    @Test
    void mergesIntoSlicesThatWereMergedBefore() {
        Instant later = START.plus(Duration.ofHours(2));
        stats().saveSlices("one", List.of(slice(START, "mail", 3)));
        stats().mergeSlices(later);
        stats().saveSlices("two", List.of(slice(START.plusSeconds(60), "mail", 4)));
        stats().mergeSlices(later);
        assertThat(stats().slices(START, null, null)).singleElement().satisfies(slice -> {
            assertThat(slice.completed()).isEqualTo(7);
            assertThat(slice.runs().count()).isEqualTo(7);
            assertThat(slice.length()).isEqualTo(StatsWindow.DAY.slice());
        });
    }
}
