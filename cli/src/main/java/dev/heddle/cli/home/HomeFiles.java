package dev.heddle.cli.home;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.heddle.control.NodeFiles;
import dev.heddle.output.OutputHome;
import dev.heddle.output.OutputReader;
import dev.heddle.run.Run;

/**
 * What a home has in files: the output of runs and the logs of workers.
 *
 * @param output the output; a running node knows more about what is being written
 */
public record HomeFiles(Home home, Output output) implements NodeFiles {

    /** As {@link NodeFiles#output} has it. */
    public interface Output {
        Optional<byte[]> read(Run run, Run.Channel channel, long offset, int most);
    }

    /** Where no node runs. */
    public static HomeFiles of(Home home) {
        return new HomeFiles(home, new OutputHome(home.directory())::read);
    }

    @Override
    public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most) {
        return output.read(run, channel, offset, most);
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
