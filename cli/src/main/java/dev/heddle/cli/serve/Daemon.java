package dev.heddle.cli.serve;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Stores;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.cli.home.Tenancy;
import dev.heddle.cli.log.Logging;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.control.ControlException;
import dev.heddle.pool.Pool;
import dev.heddle.server.HeddleServer;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;

/** One node with its server, from the lock on its home to the line in {@code node.json}, and back. */
public final class Daemon implements AutoCloseable {

    /** A command without a node holds a SQLite file for its one commit. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    /** A database server may start at the same time as its nodes. */
    private static final Duration SERVER_PATIENCE = Duration.ofSeconds(30);
    private static final Duration BETWEEN = Duration.ofMillis(25);

    private final Desk desk;
    private final Config config;
    private final Pool pool;
    private final HeddleServer server;
    /** What to close, the last that was opened first. */
    private final Deque<AutoCloseable> open;

    private Daemon(Desk desk, Config config, Pool pool, HeddleServer server, Deque<AutoCloseable> open) {
        this.desk = desk;
        this.config = config;
        this.pool = pool;
        this.server = server;
        this.open = open;
    }

    public static Daemon start(Desk desk, Config config) {
        Home home = desk.place().home();
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            Tenancy tenancy = Tenancy.of(home);
            open.push(tenancy);
            open.push(Logging.ofNode(config.logLevel(), home.logs()));
            Pool pool = pool(config, store(config, home));
            open.push(pool);
            HeddleServer server = server(config.server(), pool);
            open.push(server);
            tenancy.announce(NodeInfo.ofThisProcess(config.server().host(), server.port()), server.token());
            open.push(tenancy::withdraw);
            return new Daemon(desk, config, pool, server, open);
        } catch (RuntimeException e) {
            closeAll(open, e);
            throw e;
        }
    }

    private static Store store(Config config, Home home) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return Stores.open(config.store(), home, SERVER_PATIENCE);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.IN_USE || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN.toNanos());
            }
        }
    }

    private static Pool pool(Config config, Store store) {
        try {
            return BuiltInTypes.addTo(Pool.on(store).workers(config.pool().workers())
                    .claimAhead(config.pool().claimAhead()).timeout(config.pool().timeout())
                    .closeTimeout(config.pool().closeTimeout()).retention(config.pool().retention())).open();
        } catch (RuntimeException e) {
            store.close();
            throw e;
        }
    }

    private static HeddleServer server(ServerConfig config, Pool pool) {
        try {
            var builder = HeddleServer.on(pool).host(config.host()).port(config.port())
                    .allowedHosts(config.allowedHosts());
            return (config.token() == null ? builder : builder.token(config.token())).start();
        } catch (ControlException e) {
            throw new CliException(Exit.USAGE,
                    e.getMessage() + "; choose another port with --port or server.port", e);
        } catch (IllegalArgumentException e) {
            throw new CliException(Exit.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** Says where it listens; a person at a terminal gets a link too. */
    public void greet() {
        desk.screen()
                .say("node " + pool.nodeId() + " on " + config.store().label() + ", "
                        + config.pool().workers()
                        + " workers, types " + String.join(", ", BuiltInTypes.names()));
        desk.screen().say("listening on " + server.uri() + "; Ctrl-C closes");
        if (desk.screen().terminal().err()) {
            desk.screen().say("open " + server.loginLink() + " (works once)");
        }
    }

    @Override
    public void close() {
        CliException problems = new CliException(Exit.FAILED, "could not close cleanly");
        closeAll(open, problems);
        for (Throwable problem : problems.getSuppressed()) {
            desk.screen().say(String.valueOf(problem.getMessage()));
        }
    }

    private static void closeAll(Deque<AutoCloseable> open, Exception problems) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Exception e) {
                problems.addSuppressed(e);
            }
        }
    }
}
