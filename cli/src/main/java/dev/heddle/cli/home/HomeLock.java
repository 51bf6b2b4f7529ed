package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.ControlJson;

/**
 * The lock that allows one node per home. The operating system releases it when the process ends, however it ends. The
 * owner publishes its address in {@code node.json} and removes it when it closes.
 */
public final class HomeLock implements AutoCloseable {

    private final Home home;
    private final FileChannel lock;

    private HomeLock(Home home, FileChannel lock) {
        this.home = home;
        this.lock = lock;
    }

    /** Creates the home if needed and locks it for this process. */
    public static HomeLock acquire(Home home) {
        home.requireAccess();
        home.create();
        try {
            PrivateFiles.restrict(home.directory());
            FileChannel lock = FileChannel.open(home.lock(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (!tryLock(lock)) {
                lock.close();
                throw CliException.usage("a node is already running on the home " + home.directory() + running(home)
                        + "; stop it, or choose another home with --home");
            }
            writeOwner(lock);
            PrivateFiles.deleteDrafts(home.token());
            PrivateFiles.deleteDrafts(home.nodeFile());
            home.sweepScratch();
            return new HomeLock(home, lock);
        } catch (IOException e) {
            throw new CliException(ExitCode.DENIED, "cannot lock the home " + home.directory() + ": " + e.getMessage()
                    + "; choose another home with --home or HEDDLE_HOME", e);
        }
    }

    /** Writes who has the lock. Commands only read this, because one that tried the lock could keep a node from it. */
    private static void writeOwner(FileChannel lock) throws IOException {
        lock.truncate(0);
        lock.write(StandardCharsets.UTF_8.encode(ControlJson.write(NodeInfo.ofThisProcess("", 0)) + "\n"), 0);
    }

    /** Returns whether the process that had the lock last still runs and has not released it. */
    static boolean isOwned(Home home) {
        try {
            return NodeInfo.read(Files.readString(home.lock())).filter(owner -> owner.absence().isEmpty()).isPresent();
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean tryLock(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static String running(Home home) {
        return NodeStatus.of(home) instanceof NodeStatus.Running(NodeInfo node)
                ? " (process " + node.pid() + ", " + node.address() + ")" : "";
    }

    /** Publishes this node to commands. Writes the token first, because a command that finds the node needs it. */
    public void publish(NodeInfo node, String token) {
        try {
            PrivateFiles.write(home.token(), token + "\n");
            PrivateFiles.write(home.nodeFile(), ControlJson.write(node) + "\n");
        } catch (IOException e) {
            throw new CliException(ExitCode.DENIED,
                    "cannot write to the home " + home.directory() + ": " + e.getMessage(), e);
        }
    }

    /** Removes this node from the home, so commands no longer find it while it closes. */
    public void unpublish() {
        try {
            Files.deleteIfExists(home.nodeFile());
            Files.deleteIfExists(home.token());
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED,
                    "cannot remove node.json and token from the home " + home.directory() + ": " + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (lock) {
            unpublish();
            lock.truncate(0);
        } catch (IOException e) {
            throw new CliException(ExitCode.FAILED,
                    "cannot unlock the home " + home.directory() + ": " + e.getMessage(), e);
        }
    }
}
