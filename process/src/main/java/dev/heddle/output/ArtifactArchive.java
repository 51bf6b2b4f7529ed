package dev.heddle.output;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

import dev.heddle.run.Run;

/**
 * Opens the artifacts of runs in a node's home directory, whether the node is running or not.
 *
 * @param home the node's home directory
 */
public record ArtifactArchive(Path home) {

    /** Makes the home absolute. */
    public ArtifactArchive {
        home = home.toAbsolutePath().normalize();
    }

    /**
     * Opens an artifact; empty if the run lists no such artifact, or if its files are elsewhere or deleted. Files that the
     * run does not list are never opened, nor what a symbolic link leads to.
     */
    public Optional<InputStream> open(Run run, String path) {
        if (run.artifacts().stream().noneMatch(artifact -> artifact.path().equals(path))
                || !run.place().equals(new OutputArchive(home).place())) {
            return Optional.empty();
        }
        Path root = new RunFiles(home, run.job(), run.attempt()).artifacts();
        Path file = root.resolve(path).normalize();
        try {
            if (!file.startsWith(root) || !file.toRealPath().equals(root.toRealPath().resolve(root.relativize(file)))
                    || !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                return Optional.empty();
            }
            return Optional.of(Files.newInputStream(file, LinkOption.NOFOLLOW_LINKS));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
