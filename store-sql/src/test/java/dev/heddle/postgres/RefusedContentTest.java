package dev.heddle.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What PostgreSQL itself refuses: an index entry that is too large, a broken constraint, a trigger that objects. */
class RefusedContentTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final JobType<String, String> NOTE = JobType.of("note", String.class, String.class);

    private final Schemas schemas = new Schemas(Version.V18);
    private final AtomicInteger badRuns = new AtomicInteger();

    /** Returns a text that cannot be compressed to the 2704 bytes of an index entry. */
    private static String large() {
        Random random = new Random(42);
        StringBuilder text = new StringBuilder();
        while (text.length() < 40_000) {
            text.append(Long.toHexString(random.nextLong()));
        }
        return text.toString();
    }

    /** Runs a bad job among a hundred good ones, which all complete; returns how the bad one ended. */
    private Job runAmongOthers(String prepare, JobHandler<String, String> bad) throws Exception {
        try (Pool pool = Pool.on(schemas.openNew()).workers(20).closeTimeout(Duration.ofSeconds(1))
                .register(NOTE, (text, job) -> {
                    if (!text.equals("bad")) {
                        return "ok";
                    }
                    badRuns.incrementAndGet();
                    return bad.handle(text, job);
                }).open()) {
            schemas.change(prepare);
            List<JobHandle<String>> good = new ArrayList<>(submit(pool, 50));
            JobHandle<String> alone = pool.submit(NOTE, "bad");
            good.addAll(submit(pool, 50));
            for (JobHandle<String> handle : good) {
                assertThat(handle.awaitEnd(LONG).state()).isEqualTo(JobState.COMPLETED);
            }
            return alone.awaitEnd(LONG);
        }
    }

    private static List<JobHandle<String>> submit(Pool pool, int count) {
        return pool.submitAll(IntStream.range(0, count).mapToObj(i -> NOTE.with("good")).toList());
    }

    private void assertFailedForGood(Job job, String reason) {
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
        assertThat(job.reason().orElseThrow()).contains("The store refused", reason);
        assertThat(badRuns).hasValue(1);
    }

    @Test
    void failsAStepThatIsTooLargeForAnIndex() throws Exception {
        assertFailedForGood(runAmongOthers("CREATE INDEX ON heddle.step ((json::text))",
                (text, job) -> job.step("fetch", String.class, RefusedContentTest::large)), "index row");
    }

    @Test
    void failsACheckpointThatIsTooLargeForAnIndex() throws Exception {
        assertFailedForGood(runAmongOthers("CREATE INDEX ON heddle.checkpoint ((json::text))", (text, job) -> {
            job.saveCheckpoint(large());
            return "not reached";
        }), "index row");
    }

    @Test
    void failsAJobWhoseResultIsTooLargeForAnIndex() throws Exception {
        assertFailedForGood(runAmongOthers("CREATE INDEX ON heddle.ended ((result::text))",
                (text, job) -> large()), "index row");
    }

    @Test
    void failsAJobWhoseResultBreaksAConstraint() throws Exception {
        assertFailedForGood(runAmongOthers("ALTER TABLE heddle.ended ADD CHECK (result::text <> '\"wrong\"')",
                (text, job) -> "wrong"), "violates check constraint");
    }

    @Test
    void refusesASubmitThatATriggerObjectsTo() throws Exception {
        try (Pool pool = Pool.on(schemas.openNew()).register(NOTE, (text, job) -> "ok").open()) {
            schemas.change("""
                    CREATE FUNCTION heddle.object() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN IF NEW.payload::text = '"bad"' THEN RAISE 'not that one'; END IF; RETURN NEW; END $$""");
            schemas.change("CREATE TRIGGER objects BEFORE INSERT ON heddle.job FOR EACH ROW"
                    + " EXECUTE FUNCTION heddle.object()");
            assertThatThrownBy(() -> pool.submit(NOTE, "bad")).isInstanceOfSatisfying(StoreException.class,
                    e -> assertThat(e.kind()).isEqualTo(StoreException.Kind.REJECTED))
                    .hasMessageContaining("not that one");
            assertThat(pool.submit(NOTE, "good").awaitEnd(LONG).state()).isEqualTo(JobState.COMPLETED);
        }
    }
}
