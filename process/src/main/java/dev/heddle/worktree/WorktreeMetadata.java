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

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.heddle.job.JobId;
import dev.heddle.process.files.LivenessLock;
import dev.heddle.worktree.WorktreeException.Kind;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The state of a worktree, stored in a JSON file beside it. The file is on disk before the worktree is, and a directory
 * without such a file is never touched.
 *
 * @param repository the git directory of the repository
 * @param gitDirectory the worktree's own part of the repository; null until git has created it
 * @param lockId the {@link LivenessLock} of the process that owns the worktree; {@code keeper} in the file
 * @param commit what was checked out for the attempt
 * @param job the job that uses the worktree; null while it is spare
 * @param attempt the attempt of that job
 * @param kept whether the worktree is left alone for people to inspect
 */
public record WorktreeMetadata(Path repository, @Nullable Path gitDirectory, @JsonProperty("keeper") String lockId,
        String commit, @Nullable JobId job, int attempt, boolean kept) {

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final String SUFFIX = ".json";
    private static final String DRAFT = ".new";

    /** Checks the required fields; other JSON files in the directory do not have them. */
    public WorktreeMetadata {
        Objects.requireNonNull(repository, "repository");
        Objects.requireNonNull(lockId, "lockId");
        Objects.requireNonNull(commit, "commit");
    }

    WorktreeMetadata asSpare(String newLockId) {
        return new WorktreeMetadata(repository, gitDirectory, newLockId, commit, null, 0, false);
    }

    WorktreeMetadata assignedTo(JobId newJob, int newAttempt, String newCommit) {
        return new WorktreeMetadata(repository, gitDirectory, lockId, newCommit, newJob, newAttempt, false);
    }

    WorktreeMetadata ownedBy(String newLockId) {
        return new WorktreeMetadata(repository, gitDirectory, newLockId, commit, job, attempt, kept);
    }

    WorktreeMetadata withGitDirectory(Path createdByGit) {
        return new WorktreeMetadata(repository, createdByGit, lockId, commit, job, attempt, kept);
    }

    WorktreeMetadata asKept() {
        return new WorktreeMetadata(repository, gitDirectory, lockId, commit, job, attempt, true);
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

    /** Tells whether a path is one of the files that {@link #write} renames, which a crash may leave behind. */
    static boolean isDraft(Path path) {
        String name = path.getFileName().toString();
        return name.contains(SUFFIX + ".") && name.endsWith(DRAFT);
    }

    static String lockIdOfDraft(Path draft) {
        String name = draft.getFileName().toString();
        String id = name.substring(0, name.length() - DRAFT.length());
        return id.substring(id.lastIndexOf('.') + 1);
    }

    /** Writes the file durably: a crash leaves either the old file or the new one. */
    void write(Path worktree) {
        Path file = file(worktree);
        Path next = file.resolveSibling(file.getFileName() + "." + lockId + DRAFT);
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
            throw new WorktreeException(Kind.TRANSIENT, "cannot write " + file + ": " + e.getMessage(), e);
        }
    }

    /** Reads a file; empty if it does not exist or is not worktree metadata. */
    static Optional<WorktreeMetadata> read(Path file) {
        try {
            return Optional.of(JSON.readValue(Files.readAllBytes(file), WorktreeMetadata.class));
        } catch (NoSuchFileException | JacksonException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot read " + file + ": " + e.getMessage(), e);
        }
    }
}
