package dev.heddle.worktree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

import dev.heddle.job.JobId;
import dev.heddle.worktree.WorktreeException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every attempt a git worktree of its own and takes it back when the attempt has ended. What the attempt changed
 * is kept under {@code refs/heddle/JOB/ATTEMPT} of the repository. A worktree that was given back serves the next
 * attempt: bringing it to a commit takes a fraction of a checkout.
 *
 * {@snippet :
 * try (Worktrees worktrees = Worktrees.open(Worktrees.Settings.in(Path.of(".heddle/worktrees")))) {
 *     Worktree tree = worktrees.take(Path.of("/src/app"), "main", job.id(), job.attempt());
 *     try {
 *         work(tree.path());
 *     } finally {
 *         worktrees.giveBack(tree).ifPresent(saved -> log.info("git diff {} {}", saved.base(), saved.ref()));
 *     }
 * }
 * }
 *
 * <p>Below the base directory there is one directory for each repository, and in it one for each worktree, with an
 * {@link Owner} file beside it that is written first and deleted last. So a crash at any moment leaves nothing that
 * cannot be told to be ours, and {@link #sweep} saves and reuses it. What has no such file is never touched.
 */
public final class Worktrees implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Worktrees.class);

    private final Settings settings;
    private final Keeper keeper;
    private final Map<Path, ReentrantLock> adding = new ConcurrentHashMap<>();
    /** Those that nobody has, by the git directory of their repository. */
    private final Map<Path, Deque<Path>> idle = new HashMap<>();
    private boolean closed;

    /**
     * How worktrees are looked after.
     *
     * @param baseDirectory where they are; made where it does not exist
     * @param keep leaves every worktree as its attempt left it, for people to look into
     * @param cleanUpOnExit removes the spare ones when this closes; the next one would use them otherwise
     * @param spare how many are held ready for each repository
     */
    public record Settings(Path baseDirectory, boolean keep, boolean cleanUpOnExit, int spare) {

        public Settings {
            baseDirectory = baseDirectory.toAbsolutePath().normalize();
            if (spare < 0) {
                throw new IllegalArgumentException("spare worktrees must not be negative: " + spare);
            }
        }

        /** The defaults: nothing is kept, and four are held ready until this closes. */
        public static Settings in(Path baseDirectory) {
            return new Settings(baseDirectory, false, true, 4);
        }
    }

    private Worktrees(Settings settings) {
        this.settings = settings;
        this.keeper = Keeper.in(keepers(settings));
    }

    public static Worktrees open(Settings settings) {
        return new Worktrees(settings);
    }

    private static Path keepers(Settings settings) {
        return settings.baseDirectory.resolve("keepers");
    }

    /**
     * A worktree of the repository at what the ref stands for now, bound to the attempt. Changes in the repository's own
     * working tree that were not committed are not in it.
     */
    public Worktree take(Path repository, String ref, JobId job, int attempt) {
        Repository from = Repository.at(repository.toAbsolutePath().normalize());
        String commit = from.commit(ref);
        for (Path spare = poll(from); spare != null; spare = poll(from)) {
            Optional<Worktree> recycled = recycle(spare, job, attempt, commit);
            if (recycled.isPresent()) {
                return recycled.get();
            }
            // Conflict with what is there: a new one.
            discard(spare, from.gitDirectory());
        }
        return add(from, commit, job, attempt);
    }

    private static Optional<Worktree> recycle(Path path, JobId job, int attempt, String commit) {
        Owner before = Owner.read(Owner.file(path)).orElse(null);
        Path gitDirectory = before == null ? null : before.gitDirectory();
        if (before == null || gitDirectory == null) {
            return Optional.empty();
        }
        Owner owner = before.of(job, attempt, commit);
        owner.write(path);
        Checkout checkout = new Checkout(path, gitDirectory);
        // It was cleaned when it was put away. To look at all its files once more takes as long as a new worktree can.
        boolean ready = before.commit().equals(commit) ? checkout.isFit() : checkout.reset(commit);
        return ready ? Optional.of(new Worktree(path, commit, owner)) : Optional.empty();
    }

    /** One at a time for each repository: git's own locks make simultaneous ones fail and not wait. */
    private Worktree add(Repository from, String commit, JobId job, int attempt) {
        ReentrantLock lock = adding.computeIfAbsent(from.gitDirectory(), _ -> new ReentrantLock());
        lock.lock();
        try {
            for (int tries = 1;; tries++) {
                Path path = newPath(from);
                Owner owner = new Owner(from.gitDirectory(), null, keeper.id(), commit, job, attempt, false);
                owner.write(path);
                Git.Result made = Git.run(from.gitDirectory(), "worktree", "add", "--quiet", "--detach",
                        path.toString(), commit);
                if (made.ok()) {
                    Owner whole = owner.at(gitDirectory(path));
                    whole.write(path);
                    return new Worktree(path, commit, whole);
                }
                discard(path, from.gitDirectory());
                if (!isConflict(made) || tries == Git.MOST_TRIES) {
                    throw Git.failed("make a worktree of " + from.path(), settings.baseDirectory, made);
                }
                LOG.info("Worktree {} is in conflict, making another one: {}", path, made.complaint());
                Git.makeWay(tries);
            }
        } finally {
            lock.unlock();
        }
    }

    private static boolean isConflict(Git.Result made) {
        return made.mentions("already exists", "already registered") || Git.isBusy(made);
    }

    private static Path gitDirectory(Path path) {
        Git.Result found = Git.run(path, "rev-parse", "--absolute-git-dir");
        if (!found.ok()) {
            throw Git.failed("find the git directory of " + path, path, found);
        }
        return Path.of(found.line());
    }

    private Path newPath(Repository from) {
        Path directory = settings.baseDirectory.resolve(from.directoryName());
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot make " + directory + ": " + e, e);
        }
        return directory.resolve("wt-" + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextInt()));
    }

    /** The worktree that was bound to an attempt, also by a keeper that is gone; this one looks after it from now on. */
    public Optional<Worktree> find(JobId job, int attempt) {
        try {
            for (Path file : orphans()) {
                Owner owner = Owner.read(file).orElse(null);
                if (owner != null && job.equals(owner.job()) && owner.attempt() == attempt && !owner.kept()) {
                    Owner now = owner.keptBy(keeper.id());
                    now.write(Owner.worktree(file));
                    return Optional.of(new Worktree(Owner.worktree(file), now.commit(), now));
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE,
                    "cannot look through " + settings.baseDirectory + ": " + e, e);
        }
    }

    private @Nullable Path poll(Repository from) {
        synchronized (idle) {
            Deque<Path> spares = idle.get(from.gitDirectory());
            return spares == null ? null : spares.poll();
        }
    }

    /**
     * Saves what the attempt changed and takes the worktree back. No process may be at work in it any more. Where saving
     * fails the worktree stays as it is, and the exception says where.
     */
    public Optional<SavedWork> giveBack(Worktree tree) {
        Optional<SavedWork> saved = save(tree.path(), tree.owner());
        if (settings.keep) {
            tree.owner().keepingIt().write(tree.path());
            LOG.info("Worktree {} is kept", tree.path());
        } else {
            putAway(tree.path(), tree.owner());
        }
        return saved;
    }

    private static Optional<SavedWork> save(Path path, Owner owner) {
        JobId job = owner.job();
        Path gitDirectory = owner.gitDirectory();
        if (job == null || gitDirectory == null || !Files.isDirectory(path)) {
            return Optional.empty();
        }
        try {
            return Snapshot.take(new Checkout(path, gitDirectory), owner, job);
        } catch (WorktreeException e) {
            owner.keepingIt().write(path);
            throw new WorktreeException(e.kind(), e.getMessage() + "; the worktree is left as it is", e);
        }
    }

    /** Holds it ready for the next attempt, or removes it. */
    private void putAway(Path path, Owner owner) {
        Path gitDirectory = owner.gitDirectory();
        if (gitDirectory != null && hasRoom(owner.repository())
                && new Checkout(path, gitDirectory).reset(owner.commit())) {
            owner.idle(keeper.id()).write(path);
            synchronized (idle) {
                if (!closed) {
                    idle.computeIfAbsent(owner.repository(), _ -> new ArrayDeque<>()).push(path);
                    return;
                }
            }
            if (!settings.cleanUpOnExit) {
                return;
            }
        }
        discard(path, owner.repository());
    }

    private boolean hasRoom(Path repository) {
        synchronized (idle) {
            return idle.getOrDefault(repository, new ArrayDeque<>()).size() < settings.spare;
        }
    }

    private void discard(Path path, Path repository) {
        Checkout.remove(path, repository);
        Checkout.delete(Owner.file(path));
    }

    /**
     * Looks after what keepers that are gone have left: saves what their attempts changed, and holds the worktrees ready
     * or removes them. Leaves alone what has no owner, a living one, or a process at work in it. A failure with one does
     * not keep it from the others.
     *
     * @param occupied whether somebody is at work in the directory, or will be again
     * @param onSaved hears whose changes were saved where
     */
    public void sweep(BiPredicate<Path, Owner> occupied, BiConsumer<Owner, SavedWork> onSaved) {
        Path lockFile = keepers(settings).resolve("sweep.lock");
        // One node at a time. Where another one has it, that one does it.
        try (FileChannel channel = FileChannel.open(lockFile, StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock != null) {
                orphans().forEach(file -> sweep(file, occupied, onSaved));
            }
        } catch (OverlappingFileLockException e) {
            LOG.debug("Somebody else in this process sweeps {}", settings.baseDirectory);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot sweep " + settings.baseDirectory + ": " + e, e);
        }
    }

    private List<Path> orphans() throws IOException {
        try (Stream<Path> files = Files.walk(settings.baseDirectory, 2)) {
            return files.filter(Owner::isFile).filter(Files::isRegularFile).toList();
        }
    }

    private void sweep(Path file, BiPredicate<Path, Owner> occupied, BiConsumer<Owner, SavedWork> onSaved) {
        Path path = Owner.worktree(file);
        try {
            Owner owner = Owner.read(file).orElse(null);
            if (owner == null || !Keeper.isGone(keepers(settings), owner.keeper())) {
                return;
            }
            if (owner.kept()) {
                if (!Files.exists(path)) {
                    discard(path, owner.repository());
                }
                return;
            }
            if (occupied.test(path, owner)) {
                LOG.info("Worktree {} of a node that is gone is left alone: it is still in use",
                        path);
                return;
            }
            save(path, owner).ifPresent(saved -> onSaved.accept(owner, saved));
            putAway(path, owner);
            LOG.info("Worktree {} of a node that is gone was cleaned up", path);
        } catch (WorktreeException e) {
            LOG.warn("Worktree {} could not be cleaned up and is left as it is: {}", path, e.getMessage());
        }
    }

    /** Whether the repository has changes in its own working tree, which no worktree of it sees. */
    public static boolean hasUncommittedChanges(Path repository) {
        return Repository.at(repository.toAbsolutePath().normalize()).hasUncommittedChanges();
    }

    /** Forgets what was saved of an attempt. */
    public static void forget(Path repository, String ref) {
        if (!ref.startsWith("refs/heddle/")) {
            throw new IllegalArgumentException("not a ref of Heddle's: " + ref);
        }
        if (Files.isDirectory(repository)) {
            Git.Result deleted = Git.run(repository, "update-ref", "-d", ref);
            if (!deleted.ok()) {
                throw Git.failed("delete " + ref, repository, deleted);
            }
        }
    }

    /** Removes the spare ones, unless the next one is to have them. Those that are taken are given back all the same. */
    @Override
    public void close() {
        Map<Path, Deque<Path>> left;
        synchronized (idle) {
            closed = true;
            left = new HashMap<>(idle);
            idle.clear();
        }
        if (settings.cleanUpOnExit) {
            left.forEach((repository, paths) -> paths.forEach(path -> {
                try {
                    discard(path, repository);
                } catch (WorktreeException e) {
                    LOG.warn("Worktree {} could not be removed: {}", path, e.getMessage());
                }
            }));
        }
        keeper.close();
    }
}
