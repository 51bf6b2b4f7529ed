package dev.heddle.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.heddle.run.Machine;
import dev.heddle.run.Run;

/** The home of a node as far as the output of its runs goes; to be read whether the node runs or not. */
public record OutputHome(Path home) {

    public OutputHome {
        home = home.toAbsolutePath().normalize();
    }

    /** What the home is called in records, which nodes on other machines see. */
    public String place() {
        return Machine.name() + ":" + home;
    }

    /** At most so many bytes from there on; empty where the files of the run are elsewhere, or gone. */
    public Optional<byte[]> read(Run run, Run.Channel channel, long offset, int most) {
        RunFiles files = new RunFiles(home, run.job(), run.attempt());
        if (!run.place().equals(place()) || !Files.isDirectory(files.directory())) {
            return Optional.empty();
        }
        Path file = switch (channel) {
            case STDOUT -> files.stdout();
            case STDERR -> files.stderr();
        };
        try {
            return Optional.of(OutputReader.read(file, offset, most));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
