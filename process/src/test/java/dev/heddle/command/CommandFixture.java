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
import dev.heddle.process.LaunchException;
import dev.heddle.run.Run;
import dev.heddle.run.RunArchive;
import dev.heddle.run.RunArchive.Output;
import dev.heddle.sqlite.SqliteStore;
import org.awaitility.Awaitility;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A node that runs commands in its own home. */
final class CommandFixture implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final JsonMapper JSON = JsonMapper.builder().build();

    final CommandRuntime runtime;
    final Pool pool;

    private CommandFixture(CommandRuntime runtime, Pool pool) {
        this.runtime = runtime;
        this.pool = pool;
    }

    static CommandRuntime.Settings settings(Path home) {
        CommandRuntime.Settings standard = CommandRuntime.Settings.in(home);
        return standard.processes(standard.processes().headroom(Headroom.none()).grace(Duration.ofSeconds(2)));
    }

    static CommandFixture open(Path home, CommandSpec... commands) {
        return open(settings(home), commands);
    }

    static CommandFixture open(CommandRuntime.Settings settings, CommandSpec... commands) {
        return open(settings, InstantSource.system(), commands);
    }

    /** Opens a node on a clock with which the test decides when a command has taken too long. */
    static CommandFixture open(CommandRuntime.Settings settings, InstantSource clock, CommandSpec... commands) {
        SqliteStore store = SqliteStore.at(settings.home().resolve("heddle.db"));
        CommandRuntime runtime = CommandRuntime.open(settings, store);
        PoolBuilder builder = Pool.on(store).clock(clock).workers(8).retry(RetryPolicy.none());
        try {
            List.of(commands).forEach(command -> runtime.register(command, builder));
        } catch (LaunchException e) {
            runtime.close();
            store.close();
            throw e;
        }
        return new CommandFixture(runtime, builder.open());
    }

    JobHandle<JsonNode> submit(CommandSpec command, String payload) {
        return pool.submit(command.type(), JSON.readTree(payload));
    }

    /** Runs a job to its end. */
    Job run(CommandSpec command, String payload) throws Exception {
        return submit(command, payload).awaitEnd(PATIENCE);
    }

    Job awaitEnd(JobId id) {
        Awaitility.await().atMost(PATIENCE).until(() -> pool.find(id).orElseThrow().state().isFinal());
        return pool.find(id).orElseThrow();
    }

    void awaitState(JobId id, JobState state) {
        Awaitility.await().atMost(PATIENCE).until(() -> pool.find(id).orElseThrow().state() == state);
    }

    Run lastRun(JobId id) {
        return pool.admin().capability(RunArchive.class).orElseThrow().runs(id).getLast();
    }

    Output output(JobId id, int attempt) {
        return pool.admin().capability(RunArchive.class).orElseThrow().output(id, attempt).orElseThrow();
    }

    @Override
    public void close() {
        pool.close();
        runtime.close();
    }
}
