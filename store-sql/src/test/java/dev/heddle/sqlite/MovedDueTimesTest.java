package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.testkit.JobDraft;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** What a jump of the machine's clock costs, and what it leaves in the file. */
class MovedDueTimesTest {

    private static final Duration DELAY = Duration.ofMinutes(10);

    private final ManualClock clock = new ManualClock(JobDraft.CREATED_AT);
    @TempDir
    private Path directory;
    private Path file;

    @BeforeEach
    void chooseFile() {
        file = directory.resolve("jobs.db");
    }

    private SqliteStore open() {
        SqliteStore store = SqliteStore.at(file);
        store.useClock(Environment.system().withClock(clock));
        return store;
    }

    private Instant dueAt(SqliteStore store, JobId id) {
        return store.find(id).orElseThrow().dueAt().orElseThrow();
    }

    private void renew(SqliteStore store) {
        Instant now = clock.instant();
        store.renew(new NodeRecord("node", now, now, Duration.ofSeconds(30), "[]"));
    }

    @Test
    void movesDueTimesAtTheNextRenewalAndForGood() {
        JobDraft draft = JobDraft.of("note").delay(DELAY);
        try (SqliteStore store = open()) {
            Instant now = clock.instant();
            store.join(new NodeRecord("node", now, now, Duration.ofSeconds(30), "[]"), StoreListener.none());
            store.insert(List.of(new Submission(List.of(draft.job()))));
            clock.jump(Duration.ofHours(1));
            renew(store);
            renew(store);
            assertThat(dueAt(store, draft.id())).isEqualTo(clock.instant().plus(DELAY));
        }
        try (SqliteStore store = open()) {
            assertThat(dueAt(store, draft.id())).isEqualTo(clock.instant().plus(DELAY));
        }
    }

    @Test
    void movesNothingIfTheClockIsSetWhileNoNodeRuns() {
        JobDraft draft = JobDraft.of("note").delay(DELAY);
        try (SqliteStore store = open()) {
            store.insert(List.of(new Submission(List.of(draft.job()))));
        }
        // Nobody can tell how much time has passed meanwhile.
        clock.jump(Duration.ofHours(1));
        try (SqliteStore store = open()) {
            renew(store);
            assertThat(dueAt(store, draft.id())).isEqualTo(JobDraft.CREATED_AT.plus(DELAY));
        }
    }

    @Test
    void findsTheJobsToMoveByAnIndex() throws Exception {
        try (SqliteStore store = open();
                Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            store.insert(List.of(new Submission(
                    IntStream.range(0, 2_000).mapToObj(_ -> JobDraft.of("note").job()).toList())));
            assertThat(store.list(JobQuery.all())).isNotEmpty();
            try (ResultSet plan = statement
                    .executeQuery("EXPLAIN QUERY PLAN " + SqliteStore.MOVE_DUE_TIMES.replace("?", "1"))) {
                assertThat(plan.next()).isTrue();
                assertThat(plan.getString("detail")).contains("USING INDEX live_due_after_span");
            }
        }
    }
}
