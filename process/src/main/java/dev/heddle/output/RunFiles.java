package dev.heddle.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.process.files.FileTree;

/**
 * The files of one attempt, below the home of its node:
 *
 * <pre>
 * runs/JOB/ATTEMPT/stdout.log  stderr.log  payload.json  result.json  token.sha256  logged
 * running/JOB.ATTEMPT   a marker while the attempt runs; not empty if the run outlives its node
 * artifacts/JOB/ATTEMPT/…
 * </pre>
 *
 * @param home the node's home directory
 * @param job the job
 * @param attempt the attempt, starting at 1
 */
public record RunFiles(Path home, JobId job, int attempt) {

    private static final String RUNNING = "running";

    /** Lists the attempts of a job that have files, oldest first. */
    public static List<RunFiles> list(Path home, JobId job) throws IOException {
        Path directory = home.resolve("runs").resolve(job.toString());
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> attempts = Files.list(directory)) {
            return attempts.map(attempt -> Integer.parseInt(attempt.getFileName().toString())).sorted()
                    .map(attempt -> new RunFiles(home, job, attempt)).toList();
        }
    }

    /** Lists the attempts that started and did not finish. If no node uses this home, their node died. */
    public static List<RunFiles> listUnfinished(Path home) throws IOException {
        if (!Files.isDirectory(home.resolve(RUNNING))) {
            return List.of();
        }
        try (Stream<Path> markers = Files.list(home.resolve(RUNNING))) {
            return markers.map(marker -> marker.getFileName().toString()).map(name -> {
                int dot = name.lastIndexOf('.');
                return new RunFiles(home, JobId.of(name.substring(0, dot)), Integer.parseInt(name.substring(dot + 1)));
            }).toList();
        }
    }

    /** Returns the directory of the output, the payload and the result. */
    public Path directory() {
        return home.resolve("runs").resolve(job.toString()).resolve(Integer.toString(attempt));
    }

    /** Returns the directory to which artifacts are copied. */
    public Path artifacts() {
        return home.resolve("artifacts").resolve(job.toString()).resolve(Integer.toString(attempt));
    }

    /** Returns the file to which the processes write their standard output. */
    public Path stdout() {
        return directory().resolve("stdout.log");
    }

    /** Returns the file to which the processes write their standard error. */
    public Path stderr() {
        return directory().resolve("stderr.log");
    }

    /** Returns the file from which the processes read the payload. */
    public Path payload() {
        return directory().resolve("payload.json");
    }

    /** Returns the file to which a process may write the job's result. */
    public Path result() {
        return directory().resolve("result.json");
    }

    /** Returns the file with the hash of the token of a run that outlives its node. */
    public Path tokenHash() {
        return directory().resolve("token.sha256");
    }

    /** Returns the file that tells how much of the output of a run that outlives its node is in the log of the job. */
    public Path logged() {
        return directory().resolve("logged");
    }

    private Path marker() {
        return home.resolve(RUNNING).resolve(job + "." + attempt);
    }

    /** Creates the directory, and the marker of a running attempt. */
    public void markStarted() throws IOException {
        Files.createDirectories(directory());
        Files.createDirectories(home.resolve(RUNNING));
        Files.write(marker(), new byte[0]);
    }

    /** Notes in the marker that the run continues if its node ends; the attempt that takes it over will finish it. */
    public void markOutlivesNode() throws IOException {
        Files.writeString(marker(), "outlives its node");
    }

    /** Removes the marker. */
    public void markFinished() throws IOException {
        Files.deleteIfExists(marker());
    }

    /** Tells whether the attempt started and did not finish. */
    public boolean isUnfinished() {
        return Files.exists(marker());
    }

    /** Tells whether the run continues without the node that started it. */
    public boolean outlivesNode() {
        try {
            return Files.size(marker()) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    /** Deletes the files and artifacts of the attempt, and parent directories that become empty. */
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
