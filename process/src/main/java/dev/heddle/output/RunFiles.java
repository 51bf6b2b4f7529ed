package dev.heddle.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.process.FileTree;

/**
 * Where the files of one attempt are, below the home of its node:
 *
 * <pre>
 * runs/JOB/ATTEMPT/stdout.log  stderr.log  payload.json  result.json
 * running/JOB.ATTEMPT   while it runs; not empty where it outlives its node
 * artifacts/JOB/ATTEMPT/…
 * </pre>
 */
public record RunFiles(Path home, JobId job, int attempt) {

    private static final String RUNNING = "running";

    public Path directory() {
        return home.resolve("runs").resolve(job.toString()).resolve(Integer.toString(attempt));
    }

    /** The attempts of a job that have files, oldest first. */
    public static List<RunFiles> of(Path home, JobId job) throws IOException {
        Path directory = home.resolve("runs").resolve(job.toString());
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> attempts = Files.list(directory)) {
            return attempts.map(attempt -> Integer.parseInt(attempt.getFileName().toString())).sorted()
                    .map(attempt -> new RunFiles(home, job, attempt)).toList();
        }
    }

    public Path artifacts() {
        return home.resolve("artifacts").resolve(job.toString()).resolve(Integer.toString(attempt));
    }

    public Path stdout() {
        return directory().resolve("stdout.log");
    }

    public Path stderr() {
        return directory().resolve("stderr.log");
    }

    public Path payload() {
        return directory().resolve("payload.json");
    }

    public Path result() {
        return directory().resolve("result.json");
    }

    private Path mark() {
        return home.resolve(RUNNING).resolve(job + "." + attempt);
    }

    /** Makes the directory, and a mark that says that the attempt runs. */
    public void begin() throws IOException {
        Files.createDirectories(directory());
        Files.createDirectories(home.resolve(RUNNING));
        Files.write(mark(), new byte[0]);
    }

    /** The mark says that the run goes on when its node ends, and who takes it over will end it. */
    public void outlive() throws IOException {
        Files.writeString(mark(), "outlives its node");
    }

    /** Whether it has begun and not ended. */
    public boolean isUnended() {
        return Files.exists(mark());
    }

    /** Whether it goes on without the node that began it. */
    public boolean outlives() {
        try {
            return Files.size(mark()) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Takes the mark away. */
    public void end() throws IOException {
        Files.deleteIfExists(mark());
    }

    /** Attempts below a home that began and did not end. While no node is at work there, their node has died. */
    public static List<RunFiles> unended(Path home) throws IOException {
        if (!Files.isDirectory(home.resolve(RUNNING))) {
            return List.of();
        }
        try (Stream<Path> marks = Files.list(home.resolve(RUNNING))) {
            return marks.map(mark -> mark.getFileName().toString()).map(name -> {
                int dot = name.lastIndexOf('.');
                return new RunFiles(home, JobId.of(name.substring(0, dot)),
                        Integer.parseInt(name.substring(dot + 1)));
            }).toList();
        }
    }

    /** Deletes all of it, and what is left empty above it. Not there is fine. */
    public void delete() throws IOException {
        delete(directory());
        delete(artifacts());
    }

    private static void delete(Path tree) throws IOException {
        FileTree.delete(tree);
        Path parent = tree.getParent();
        if (parent != null && Files.isDirectory(parent)) {
            boolean empty;
            try (Stream<Path> entries = Files.list(parent)) {
                empty = entries.findAny().isEmpty();
            }
            if (empty) {
                Files.delete(parent);
            }
        }
    }
}
