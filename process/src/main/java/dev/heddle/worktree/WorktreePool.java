package dev.heddle.worktree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.process.files.LivenessLock;
import dev.heddle.worktree.WorktreeException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every attempt its own git worktree. An attempt {@linkplain #acquire acquires} a worktree and
 * {@linkplain #release releases} it at its end. What the attempt changed is saved under {@code refs/heddle/JOB/ATTEMPT}
 * of the repository. A released worktree is kept as a spare for the next attempt, because resetting one takes a
 * fraction of the time of a checkout.
 *
 * {@snippet :
 * try (WorktreePool worktrees = WorktreePool.open(WorktreePool.Settings.in(Path.of(".heddle/worktrees")))) {
 *     Worktree tree = worktrees.acquire(Path.of("/src/app"), "main", job.id(), job.attempt());
 *     try {
 *         work(tree.path());
 *     } finally {
 *         worktrees.release(tree).ifPresent(saved -> log.info("git diff {} {}", saved.base(), saved.ref()));
 *     }
 * }
 * }
 *
 * <p>The base directory has one directory per repository, which has one directory per worktree. Beside each worktree is
 * its {@link WorktreeMetadata}, which is written before the worktree is created and deleted after it is removed. A
 * crash at any moment therefore leaves nothing that cannot be recognized, and {@link #sweep} saves and reuses what a
 * crash left. A directory without metadata is never touched.
 */
public final class WorktreePool implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(WorktreePool.class);

    private final Settings settings;
    private final LivenessLock lock;
    private final Map<Path, ReentrantLock> creating = new ConcurrentHashMap<>();
    private final SpareWorktrees spares;
    private final Git git;
    /** Repositories whose filters a warning was logged about. */
    private final Set<Path> warned = ConcurrentHashMap.newKeySet();

    /**
     * The settings of a pool.
     *
     * @param baseDirectory where the worktrees are; created if it does not exist
     * @param keep whether to leave every worktree as its attempt left it, for people to inspect
     * @param cleanUpOnExit whether to remove the spare worktrees on close; otherwise the next pool uses them
     * @param spare the maximum number of spare worktrees per repository
     * @param trustRepositories whether git runs the filters that the configuration of a repository names (such as those
     *     of Git LFS), and fetches objects that a partial clone lacks; jobs can write that configuration
     */
    public record Settings(Path baseDirectory, boolean keep, boolean cleanUpOnExit, int spare,
            boolean trustRepositories) {

        /** Makes the directory absolute and checks the number of spares. */
        public Settings {
            baseDirectory = baseDirectory.toAbsolutePath().normalize();
            if (spare < 0) {
                throw new IllegalArgumentException("the number of spare worktrees must not be negative: " + spare);
            }
        }

        /**
         * Returns the defaults: no worktree is kept, up to four spares per repository exist until the pool closes, and
         * repositories are not trusted.
         */
        public static Settings in(Path baseDirectory) {
            return new Settings(baseDirectory, false, true, 4, false);
        }

        /** Returns a copy that keeps every worktree, or not. */
        public Settings keep(boolean all) {
            return new Settings(baseDirectory, all, cleanUpOnExit, spare, trustRepositories);
        }

        /** Returns a copy that trusts repositories, or not. */
        public Settings trustRepositories(boolean trusted) {
            return new Settings(baseDirectory, keep, cleanUpOnExit, spare, trusted);
        }
    }

    private WorktreePool(Settings settings) {
        this.settings = settings;
        this.spares = new SpareWorktrees(settings.spare);
        this.git = new Git(settings.trustRepositories);
        Path locks = lockDirectory(settings);
        try {
            Files.createDirectories(locks);
            this.lock = LivenessLock.acquire(locks);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot create a lock in " + locks + ": " + e, e);
        }
    }

    /** Opens a pool. {@link #sweep} takes care of what earlier pools left in the same directory. */
    public static WorktreePool open(Settings settings) {
        return new WorktreePool(Objects.requireNonNull(settings, "settings"));
    }

    private static Path lockDirectory(Settings settings) {
        return settings.baseDirectory.resolve("keepers");
    }

    /**
     * Returns a worktree of the repository, at the commit to which the ref currently points. It does not contain
     * uncommitted changes of the repository's own working tree.
     *
     * @throws WorktreeException if the repository or the ref does not exist, or git fails
     */
    public Worktree acquire(Path repository, String ref, JobId job, int attempt) {
        Repository from = Repository.at(git, repository.toAbsolutePath().normalize());
        String commit = from.commit(ref);
        for (Path spare = spares.poll(from.gitDirectory()); spare != null; spare = spares.poll(from.gitDirectory())) {
            Optional<Worktree> reused = reuse(spare, job, attempt, commit);
            if (reused.isPresent()) {
                return reused.get();
            }
            remove(spare, from.gitDirectory());
        }
        return create(from, commit, job, attempt);
    }

    private Optional<Worktree> reuse(Path path, JobId job, int attempt, String commit) {
        WorktreeMetadata before = WorktreeMetadata.read(WorktreeMetadata.file(path)).orElse(null);
        Path gitDirectory = before == null ? null : before.gitDirectory();
        if (before == null || gitDirectory == null) {
            return Optional.empty();
        }
        WorktreeMetadata metadata = before.assignedTo(job, attempt, commit);
        metadata.write(path);
        WorktreeGit worktree = new WorktreeGit(git, path, gitDirectory, before.repository());
        // At the same commit no reset is needed: it was reset on release, and checking all files again can take as long
        // as a new worktree.
        boolean ready = before.commit().equals(commit) ? worktree.isReusable() : worktree.reset(commit);
        return ready ? Optional.of(new Worktree(path, commit, metadata)) : Optional.empty();
    }

    /** One at a time per repository: concurrent calls of git would fail on its locks instead of waiting. */
    private Worktree create(Repository from, String commit, JobId job, int attempt) {
        ReentrantLock oneAtATime = creating.computeIfAbsent(from.gitDirectory(), _ -> new ReentrantLock());
        oneAtATime.lock();
        try {
            for (int tries = 1;; tries++) {
                Path path = newPath(from);
                WorktreeMetadata metadata = new WorktreeMetadata(from.gitDirectory(), null, lock.id(), commit, job,
                        attempt, false);
                metadata.write(path);
                Git.Result created = git.run(from.gitDirectory(), "worktree", "add", "--quiet", "--detach",
                        path.toString(), commit);
                if (created.ok()) {
                    WorktreeMetadata complete = metadata.withGitDirectory(gitDirectory(path));
                    complete.write(path);
                    warnOfFilters(from, path);
                    return new Worktree(path, commit, complete);
                }
                remove(path, from.gitDirectory());
                if (!isConflict(created) || tries == Git.MAX_TRIES) {
                    throw Git.failure("create a worktree of " + from.path(), settings.baseDirectory, created);
                }
                LOG.info("Creating worktree {} failed, trying another one: {}", path, created.errorLine());
                Git.backOff(tries);
            }
        } finally {
            oneAtATime.unlock();
        }
    }

    private static boolean isConflict(Git.Result created) {
        return created.mentions("already exists", "already registered") || Git.isBusy(created);
    }

    private void warnOfFilters(Repository from, Path path) {
        if (!settings.trustRepositories && Repository.hasFilters(path) && warned.add(from.gitDirectory())) {
            LOG.warn("{} has files with a filter, which is not run: they are checked out as git stores them. If you"
                    + " trust the repository's configuration, set worktree.trustRepositories", from.path());
        }
    }

    private Path gitDirectory(Path path) {
        Git.Result found = git.run(path, "rev-parse", "--absolute-git-dir");
        if (!found.ok()) {
            throw Git.failure("find the git directory of " + path, path, found);
        }
        return Path.of(found.line());
    }

    private Path newPath(Repository from) {
        Path directory = settings.baseDirectory.resolve(from.directoryName());
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot create " + directory + ": " + e, e);
        }
        return directory.resolve("wt-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
    }

    /** Finds the worktree of an attempt, which an earlier process may have acquired, and takes over its ownership. */
    public Optional<Worktree> takeOver(JobId job, int attempt) {
        try {
            for (Path file : files(WorktreeMetadata::isFile)) {
                WorktreeMetadata found = WorktreeMetadata.read(file).orElse(null);
                if (found != null && job.equals(found.job()) && found.attempt() == attempt && !found.kept()) {
                    WorktreeMetadata owned = found.ownedBy(lock.id());
                    Path path = WorktreeMetadata.worktree(file);
                    owned.write(path);
                    return Optional.of(new Worktree(path, owned.commit(), owned));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot search " + settings.baseDirectory + ": " + e, e);
        }
    }

    /**
     * Saves what the attempt changed and takes the worktree back. All processes in the worktree must have ended.
     *
     * @return the saved changes; empty if the attempt changed nothing
     * @throws WorktreeException if saving fails; the worktree then stays as it is, and the message says where
     */
    public Optional<SavedWork> release(Worktree tree) {
        Optional<SavedWork> saved = save(tree.path(), tree.metadata());
        if (settings.keep) {
            tree.metadata().asKept().write(tree.path());
            LOG.info("Keeping worktree {}", tree.path());
        } else {
            putAway(tree.path(), tree.metadata());
        }
        return saved;
    }

    private Optional<SavedWork> save(Path path, WorktreeMetadata metadata) {
        JobId job = metadata.job();
        Path gitDirectory = metadata.gitDirectory();
        if (job == null || gitDirectory == null || !Files.isDirectory(path)) {
            return Optional.empty();
        }
        try {
            return Snapshot.take(new WorktreeGit(git, path, gitDirectory, metadata.repository()), metadata, job);
        } catch (WorktreeException e) {
            metadata.asKept().write(path);
            throw new WorktreeException(e.kind(), e.getMessage() + "; the worktree is left as it is", e);
        }
    }

    /** Keeps the worktree as a spare, or removes it. */
    private void putAway(Path path, WorktreeMetadata metadata) {
        Path gitDirectory = metadata.gitDirectory();
        if (gitDirectory != null && spares.hasRoom(metadata.repository())
                && new WorktreeGit(git, path, gitDirectory, metadata.repository()).reset(metadata.commit())) {
            metadata.asSpare(lock.id()).write(path);
            if (spares.push(metadata.repository(), path) || !settings.cleanUpOnExit) {
                return;
            }
        }
        remove(path, metadata.repository());
    }

    private void remove(Path path, Path repository) {
        WorktreeGit.remove(git, path, repository);
        WorktreeGit.delete(WorktreeMetadata.file(path));
    }

    /**
     * Cleans up after processes that have ended: saves what their attempts changed, and keeps their worktrees as spares
     * or removes them. Skips worktrees without metadata, with a living owner, or in use. A failure with one worktree is
     * logged and does not affect the others.
     *
     * @param inUse whether a process is working in the directory, or will be again
     * @param onSaved receives the saved changes
     */
    public void sweep(BiPredicate<Path, WorktreeMetadata> inUse, BiConsumer<WorktreeMetadata, SavedWork> onSaved) {
        Path lockFile = lockDirectory(settings).resolve("sweep.lock");
        // One process at a time. If another one holds the lock, it does the work.
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock sweepLock = channel.tryLock()) {
            if (sweepLock != null) {
                files(WorktreeMetadata::isFile).forEach(file -> sweep(file, inUse, onSaved));
                for (Path draft : files(WorktreeMetadata::isDraft)) {
                    if (isReleased(WorktreeMetadata.lockIdOfDraft(draft))) {
                        Files.deleteIfExists(draft);
                    }
                }
                LivenessLock.sweep(lockDirectory(settings));
            }
        } catch (OverlappingFileLockException e) {
            LOG.debug("Another pool of this process is sweeping {}", settings.baseDirectory);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot sweep " + settings.baseDirectory + ": " + e, e);
        }
    }

    private List<Path> files(Predicate<Path> kind) throws IOException {
        try (Stream<Path> files = Files.walk(settings.baseDirectory, 2)) {
            return files.filter(kind).filter(Files::isRegularFile).toList();
        }
    }

    private boolean isReleased(String lockId) {
        try {
            return LivenessLock.isReleased(lockDirectory(settings), lockId);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot check the lock " + lockId + ": " + e, e);
        }
    }

    private void sweep(Path file, BiPredicate<Path, WorktreeMetadata> inUse,
            BiConsumer<WorktreeMetadata, SavedWork> onSaved) {
        Path path = WorktreeMetadata.worktree(file);
        try {
            WorktreeMetadata metadata = WorktreeMetadata.read(file).orElse(null);
            if (metadata == null || !isReleased(metadata.lockId())) {
                return;
            }
            if (metadata.kept()) {
                if (!Files.exists(path)) {
                    remove(path, metadata.repository());
                }
                return;
            }
            if (inUse.test(path, metadata)) {
                LOG.info("Leaving worktree {} alone: its node has ended, but it is still in use", path);
                return;
            }
            save(path, metadata).ifPresent(saved -> onSaved.accept(metadata, saved));
            putAway(path, metadata);
            LOG.info("Cleaned up worktree {}, whose node has ended", path);
        } catch (WorktreeException e) {
            LOG.warn("Could not clean up worktree {}, leaving it as it is: {}", path, e.getMessage());
        }
    }

    /** Tells whether the repository's own working tree has uncommitted changes, which no worktree sees. */
    public static boolean hasUncommittedChanges(Path repository) {
        return Repository.at(Git.UNTRUSTED, repository.toAbsolutePath().normalize()).hasUncommittedChanges();
    }

    /** Deletes the saved changes of an attempt. Does nothing if the repository no longer exists. */
    public static void deleteSaved(Path repository, String ref) {
        if (!ref.startsWith("refs/heddle/")) {
            throw new IllegalArgumentException("not a ref below refs/heddle/: " + ref);
        }
        if (Files.isDirectory(repository)) {
            Git.Result deleted = Git.UNTRUSTED.run(repository, "update-ref", "-d", ref);
            if (!deleted.ok()) {
                throw Git.failure("delete " + ref, repository, deleted);
            }
        }
    }

    /**
     * Removes the spare worktrees, unless the settings leave them to the next pool. Acquired ones can still be
     * released.
     */
    @Override
    public void close() {
        Map<Path, Deque<Path>> left = spares.close();
        if (settings.cleanUpOnExit) {
            left.forEach((repository, paths) -> paths.forEach(path -> removeSpare(path, repository)));
        }
        try {
            lock.close();
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot release the lock " + lock.id() + ": " + e, e);
        }
    }

    private void removeSpare(Path path, Path repository) {
        try {
            remove(path, repository);
        } catch (WorktreeException e) {
            LOG.warn("Could not remove spare worktree {}: {}", path, e.getMessage());
        }
    }
}
