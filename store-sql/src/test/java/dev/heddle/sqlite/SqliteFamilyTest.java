package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.testkit.JobDraft;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sqlite.ProgressHandler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Families in SQLite: the cost of a child's end, in steps of SQLite's virtual machine, and parents that a crash left
 * waiting.
 */
class SqliteFamilyTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int SAMPLE = 50;

    @TempDir
    private Path directory;

    @Test
    void endingAChildTakesAsManyStepsInALargeFamilyAsInASmallOne() throws Exception {
        long small = stepsPerChild(100);
        long large = stepsPerChild(10_000);
        System.out.println(
                "SqliteFamilyTest: " + small + " steps for each of 100 children, " + large + " for each of 10,000");

        assertThat(large).isLessThan(small + small / 5);
    }

    /** Measures the first children, which have the most live siblings. Each looks for its parent. */
    private long stepsPerChild(int children) throws SQLException {
        try (SqliteStore store = SqliteStore.at(directory.resolve(children + ".db"))) {
            store.join(new NodeRecord("node", NOW, NOW, Duration.ofMinutes(10), "[]"), StoreListener.none());
            JobId parent = waiting(store, children);
            List<Fence> claimed = claim(store, "child", SAMPLE);
            AtomicLong steps = new AtomicLong();
            store.write(tx -> count(tx.connection(), steps));
            store.read(tx -> count(tx.connection(), steps));
            for (Fence child : claimed) {
                store.apply(List.of(ended(child, Attempt.End.COMPLETED, new Transition.Complete("1"))));
            }
            assertThat(store.find(parent).orElseThrow().state()).isEqualTo(JobState.WAITING);
            return steps.get() / SAMPLE;
        }
    }

    /** Simulates a process that dies after the last child's end is committed and before it wakes the parent. */
    @Test
    void aRenewalWakesAnOverlookedParent() {
        try (SqliteStore store = SqliteStore.at(directory.resolve("forgotten.db"))) {
            NodeRecord node = new NodeRecord("node", NOW, NOW, Duration.ofMinutes(10), "[]");
            store.join(node, StoreListener.none());
            JobId parent = waiting(store, 1);
            store.write(tx -> tx.update("DELETE FROM live WHERE parent IS NOT NULL"));
            assertThat(store.find(parent).orElseThrow().state()).isEqualTo(JobState.WAITING);

            store.renew(node);

            assertThat(store.find(parent).orElseThrow().state()).isEqualTo(JobState.QUEUED);
        }
    }

    private static JobId waiting(SqliteStore store, int children) {
        JobId parent = JobId.next();
        insert(store, spec(parent, "parent", null));
        store.apply(List.of(new Change.Ingested(
                ended(claim(store, "parent", 1).getFirst(), Attempt.End.INGESTED, new Transition.Wait("waits")),
                IntStream.range(0, children).mapToObj(_ -> spec(JobId.next(), "child", parent)).toList())));
        return parent;
    }

    private static int count(Connection writer, AtomicLong steps) throws SQLException {
        ProgressHandler.setHandler(writer, 1, new ProgressHandler() {
            @Override
            protected int progress() {
                steps.incrementAndGet();
                return 0;
            }
        });
        return 0;
    }

    private static NewJob spec(JobId id, String type, @Nullable JobId parent) {
        JobDraft draft = JobDraft.of(type).id(id).queue("queue").createdAt(NOW);
        return (parent == null ? draft : draft.parent(parent)).job();
    }

    private static void insert(SqliteStore store, NewJob job) {
        store.insert(List.of(new Submission(List.of(job))));
    }

    private static List<Fence> claim(SqliteStore store, String type, int most) {
        return store.claim(new ClaimRequest("node", NOW, most, List.of(new ClaimRequest.Wanted(type, false, most))))
                .claims().stream().map(claim -> claim.fence()).toList();
    }

    private static Change.Ended ended(Fence fence, Attempt.End end, Transition transition) {
        return new Change.Ended(fence, new Change.Execution("worker", NOW, NOW, NOW, end, null), transition, false);
    }
}
