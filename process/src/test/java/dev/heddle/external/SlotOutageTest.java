package dev.heddle.external;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;

import dev.heddle.worker.Worker;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class SlotOutageTest {

    private static final Duration NOW = Duration.ofDays(3);

    private final ExternalWorker lost = new ExternalWorker(
            new Worker("node/work-1", "work", InstantSource.fixed(Instant.EPOCH), Map::of, _ -> {}),
            new ExternalWorker.Supervisor() {
                @Override
                public void faulted(ExternalWorker worker, WorkerFault fault, String description) {
                    throw new AssertionError(description);
                }

                @Override
                public void succeeded(ExternalWorker worker) {
                    throw new AssertionError("the worker has done nothing");
                }

                @Override
                public void jobEnded(ExternalWorker worker) {
                    throw new AssertionError("the worker has done nothing");
                }
            });

    private SlotOutage outage(int losses, Duration nextStart) {
        return new SlotOutage(lost.id(), lost, losses, losses > 10, "exit 3", nextStart);
    }

    @Test
    void saysWhenTheNextWorkerStartsAndWhyTheLastOneWasLost() {
        assertThat(outage(1, NOW.plusMillis(15_001)).describe(NOW, null))
                .isEqualTo("next start in 16 s; lost once: exit 3");
        assertThat(outage(5, NOW).describe(NOW, null)).isEqualTo("next start now; lost 5 times in a row: exit 3");
        assertThat(outage(11, NOW).describe(NOW, null))
                .isEqualTo("next start now; restart limit reached; lost 11 times in a row: exit 3");
    }

    @Test
    void saysTheLaterTimeWhileAllStartsAreHeldBack() {
        assertThat(outage(1, NOW.plusSeconds(2)).describe(NOW, NOW.plusSeconds(60))).startsWith("next start in 60 s; ");
        assertThat(outage(1, NOW.plusSeconds(2)).describe(NOW, NOW.minusSeconds(60))).startsWith("next start in 2 s; ");
    }

    @Test
    void quotesTheLastLogLineOfAWorkerThatNeverWasReady() {
        lost.logLine("no model");

        assertThat(outage(1, NOW).describe(NOW, null)).isEqualTo("next start now; lost once: exit 3: no model");
    }

    @Test
    void belongsToTheNextWorkerOnceThatHasStarted() {
        SlotOutage started = outage(2, NOW).withStarted("node/work-1.2");

        assertThat(started.workerId()).isEqualTo("node/work-1.2");
        assertThat(started.describe(NOW, null)).isEqualTo("lost 2 times in a row: exit 3");
    }
}
