package dev.heddle.worker;

import java.time.Instant;
import java.util.Map;

import dev.heddle.job.Limits;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class WorkerSnapshotTest {

    @Test
    void hasOnlyFactsThatEveryStoreCanKeep() {
        WorkerSnapshot snapshot = new WorkerSnapshot("w", "g", WorkerState.READY, Health.HEALTHY, null, Instant.EPOCH,
                0,
                Map.of("error", "a\0b\uD800", "pid", "7")).with("long", "x".repeat(5_000));

        assertThat(snapshot.facts()).containsEntry("error", "a\uFFFDb\uFFFD").containsEntry("pid", "7");
        assertThat(snapshot.facts().get("long")).hasSizeLessThanOrEqualTo(Limits.REASON).contains("more characters");
    }
}
