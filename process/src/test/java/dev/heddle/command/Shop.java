package dev.heddle.command;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.Headroom;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive.Output;
import dev.heddle.sqlite.SqliteStore;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node that runs commands, on a home of its own. */
final class Shop implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    final Workshop workshop;
    final Pool pool;

    private Shop(Workshop workshop, Pool pool) {
        this.workshop = workshop;
        this.pool = pool;
    }

    static Workshop.Settings settings(Path home) {
        Workshop.Settings standard = Workshop.Settings.in(home);
        return standard
                .processes(standard.processes().headroom(Headroom.none()).grace(Duration.ofSeconds(2)));
    }

    static Shop open(Path home, Command... commands) {
        return open(settings(home), commands);
    }

    static Shop open(Workshop.Settings settings, Command... commands) {
        return open(settings, InstantSource.system(), commands);
    }

    /** On a clock of the test's, for what takes too long once the test says so. */
    static Shop open(Workshop.Settings settings, InstantSource clock, Command... commands) {
        SqliteStore store = SqliteStore.at(settings.home().resolve("heddle.db"));
        Workshop workshop = Workshop.open(settings, store);
        PoolBuilder builder = Pool.on(store).clock(clock).workers(8).retry(RetryPolicy.none());
        List.of(commands).forEach(command -> workshop.add(command, builder));
        return new Shop(workshop, builder.open());
    }

    JobHandle<JsonNode> submit(Command command, String payload) {
        return pool.submit(command.type(), JSON.readTree(payload));
    }

    /** The job once it has ended. */
    Job run(Command command, String payload) throws Exception {
        return submit(command, payload).end(PATIENCE);
    }

    Job end(JobId id) {
        Awaitility.await().atMost(PATIENCE).until(() -> pool.find(id).orElseThrow().state().isFinal());
        return pool.find(id).orElseThrow();
    }

    void awaitState(JobId id, JobState state) {
        Awaitility.await().atMost(PATIENCE).until(() -> pool.find(id).orElseThrow().state() == state);
    }

    Run lastRun(JobId id) {
        return pool.runs().orElseThrow().runs(id).getLast();
    }

    Output output(JobId id, int attempt) {
        return pool.runs().orElseThrow().output(id, attempt).orElseThrow();
    }

    @Override
    public void close() {
        pool.close();
        workshop.close();
    }
}
