package dev.heddle.cli.access;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.access.Caller;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.HomeFiles;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.local.RedactedControl;
import dev.heddle.control.remote.RemoteControl;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;

/**
 * Connects a command to the node that the user has logged in to, or to the one that runs on its home, or to the store
 * if no node runs. Only one process can open a
 * SQLite file at a time. If the file is in use, the connector waits briefly and looks for a node again, because the
 * other process may be a node that has just started.
 */
public final class Connector {

    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** How long a node may take to start or close. */
    private static final Duration NODE_PATIENCE = Duration.ofSeconds(30);
    /** How long a node may answer that it is not available. */
    private static final Duration BUSY_PATIENCE = Duration.ofSeconds(10);
    private static final Duration QUIET = Duration.ofMillis(500);
    private static final Duration RETRY_DELAY = Duration.ofMillis(25);

    private final CliContext context;
    private final Set<String> said = new HashSet<>();

    /** Whether a command changes anything. */
    public enum Intent {
        /** Fails if there is no home. If it has no store yet, the command sees an empty one and creates nothing. */
        READ,
        /** Creates the store if there is none. */
        WRITE
    }

    /**
     * An open connection.
     *
     * @param remote whether a node answers, which also runs jobs
     */
    public record Connection(Control control, boolean remote) implements AutoCloseable {
        @Override
        public void close() {
            control.close();
        }
    }

    /** Creates a connector for the home and the configuration of the context. */
    public Connector(CliContext context) {
        this.context = context;
    }

    /** Opens a connection. While it is open and not remote, no node can start on the same SQLite file. */
    public Connection open(Intent intent) {
        RemoteLogin login = RemoteLogin.find(context.options().environment(), context.options().hasHome()).orElse(null);
        if (login != null && !context.options().isHomeRequested()) {
            return connection(login.connect());
        }
        Home home = context.options().home();
        home.requireAccess();
        Config config = context.options().config();
        long began = System.nanoTime();
        while (true) {
            switch (NodeStatus.of(home)) {
                case NodeStatus.Running(NodeInfo node) -> {
                    RemoteControl remote = node.certificate() == null ? RemoteControl.at(node.address(), token(home))
                            : RemoteControl.at(node.address(), token(home), Path.of(node.certificate()));
                    return connection(remote.as(CliContext.user()).waiting(BUSY_PATIENCE,
                            () -> sayOnce(
                                    "waiting for the node at " + node.address() + ", which is not available now")));
                }
                case NodeStatus.Stale(String why) -> warnOfStaleNode(home, why);
                case NodeStatus.NotRunning() -> {
                }
            }
            try {
                LocalControl control = LocalControl.on(store(config.store(), home, intent))
                        .as(Caller.cli(CliContext.user())).with(HomeFiles.of(home, config.money().prices()));
                Control local = intent == Intent.READ ? control : control.audited();
                return new Connection(
                        context.options().reveal() ? local : RedactedControl.of(local, config.server().redaction()),
                        false);
            } catch (StoreException e) {
                boolean node = NodeStatus.isStartingOrClosing(home);
                Duration waited = Duration.ofNanos(System.nanoTime() - began);
                if (e.kind() != StoreException.Kind.IN_USE
                        || waited.compareTo(node ? NODE_PATIENCE : PATIENCE) > 0) {
                    throw e;
                }
                if (node && waited.compareTo(QUIET) > 0) {
                    sayOnce("waiting for the node on " + home.directory() + ", which is starting or closing");
                }
                LockSupport.parkNanos(RETRY_DELAY.toNanos());
            }
        }
    }

    private Connection connection(RemoteControl node) {
        return new Connection(context.options().reveal() ? node.revealing() : node, true);
    }

    private static Store store(StoreConfig config, Home home, Intent intent) {
        boolean missing = config instanceof StoreConfig.Sqlite(var file) && !Files.exists(file);
        if (intent == Intent.READ && missing && Files.notExists(home.directory())) {
            throw new CliException(ExitCode.NOT_FOUND, "there is no Heddle home at " + home.directory()
                    + "; choose another with --home or HEDDLE_HOME, or create it with 'heddle serve' or 'heddle submit'");
        }
        return intent == Intent.READ && missing ? new MemoryStore() : Stores.open(config, home, PATIENCE);
    }

    private void warnOfStaleNode(Home home, String why) {
        sayOnce("ignoring stale node.json in " + home.directory() + ": " + why);
    }

    private void sayOnce(String message) {
        if (said.add(message)) {
            context.output().info(message);
        }
    }

    private static String token(Home home) {
        try {
            return Files.readString(home.token()).strip();
        } catch (IOException e) {
            throw new CliException(ExitCode.DENIED,
                    "cannot read the token of the running node in " + home.token() + ": " + e.getMessage(), e);
        }
    }
}
