package dev.heddle.external;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.pool.JobHandle;
import dev.heddle.process.Headroom;
import dev.heddle.process.Isolation;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Less common faults of workers. */
class ExternalFaultsTest extends ExternalFixture {

    @Test
    void replacesAWorkerThatClosesItsInputButLives() throws Exception {
        processes.close();
        // Not in a namespace, whose first process would hold the pipe open.
        processes = Processes.open(ProcessSettings.in(home.resolve("session")).isolation(Isolation.SESSION)
                .headroom(Headroom.none()).grace(Duration.ofMillis(500)));
        open(faultyWorker().health(Duration.ofMinutes(10), Duration.ofSeconds(5)));
        String first = run(job("close input")).path("worker").asString();
        JobHandle<JsonNode> next = submit(job("well"));
        assertThat(result(next).path("worker").asString()).isNotEqualTo(first);
        assertThat(firstFailure(next).message()).contains("WorkerLost", "its input is closed");
        assertThat(pool().find(next.id()).orElseThrow().counts().failures()).as("only one job failed").isOne();
    }

    @Test
    void cancelsTheJobOfAWorkerThatViolatesTheProtocol() throws Exception {
        open(faultyWorker());
        Path notes = home.resolve("notes");
        JobHandle<JsonNode> broken = pool()
                .submit(WORK.with(job("broken").put("notes", notes.toString())).maxRetries(0));
        assertThat(end(broken).state()).isEqualTo(JobState.FAILED);
        await().until(() -> Files.exists(notes)
                && Files.readString(notes).startsWith("the protocol was violated: invalid JSON"));
    }

    @Test
    void failsAJobForGoodThatAsksForARetryInTheFarFuture() throws Exception {
        open(faultyWorker());
        Job later = end(submit(job("far future")));
        assertThat(later.state()).isEqualTo(JobState.FAILED);
        assertThat(later.reason()).hasValueSatisfying(reason -> assertThat(reason)
                .startsWith("Permanent failure: no retry, because retryAfter is over 100 years: "));
        assertThat(run(job("well")).path("what").asString()).as("the pool keeps working").isEqualTo("well");
    }
}
