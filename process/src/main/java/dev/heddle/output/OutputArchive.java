package dev.heddle.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

import dev.heddle.run.Machine;
import dev.heddle.run.Run;

/**
 * Reads the output of runs from a node's home directory, whether the node is running or not.
 *
 * @param home the node's home directory
 */
public record OutputArchive(Path home) {

    /** Makes the home absolute. */
    public OutputArchive {
        home = home.toAbsolutePath().normalize();
    }

    /** Returns how run records name this home. Nodes on other machines see it too, so it includes the machine. */
    public String place() {
        return Machine.name() + ":" + home;
    }

    /** Reads up to a number of bytes at an offset; empty if the files of the run are elsewhere, or deleted. */
    public Optional<byte[]> read(Run run, Run.Channel channel, long offset, int maxBytes) {
        RunFiles files = new RunFiles(home, run.job(), run.attempt());
        if (!run.place().equals(place()) || !Files.isDirectory(files.directory())) {
            return Optional.empty();
        }
        Path file = switch (channel) {
            case STDOUT -> files.stdout();
            case STDERR -> files.stderr();
        };
        try {
            return Optional.of(OutputReader.read(file, offset, maxBytes));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
