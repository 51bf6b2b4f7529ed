package dev.heddle.control.local;

import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;

import dev.heddle.control.Control;
import dev.heddle.control.model.BulkAction;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.BulkView;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class BulkHandlerTest {

    private static final int JOBS = 5_000;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final JobType<Void, Void> IDLE = JobType.of("idle");

    @Test
    void continuesOnTheNextNodeAfterTheLastCheckpoint() {
        try (MemoryStore store = new MemoryStore()) {
            String id;
            try (Pool first = Pool.on(store).closeTimeout(Duration.ofMillis(20)).open();
                    Control control = LocalControl.on(first)) {
                first.submitAll(IntStream.range(0, JOBS).mapToObj(_ -> IDLE.withoutPayload()).toList());
                id = Objects.requireNonNull(
                        control.startBulk(new BulkDraft(BulkAction.CANCEL, "type:idle", null, null, null, null)).id());
                Awaitility.await().atMost(LONG).until(() -> control.bulk(id).done() > 0);
            }
            try (Pool next = Pool.on(store).open(); Control control = LocalControl.on(next)) {
                BulkHandler.register(next);
                control.await(id, LONG);

                BulkView bulk = control.bulk(id);
                assertThat(bulk.state()).isEqualTo(JobState.COMPLETED);
                assertThat(bulk.done() + bulk.skipped()).isEqualTo(JOBS);
                assertThat(next.admin().count(JobQuery.all().type("idle").states(JobState.CANCELLED)))
                        .isEqualTo(JOBS);
            }
        }
    }
}
