package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;

import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.ControlJson;

/**
 * A node's hold on its home, by a lock that the system frees when the process ends, however it ends. Whoever has it
 * says in {@code node.json} where it listens, and takes that back at the end.
 */
public final class Tenancy implements AutoCloseable {

    private final Home home;
    private final FileChannel lock;

    private Tenancy(Home home, FileChannel lock) {
        this.home = home;
        this.lock = lock;
    }

    /** Makes the home where it does not exist, and takes it for this process. */
    public static Tenancy of(Home home) {
        home.requireAccess();
        home.create();
        try {
            Private.restrict(home.directory());
            FileChannel lock = FileChannel.open(home.lock(), StandardOpenOption.CREATE,
                    StandardOpenOption.WRITE);
            if (!isFree(lock)) {
                lock.close();
                throw CliException.usage("a node is running on the home " + home.directory() + already(home)
                        + "; stop it first, or give this one a home of its own with --home");
            }
            return new Tenancy(home, lock);
        } catch (IOException e) {
            throw new CliException(Exit.DENIED, "cannot take the home " + home.directory() + ": "
                    + e.getMessage() + "; choose another with --home or HEDDLE_HOME", e);
        }
    }

    private static boolean isFree(FileChannel lock) throws IOException {
        try {
            return lock.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private static String already(Home home) {
        return Sighting.in(home) instanceof Sighting.Running(NodeInfo node)
                ? " already (process " + node.pid() + ", " + node.address() + ")" : " already";
    }

    /** Lets commands find this node. The token comes first: who finds the node must be able to speak to it. */
    public void announce(NodeInfo node, String token) {
        try {
            Private.write(home.token(), token + "\n");
            Private.write(home.nodeFile(), ControlJson.write(node) + "\n");
        } catch (IOException e) {
            throw new CliException(Exit.DENIED, "cannot write to the home " + home.directory() + ": "
                    + e.getMessage(), e);
        }
    }

    /** Lets nobody find this node any more, while it still closes. */
    public void withdraw() {
        try {
            Files.deleteIfExists(home.nodeFile());
            Files.deleteIfExists(home.token());
        } catch (IOException e) {
            throw new CliException(Exit.FAILED, "could not clear up the home " + home.directory() + ": "
                    + e.getMessage(), e);
        }
    }

    @Override
    public void close() {
        try (lock) {
            withdraw();
        } catch (IOException e) {
            throw new CliException(Exit.FAILED, "could not leave the home " + home.directory() + ": "
                    + e.getMessage(), e);
        }
    }
}
