package dev.heddle.cli.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.heddle.agent.AgentArchive;
import dev.heddle.agent.AgentRun;
import dev.heddle.control.ControlJson;
import dev.heddle.control.ConversationView;
import dev.heddle.control.NodeFiles;
import dev.heddle.conversation.Prices;
import dev.heddle.job.JobId;
import dev.heddle.output.OutputHome;
import dev.heddle.output.OutputReader;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/**
 * What a home has in files: the output of runs and the logs of workers.
 *
 * @param output the output; a running node knows more about what is being written
 * @param prices for agents that do not say what they cost
 */
public record HomeFiles(Home home, Output output, Prices prices) implements NodeFiles {

    /** As {@link NodeFiles#output} has it. */
    public interface Output {
        Optional<byte[]> read(Run run, Run.Channel channel, long offset, int most);
    }

    /** Where no node runs. */
    public static HomeFiles of(Home home, Prices prices) {
        return new HomeFiles(home, new OutputHome(home.directory())::read, prices);
    }

    @Override
    public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most) {
        return output.read(run, channel, offset, most);
    }

    @Override
    public Optional<ConversationView> conversation(JobId job, @Nullable Integer attempt) {
        try {
            return new AgentArchive(home.directory()).runs(job).reversed().stream()
                    .filter(run -> attempt == null || run.attempt() == attempt).findFirst()
                    .map(run -> view(job, run));
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

    /** Workers of other nodes may have had the same name here, before; theirs is the same log. */
    @Override
    public Optional<byte[]> log(String worker, long offset, int most) {
        Path file = home.workerLog(worker);
        try {
            return Files.isRegularFile(file) && Files.size(file) >= offset
                    ? Optional.of(OutputReader.read(file, offset, most))
                    : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
