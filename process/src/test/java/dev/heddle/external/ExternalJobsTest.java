package dev.heddle.external;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.PoolEvent;
import dev.heddle.worker.WorkerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Every feature of a job works with a worker in another language. */
class ExternalJobsTest extends ExternalFixture {

    @Test
    void passesAJobToAWorkerAndReturnsItsResult() throws Exception {
        open(libraryWorker(), builder -> builder.timeout(Duration.ofMinutes(1)));
        JsonNode result = run(WORK.with(job("echo").put("value", "ü\n\u2028")).subject("doc-7"));
        assertThat(result.path("value").asString()).isEqualTo("ü\n\u2028");
        assertThat(result.path("attempt").asInt()).isEqualTo(1);
        assertThat(result.path("subject").asString()).isEqualTo("doc-7");
        assertThat(result.path("session").isNull()).isTrue();
        assertThat(result.path("secondsLeft").asDouble()).isBetween(1.0, 60.0);
        assertThat(result.path("worker").asString()).isEqualTo(ready().id()).endsWith("/work-1");
    }

    @Test
    void reportsProgress() throws Exception {
        open(libraryWorker());
        List<String> reported = new CopyOnWriteArrayList<>();
        pool().observe(event -> {
            if (event instanceof PoolEvent.Progressed(_, var progress)) {
                reported.add(progress.current() + "/" + progress.total() + " " + progress.message());
            }
        });
        run(job("tell"));
        assertThat(reported).containsExactly("3/4 nearly");
    }

    @Test
    void continuesFromItsCheckpointAfterAPartialFailure() throws Exception {
        open(libraryWorker());
        JobHandle<JsonNode> handle = submit(job("steps"));
        JsonNode result = result(handle);
        assertThat(result.path("value").asInt()).isEqualTo(4);
        assertThat(result.path("attempt").asInt()).isEqualTo(2);
        Failure failure = firstFailure(handle);
        assertThat(failure.category()).isEqualTo(FailureCategory.PARTIAL);
        assertThat(failure.message()).isEqualTo("stopped in the middle");
        assertThat(failure.failedStep()).isEqualTo("two");
        assertThat(failure.recoveryHint()).isEqualTo("go on");
        assertThat(failure.retryAfter()).isEqualTo(Duration.ZERO);
        assertThat(failure.details()).contains("Traceback", "library_worker.py");
    }

    @Test
    void refusesACheckpointThatIsTooLarge() throws Exception {
        open(libraryWorker());
        Job job = end(submit(job("big checkpoint")));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.status().reason()).contains("checkpoint refused");
        assertThat(ready().jobs()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"transient, 3, Max retries exceeded (2): as asked", "permanent, 1, Permanent failure: as asked"})
    void failsInTheReportedCategoryAndKeepsTheWorker(String how, int attempts, String reason) throws Exception {
        open(libraryWorker());
        long before = pid(ready());
        Job job = end(submit(job("fail").put("how", how)));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.counts().attempt()).isEqualTo(attempts);
        assertThat(job.status().reason()).isEqualTo(reason);
        assertThat(pid(ready())).isEqualTo(before);
    }

    @Test
    void replacesAWorkerAfterAFatalError() throws Exception {
        open(libraryWorker());
        long before = pid(ready());
        Job job = end(submit(job("fail").put("how", "fatal")));
        assertThat(job.status().reason()).isEqualTo("Max retries exceeded (2): as asked");
        await().until(() -> !in(WorkerState.READY).isEmpty() && pid(ready()) != before);
        assertThat(ready().id()).endsWith("-1.4");
    }

    @Test
    void cancelsARunningJobAndKeepsTheWorker() throws Exception {
        open(libraryWorker());
        long before = pid(ready());
        JobHandle<JsonNode> handle = submit(job("wait").put("seconds", 60));
        await().until(() -> pool().find(handle.id()).orElseThrow().status().progress() != null);
        pool().admin().cancel(handle.id(), "not needed");
        assertThat(end(handle).state()).isEqualTo(JobState.CANCELLED);
        assertThat(run(job("echo")).path("worker").asString()).endsWith("-1");
        assertThat(pid(ready())).isEqualTo(before);
    }

    @Test
    void killsAndReplacesAWorkerThatDoesNotStopItsJobInTime() throws Exception {
        open(libraryWorker(), builder -> builder.cancelGrace(Duration.ofMillis(300), LONG));
        JobHandle<JsonNode> handle = pool()
                .submit(WORK.with(job("deaf").put("seconds", 60)).maxRetries(0).timeout(Duration.ofMillis(200)));
        Job job = end(handle);
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.status().reason()).contains("timed out after 200 ms");
        assertThat(pool().admin().details(handle.id()).orElseThrow().attempts().getFirst().end())
                .isEqualTo(Attempt.End.TIMED_OUT);
        await().until(() -> in(WorkerState.READY).stream().anyMatch(worker -> worker.id().endsWith("-1.2")));
        assertThat(run(job("echo")).path("worker").asString()).endsWith("-1.2");
    }

    @Test
    void retriesAJobWhoseWorkerWasKilled() throws Exception {
        open(libraryWorker());
        JobHandle<JsonNode> handle = submit(job("die"));
        assertThat(result(handle).path("attempt").asInt()).isEqualTo(2);
        Failure failure = firstFailure(handle);
        assertThat(failure.category()).isEqualTo(FailureCategory.TRANSIENT);
        assertThat(failure.message()).contains("WorkerLost").contains("work-1 was lost while it ran the job");
    }

    @Test
    void requeuesJobsWhenThePoolClosesAndLeavesNoProcess() throws Exception {
        open(libraryWorker().workers(2));
        JobHandle<JsonNode> obedient = submit(job("wait").put("seconds", 60));
        JobHandle<JsonNode> deaf = submit(job("deaf").put("seconds", 60));
        await().until(() -> List.of(obedient, deaf).stream()
                .allMatch(handle -> pool().find(handle.id()).orElseThrow().status().progress() != null));
        List<String> ends = new CopyOnWriteArrayList<>();
        pool().observe(event -> {
            if (event instanceof PoolEvent.Ended ended) {
                ends.add(ended.end() + " " + ended.job().state());
            }
        });
        pool().close();
        assertThat(ends).containsExactly("RELEASED QUEUED", "RELEASED QUEUED");
        assertThat(processes.running()).isEmpty();
    }
}
