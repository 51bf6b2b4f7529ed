package dev.heddle.migration;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import dev.heddle.env.Environment;
import dev.heddle.job.Attempt;
import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Staging;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ManualClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

/** Every store of an earlier revision opens, is brought to the schema of today, and its jobs run on. */
class EarlierStoresTest {

    private static final List<String> TYPES = List.of("echo", "fail", "long", "once", "later");
    private static final JobType<String, String> FAMILY = JobType.of("family", String.class, String.class);

    @TempDir
    private Path directory;

    static Stream<Path> stores() {
        return Stream.concat(EarlierStore.all(".db.gz"), EarlierStore.all(".sql"));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void getsTheSchemaOfANewStore(Path resource) throws Exception {
        EarlierStore store = EarlierStore.of(resource, directory);
        store.open().close();
        assertThat(store.schema()).isEqualTo(store.createNew().schema());

        store.open().close();
        assertThat(store.schema()).as("opened again").isEqualTo(store.createNew().schema());
    }

    /** Such stores exist: an earlier Heddle added the second step to a store that lacked tables of the first. */
    @ParameterizedTest
    @MethodSource("stores")
    void getsTheSchemaOfANewStoreEvenIfTheSecondStepIsThere(Path resource) throws Exception {
        EarlierStore store = EarlierStore.of(resource, directory);
        if (!resource.toString().contains("c2aab4e")) {
            store.execute(store instanceof EarlierStore.SqliteFile
                    ? "ALTER TABLE job ADD COLUMN headers TEXT; PRAGMA user_version = 2"
                    : "ALTER TABLE heddle.job ADD COLUMN headers jsonb; INSERT INTO heddle.schema_version VALUES (2)");
        }
        store.open().close();

        assertThat(store.schema()).isEqualTo(store.createNew().schema());
    }

    @ParameterizedTest
    @MethodSource("stores")
    void showsEveryJobAsItWas(Path resource) throws Exception {
        try (Store store = EarlierStore.of(resource, directory).open()) {
            Map<String, JobDetails> jobs = jobs(store);

            assertThat(states(jobs)).containsAllEntriesOf(Map.of("completed", JobState.COMPLETED, "failed",
                    JobState.FAILED, "scheduled for a retry", JobState.SCHEDULED, "queued", JobState.QUEUED,
                    "scheduled",
                    JobState.SCHEDULED, "paused", JobState.PAUSED, "cancelled", JobState.CANCELLED, "running",
                    JobState.RUNNING, "running once", JobState.RUNNING));
            assertThat(ends(find(jobs, "completed"))).containsExactly(Attempt.End.COMPLETED);
            assertThat(find(jobs, "completed").job().spec().payload()).isEqualTo("\"ä\\\"x\\\"\"");
            assertThat(find(jobs, "completed").job().spec().tags()).containsExactlyInAnyOrder("red", "blue");
            assertThat(ends(find(jobs, "failed"))).containsExactly(Attempt.End.FAILED);
            assertThat(find(jobs, "failed").attempts().getFirst().failure()).isNotNull()
                    .satisfies(failure -> assertThat(failure.message()).contains("cannot die"));
            assertThat(ends(find(jobs, "scheduled for a retry"))).containsExactly(Attempt.End.FAILED);
            assertThat(find(jobs, "running").saved().checkpoint()).contains("\"half of work\"");
            assertThat(find(jobs, "paused").history()).anyMatch(entry -> entry.reason().contains("a person paused it"));
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void knowsWhichJobsWaitForARetry(Path resource) throws Exception {
        try (Store store = EarlierStore.of(resource, directory).open()) {
            Optional<ClockedStore> clocked = store.capability(ClockedStore.class);
            assumeThat(clocked).as("a store that goes by the clock of its machine").isPresent();
            ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
            clocked.orElseThrow().useClock(Environment.system().withClock(clock));
            Map<String, JobDetails> before = jobs(store);
            clock.jump(Duration.ofHours(1));
            store.execute(new AdminCommand.ResumeQueue("any", "test", clock.instant()));
            Map<String, JobDetails> after = jobs(store);

            assertThat(dueAt(after, "scheduled for a retry"))
                    .isEqualTo(dueAt(before, "scheduled for a retry").plus(Duration.ofHours(1)));
            assertThat(dueAt(after, "scheduled")).isEqualTo(dueAt(before, "scheduled"));
        }
    }

    private static Instant dueAt(Map<String, JobDetails> jobs, String name) {
        return find(jobs, name).job().dueAt().orElseThrow();
    }

    @ParameterizedTest
    @MethodSource("stores")
    void runsEveryJobOn(Path resource) throws Exception {
        EarlierStore earlier = EarlierStore.of(resource, directory);
        Map<String, String> seen = new ConcurrentHashMap<>();
        var builder = Pool.on(earlier.open()).workers(2).staging(Staging.none()).renewEvery(Duration.ofMillis(100));
        for (String name : TYPES) {
            builder.register(JobType.of(name, String.class, String.class),
                    (payload, job) -> run(name, payload, job, seen));
        }
        try (Pool pool = builder.register(FAMILY, new Family()).open()) {
            Map<String, JobId> ids = new TreeMap<>();
            pool.admin().list(JobQuery.all()).forEach(job -> ids.put(name(job), job.id()));
            pool.admin().resume(find(ids, "paused"));
            pool.admin().deadLetters().retry(find(ids, "failed"));
            awaitRecoveredAndEnded(earlier, pool);

            Map<String, String> ends = new TreeMap<>();
            pool.admin().list(JobQuery.all()).forEach(job -> ends.put(name(job), job.state().name()));
            assertThat(ends).containsAllEntriesOf(Map.of("completed", "COMPLETED", "failed", "COMPLETED",
                    "scheduled for a retry", "COMPLETED", "queued", "COMPLETED", "scheduled", "COMPLETED", "paused",
                    "COMPLETED", "cancelled", "CANCELLED", "running", "COMPLETED", "running once", "FAILED"));
            assertThat(ends).satisfiesAnyOf(
                    all -> assertThat(all).containsEntry("waiting", "COMPLETED").containsEntry("child", "COMPLETED"),
                    all -> assertThat(all).containsEntry("labelled with a parent", "COMPLETED"));
            assertThat(seen).containsEntry("work", "from half of work, done once").doesNotContainKey("pay")
                    .doesNotContainKey("ä\"x\"");
        }
    }

    @ParameterizedTest
    @MethodSource("stores")
    void isRefusedWithWhatToDoOnceANewerHeddleHasMigratedIt(Path resource) throws Exception {
        EarlierStore store = EarlierStore.of(resource, directory);
        store.execute(store instanceof EarlierStore.SqliteFile ? "PRAGMA user_version = 999"
                : "INSERT INTO heddle.schema_version VALUES (999)");
        List<String> before = store.schema();

        assertThatThrownBy(store::open).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.kind()).isEqualTo(StoreException.Kind.FOREIGN);
            assertThat(e.getMessage()).contains("schema version 999", "use a newer Heddle");
        });
        assertThat(store.schema()).isEqualTo(before);
    }

    @ParameterizedTest
    @MethodSource("stores")
    void isRefusedIfAnotherScriptRanUnderTheSameNumber(Path resource) throws Exception {
        EarlierStore store = EarlierStore.of(resource, directory);
        store.open().close();
        store.execute("UPDATE " + (store instanceof EarlierStore.SqliteFile ? "" : "heddle.")
                + "schema_version SET fingerprint = 'other' WHERE version = 2");

        assertThatThrownBy(store::open).isInstanceOfSatisfying(StoreException.class, e -> {
            assertThat(e.kind()).isEqualTo(StoreException.Kind.FOREIGN);
            assertThat(e.getMessage()).contains("002_headers.sql", "use that build, or restore a backup");
        });
    }

    private static String run(String type, String payload, JobContext job, Map<String, String> seen) throws Exception {
        Optional<String> checkpoint = job.checkpoint(String.class);
        String how = checkpoint.isPresent()
                ? "from " + checkpoint.get() + ", " + job.step("first step", String.class, () -> "done again")
                : type;
        seen.put(payload, how);
        return how;
    }

    /** The node that made the store is dead. On PostgreSQL, that has to be found out. */
    private static void awaitRecoveredAndEnded(EarlierStore store, Pool pool) {
        Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> {
            if (store instanceof EarlierStore.PostgresDatabase) {
                store.execute("UPDATE heddle.node SET steady_since = '-infinity'");
            }
            return pool.admin().list(JobQuery.all()).stream().allMatch(job -> job.state().isFinal());
        });
    }

    private static <T> T find(Map<String, T> jobs, String name) {
        return Objects.requireNonNull(jobs.get(name), name);
    }

    private static String name(Job job) {
        return job.spec().subject().orElseThrow();
    }

    private static Map<String, JobDetails> jobs(Store store) {
        Map<String, JobDetails> jobs = new LinkedHashMap<>();
        for (Job job : store.list(JobQuery.all())) {
            jobs.put(name(job), store.details(job.id()).orElseThrow());
        }
        return jobs;
    }

    private static Map<String, JobState> states(Map<String, JobDetails> jobs) {
        Map<String, JobState> states = new TreeMap<>();
        jobs.forEach((name, details) -> states.put(name, details.job().state()));
        return states;
    }

    private static List<Attempt.End> ends(JobDetails details) {
        return details.attempts().stream().map(Attempt::end).toList();
    }

    private static final class Family implements TwoPhaseHandler<String, String> {
        @Override
        public void ingest(String payload, JobContext job) {}

        @Override
        public String aggregate(String payload, Children children, JobContext job) {
            return payload;
        }
    }
}
