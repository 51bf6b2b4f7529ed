package dev.heddle.cli.home;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;

import dev.heddle.agent.AgentArchive;
import dev.heddle.agent.AgentRun;
import dev.heddle.cli.log.RotatedLog;
import dev.heddle.control.ControlJson;
import dev.heddle.control.local.NodeFiles;
import dev.heddle.control.model.ConversationView;
import dev.heddle.control.model.JobDiff;
import dev.heddle.control.model.LogChunk;
import dev.heddle.conversation.Prices;
import dev.heddle.job.JobId;
import dev.heddle.output.ArtifactArchive;
import dev.heddle.output.OutputArchive;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/**
 * Serves the files in a home: output of runs, conversations of agents and logs of workers.
 *
 * @param output reads the output of runs; a running node also knows what is being written
 * @param prices prices for agents that do not report their cost
 */
public record HomeFiles(Home home, Output output, Prices prices) implements NodeFiles {

    /** Reads output like {@link NodeFiles#output}. */
    public interface Output {
        /** Returns up to the given number of bytes from the offset, or empty if there is no such output. */
        Optional<byte[]> read(Run run, Run.Channel channel, long offset, int limit);
    }

    /** Returns the files of a home on which no node runs. */
    public static HomeFiles of(Home home, Prices prices) {
        return new HomeFiles(home, new OutputArchive(home.directory())::read, prices);
    }

    @Override
    public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int limit) {
        return output.read(run, channel, offset, limit);
    }

    @Override
    public Optional<InputStream> artifact(Run run, String name) {
        return new ArtifactArchive(home.directory()).open(run, name);
    }

    @Override
    public Optional<ConversationView> conversation(JobId job, @Nullable Integer attempt) {
        try {
            return new AgentArchive(home.directory()).runs(job).reversed().stream()
                    .filter(run -> attempt == null || run.attempt() == attempt).findFirst().map(run -> view(job, run));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private ConversationView view(JobId job, AgentRun run) {
        try {
            return new ConversationView(job.toString(), run.attempt(), run.prompt(),
                    ControlJson.tree(ControlJson.write(run.conversation(prices))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public Optional<JobDiff> diff(Run run) {
        Run.Work work = run.work();
        return work == null || !run.place().equals(new OutputArchive(home.directory()).place()) ? Optional.empty()
                : Optional.of(WorkDiffs.read(run, work));
    }

    /** Returns part of a worker's log. Workers with the same name on earlier nodes share the log. */
    @Override
    public Optional<LogChunk> log(String worker, long offset, int limit) {
        RotatedLog log = new RotatedLog(home.workerLog(worker));
        if (!log.exists()) {
            return Optional.empty();
        }
        try {
            RotatedLog.Part part = log.read(offset, limit);
            return Optional.of(LogChunk.of(worker, part.offset(), part.bytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
