package dev.heddle.cli.access;

import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.HomeFiles;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.cli.home.Sighting;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.control.Control;
import dev.heddle.control.LocalControl;
import dev.heddle.control.RemoteControl;
import dev.heddle.store.MemoryStore;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;

/**
 * Whom a command asks: the node that runs on its home, or, where none does, the store itself. A SQLite file has one
 * user at a time, so a command that comes upon another one waits a moment, and then looks for a node again: it may be
 * one that has just started.
 */
public final class Access {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration BETWEEN = Duration.ofMillis(25);

    private final Desk desk;
    private boolean warned;

    /** What a command is going to do with what it gets. */
    public enum Intent {
        /** Where there is no store there is nothing to see, and none is made. */
        LOOK, CHANGE
    }

    /**
     * The answer to a search.
     *
     * @param remote whether a node answers, which will also run jobs
     */
    public record Found(Control control, boolean remote) implements AutoCloseable {
        @Override
        public void close() {
            control.close();
        }
    }

    public Access(Desk desk) {
        this.desk = desk;
    }

    /** To be closed; until then no node can start on a SQLite file that had none. */
    public Found open(Intent intent) {
        Home home = desk.place().home();
        home.requireAccess();
        Config config = desk.place().config();
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            switch (Sighting.in(home)) {
                case Sighting.Running(NodeInfo node) -> {
                    return new Found(RemoteControl.at(node.address(), token(home)), true);
                }
                case Sighting.Stale(String why) -> sayStale(home, why);
                case Sighting.Nobody() -> {
                }
            }
            try {
                return new Found(LocalControl.on(store(config.store(), home, intent)).as("command line")
                        .with(HomeFiles.of(home, config.money().prices())), false);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.IN_USE || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN.toNanos());
            }
        }
    }

    private static Store store(StoreConfig config, Home home, Intent intent) {
        boolean nothingThere = config instanceof StoreConfig.Sqlite(var file) && !Files.exists(file);
        return intent == Intent.LOOK && nothingThere ? new MemoryStore()
                : Stores.open(config, home, PATIENCE);
    }

    private void sayStale(Home home, String why) {
        if (!warned) {
            warned = true;
            desk.screen().say(
                    "node.json in " + home.directory() + " is stale (" + why + "); going on without a node");
        }
    }

    private static String token(Home home) {
        try {
            return Files.readString(home.token()).strip();
        } catch (IOException e) {
            throw new CliException(Exit.DENIED,
                    "cannot read " + home.token() + ", the token of the running node: "
                            + e.getMessage(),
                    e);
        }
    }
}
