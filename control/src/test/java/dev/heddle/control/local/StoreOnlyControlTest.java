package dev.heddle.control.local;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.LogChunk;
import dev.heddle.control.model.WaitKind;
import dev.heddle.control.model.WaitReasonView;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.run.Run;
import dev.heddle.sqlite.SqliteFile;
import dev.heddle.sqlite.SqliteStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/** Uses a control on a store without a node. */
class StoreOnlyControlTest {

    private static final Duration LONG = Duration.ofSeconds(30);

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit's
    private Path directory;

    private SqliteStore store() {
        return SqliteStore.at(directory.resolve("jobs.db"));
    }

    @Test
    void submitsJobsThatTheNextNodeRuns() {
        String id;
        try (Control control = LocalControl.on(store())) {
            id = control.submit(List.of(JobDraft.of("echo", ControlJson.tree("[1]")))).jobs().getFirst().id();

            assertThat(control.await(id, Duration.ofMillis(1)).job().state()).isEqualTo(JobState.QUEUED);
            assertThat(control.stats().node()).isNull();
            assertThat(control.stats().nodeId()).isNull();
            assertThat(control.nodes()).isEmpty();
            assertThat(control.workers()).isEmpty();
            assertThat(control.why(id).reasons()).singleElement().extracting(WaitReasonView::kind)
                    .isEqualTo(WaitKind.NO_NODE);
            assertThat(kind(() -> control.drain(null))).isEqualTo(Kind.NOT_FOUND);
        }
        try (Pool pool = new TestPool().on(store()).open(); Control control = LocalControl.on(pool)) {
            assertThat(control.await(id, LONG).result()).hasToString("[1]");
        }
        try (Control control = LocalControl.on(store())) {
            assertThat(control.nodes()).as("the node has left").isEmpty();
            assertThat(control.workers()).isEmpty();
        }
    }

    @Test
    void showsAKilledNodeAsDead() {
        Path asKilled = directory.resolve("killed.db");
        String id;
        try (Pool pool = new TestPool().on(store()).open()) {
            id = pool.admin().nodeId();
            SqliteFile.at(directory.resolve("jobs.db")).backUpTo(asKilled);
        }
        try (Control control = LocalControl.on(SqliteStore.at(asKilled))) {
            assertThat(control.nodes()).singleElement().satisfies(node -> {
                assertThat(node.id()).isEqualTo(id);
                assertThat(node.alive()).isFalse();
                assertThat(node.workers()).isZero();
            });
            assertThat(control.workers()).isEmpty();
        }
    }

    /** Returns files with one log, which belongs to a slot and outlives its workers. */
    private static NodeFiles logOf(String slot, String text) {
        return new NodeFiles() {
            @Override
            public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most) {
                return Optional.empty();
            }

            @Override
            public Optional<LogChunk> log(String worker, long offset, int most) {
                byte[] all = text.getBytes(StandardCharsets.UTF_8);
                return worker.startsWith(slot) && offset <= all.length
                        ? Optional.of(LogChunk.of(worker, offset, Arrays.copyOfRange(all, (int) offset, all.length)))
                        : Optional.empty();
            }
        };
    }

    @Test
    void readsTheLogOfAWorkerThatNoLongerExists() {
        try (Control control = LocalControl.on(store()).with(logOf("slow-1", "it was slow"))) {
            assertThat(control.workerLog("slow-1.6", 0, Duration.ZERO).bytes()).asString().isEqualTo("it was slow");
            assertThat(kind(() -> control.workerLog("slow-2", 0, Duration.ZERO))).isEqualTo(Kind.NOT_FOUND);
        }
    }

    @Test
    void recordsItsNameAsTheActorOfCommands() {
        try (Control control = LocalControl.on(store()).as("cli")) {
            String id = control.submit(List.of(JobDraft.of("echo", null))).jobs().getFirst().id();
            control.cancel(id, "");

            assertThat(control.job(id).history()).singleElement().satisfies(entry -> {
                assertThat(entry.actor()).isEqualTo("library:cli");
                assertThat(entry.reason()).isEqualTo("cancelled by library:cli");
            });
        }
    }

    @Test
    void appliesTheLimitsOfItsSubmitter() {
        SqliteStore store = store();
        try (Control control = LocalControl.on(store, Pool.on(store).queueCapacity(1).payloadLimit(10).submitter())) {
            control.submit(List.of(JobDraft.of("echo", null)));

            assertThat(kind(() -> control.submit(List.of(JobDraft.of("echo", null))))).isEqualTo(Kind.FULL);
            assertThat(kind(() -> control.submit(List.of(JobDraft.of("echo", ControlJson.tree("\"01234567890\""))))))
                    .isEqualTo(Kind.INVALID);
            assertThat(control.stats().jobs()).containsEntry(JobState.QUEUED, 1L);
        }
    }

    @Test
    void awaitsAJobThatAnotherCallerEnds() {
        try (Control control = LocalControl.on(store())) {
            String id = control.submit(List.of(JobDraft.of("echo", null))).jobs().getFirst().id();
            Thread other = Thread.ofVirtual().start(() -> control.cancel(id, "from elsewhere"));

            assertThat(control.await(id, LONG).job().state()).isEqualTo(JobState.CANCELLED);
            assertThat(other.isInterrupted()).isFalse();
        }
    }

    @Test
    void reportsAClosedStoreAndAMissingNodeAsUnreachable() {
        Control closed = LocalControl.on(store());
        closed.close();

        assertThat(kind(closed::stats)).isEqualTo(Kind.UNREACHABLE);
        try (Control unreachable = RemoteControl.at(URI.create("http://127.0.0.1:1"), "token")) {
            assertThat(kind(unreachable::stats)).isEqualTo(Kind.UNREACHABLE);
        }
    }

    private static Kind kind(Runnable question) {
        return catchThrowableOfType(ControlException.class, question::run).kind();
    }
}
