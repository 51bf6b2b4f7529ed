package dev.heddle.worktree;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.job.JobId;
import dev.heddle.worktree.WorktreeException.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Whose a worktree is, kept in a file beside it, on disk before the worktree is. Only what has such a file is ever
 * touched.
 *
 * @param repository what it is a worktree of
 * @param gitDirectory its own part of the repository; null until git has made it
 * @param keeper who looks after it, see {@link Keeper}
 * @param commit what the attempt began with
 * @param job whose attempt has it; null while nobody has
 * @param attempt of that job
 * @param kept to be left alone for whoever wants to look into it
 */
public record Owner(Path repository, @Nullable Path gitDirectory, String keeper, String commit,
        @Nullable JobId job, int attempt, boolean kept) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SUFFIX = ".json";

    /** Whatever else lies there as JSON is not one of these. */
    public Owner {
        Objects.requireNonNull(repository, "repository");
        Objects.requireNonNull(keeper, "keeper");
        Objects.requireNonNull(commit, "commit");
    }

    /** Nobody's, for the next attempt to take. */
    Owner idle(String nowKeptBy) {
        return new Owner(repository, gitDirectory, nowKeptBy, commit, null, 0, false);
    }

    Owner of(JobId newJob, int newAttempt, String newCommit) {
        return new Owner(repository, gitDirectory, keeper, newCommit, newJob, newAttempt, false);
    }

    Owner keptBy(String newKeeper) {
        return new Owner(repository, gitDirectory, newKeeper, commit, job, attempt, kept);
    }

    Owner at(Path madeByGit) {
        return new Owner(repository, madeByGit, keeper, commit, job, attempt, kept);
    }

    Owner keepingIt() {
        return new Owner(repository, gitDirectory, keeper, commit, job, attempt, true);
    }

    static Path file(Path worktree) {
        return worktree.resolveSibling(worktree.getFileName() + SUFFIX);
    }

    static boolean isFile(Path path) {
        return path.getFileName().toString().endsWith(SUFFIX);
    }

    static Path worktree(Path file) {
        String name = file.getFileName().toString();
        return file.resolveSibling(name.substring(0, name.length() - SUFFIX.length()));
    }

    /** Durable when it returns: a crash leaves the old file or the new one. */
    void write(Path worktree) {
        Path file = file(worktree);
        Path next = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (FileChannel channel = FileChannel.open(next, StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(JSON.writeValueAsBytes(this));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Empty where there is no file, or one that is not ours. */
    static Optional<Owner> read(Path file) {
        try {
            return Optional.of(JSON.readValue(Files.readAllBytes(file), Owner.class));
        } catch (NoSuchFileException | JacksonException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
