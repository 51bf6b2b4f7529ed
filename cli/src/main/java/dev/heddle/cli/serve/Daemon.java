package dev.heddle.cli.serve;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.heddle.agent.Agents;
import dev.heddle.agent.Purse;
import dev.heddle.budget.SpendBook;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Stores;
import dev.heddle.cli.batch.BatchDesk;
import dev.heddle.cli.callback.Callbacks;
import dev.heddle.cli.callback.Told;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.MoneyConfig;
import dev.heddle.cli.config.Config.PoolConfig;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.config.Types;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.HomeFiles;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.cli.home.Sighting;
import dev.heddle.cli.home.Tenancy;
import dev.heddle.cli.log.Logging;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.command.Workshop;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.LocalControl;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.LaunchException;
import dev.heddle.run.RunArchive;
import dev.heddle.search.TextIndex;
import dev.heddle.server.HeddleServer;
import dev.heddle.server.HeddleServerBuilder;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.worker.WorkerSnapshot;
import dev.heddle.worktree.Worktrees;

/** One node with its server, from the lock on its home to the line in {@code node.json}, and back. */
public final class Daemon implements AutoCloseable {

    /** A command without a node holds a SQLite file for its one commit. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration BETWEEN = Duration.ofMillis(25);
    private static final Duration BETWEEN_REAPS = Duration.ofMinutes(1);

    private final Desk desk;
    private final Config config;
    private final HomeFiles files;
    private final Pool pool;
    private final HeddleServer server;
    /** Completed with the longest time it may take, once somebody asks the node to drain. */
    private final CompletableFuture<Duration> askedToDrain;
    /** What to close, the last that was opened first. */
    private final Deque<AutoCloseable> open;
    /** Whoever was greeted is told how it closed. */
    private boolean greeted;

    /** What a node is there for. */
    enum Duty {
        /** All types that it knows. */
        EVERYTHING,
        /** Only command lines: one of those has no node to run it. */
        COMMAND_LINES
    }

    private Daemon(Desk desk, Config config, HomeFiles files, Pool pool, HeddleServer server,
            CompletableFuture<Duration> askedToDrain, Deque<AutoCloseable> open) {
        this.desk = desk;
        this.config = config;
        this.files = files;
        this.pool = pool;
        this.server = server;
        this.askedToDrain = askedToDrain;
        this.open = open;
    }

    public static Daemon start(Desk desk, Config config) {
        return start(desk, config, Duty.EVERYTHING);
    }

    static Daemon start(Desk desk, Config config, Duty duty) {
        Home home = desk.place().home();
        check(config.server(), home);
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            Tenancy tenancy = Tenancy.of(home);
            open.push(tenancy);
            open.push(Logging.ofNode(config.logLevel(), home.logs(), home::workerLog,
                    duty == Duty.EVERYTHING));
            Store store = store(config, home);
            open.push(store);
            Workshop workshop = Workshop.open(config.workshop(), (RunArchive) store);
            open.push(workshop);
            Agents agents = agents(config.money(), store, workshop);
            Callbacks callbacks = new Callbacks((RunArchive) store, workshop);
            open.push(callbacks);
            BatchDesk batches = new BatchDesk(workshop, agents, (SpendBook) store, home.batches(),
                    desk.place().environment(), callbacks);
            List<Told> told = duty == Duty.EVERYTHING ? told(config.types()) : List.of();
            PoolBuilder builder = agents.on(Pool.on(store));
            told.forEach(type -> callbacks.addTo(builder, type));
            Pool pool = pool(config, builder, workshop, agents, batches, duty);
            open.push(pool);
            told.forEach(type -> callbacks.catchUp(pool, type));
            batches.open(pool);
            open.push(reaping(agents, pool));
            CompletableFuture<Duration> askedToDrain = new CompletableFuture<>();
            HomeFiles files = new HomeFiles(home, workshop::read, config.money().prices());
            HeddleServer server = server(config, pool, files, askedToDrain::complete);
            open.push(server);
            tenancy.announce(NodeInfo.ofThisProcess(config.server().host(), server.port()), server.token());
            open.push(tenancy::withdraw);
            return new Daemon(desk, config, files, pool, server, askedToDrain, open);
        } catch (RuntimeException e) {
            closeAll(open, e);
            throw e;
        }
    }

    private static Store store(Config config, Home home) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return Stores.open(config.store(), home);
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.IN_USE || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(BETWEEN.toNanos());
            }
        }
    }

    private static Pool pool(Config config, PoolBuilder builder, Workshop workshop, Agents agents,
            BatchDesk batches, Duty duty) {
        apply(config.pool(), builder);
        try {
            if (duty == Duty.EVERYTHING) {
                BuiltInTypes.addTo(builder);
                config.types().commands().forEach(command -> workshop.add(command, builder));
                config.types().agents().forEach(agent -> agents.add(agent, builder));
                config.types().external().forEach(external -> workshop.add(external, builder));
            }
            workshop.addFree(config.ofThisMachine(BuiltInTypes.RUN), builder);
            batches.addTo(builder, config.ofThisMachine(BuiltInTypes.BATCH));
            return builder.open();
        } catch (LaunchException e) {
            String place = e.type().map(config.types().places()::get).map(found -> found + ": ").orElse("");
            throw new CliException(Exit.NOT_FOUND, place + e.getMessage(), e);
        }
    }

    private static List<Told> told(Types types) {
        return types.callbacks().entrySet().stream()
                .map(type -> new Told(type.getKey(), null, type.getValue())).toList();
    }

    /** What the file says about budgets holds from now on, until somebody sets them anew. */
    private static Agents agents(MoneyConfig config, Store store, Workshop workshop) {
        SpendBook book = (SpendBook) store;
        book.setBudgets(config.budgets());
        return new Agents(workshop,
                new Agents.Books(new Purse(book, InstantSource.system()), (TextIndex) store,
                        config.prices()),
                InstantSource.system());
    }

    /** Now and every minute; not at the side of the pool's closing, which leaves runs to the next node. */
    private static AutoCloseable reaping(Agents agents, Pool pool) {
        Thread reaper = Thread.ofPlatform().daemon().name("heddle-reaper").start(() -> {
            try {
                while (true) {
                    agents.reap(pool::find);
                    Thread.sleep(BETWEEN_REAPS);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return reaper::interrupt;
    }

    /** What can be seen to be wrong is refused before anything is made. */
    private static void check(ServerConfig config, Home home) {
        try {
            HeddleServerBuilder.check(config.host(), config.port(), config.token());
        } catch (IllegalArgumentException e) {
            throw new CliException(Exit.USAGE, String.valueOf(e.getMessage()), e);
        }
        // Of a node on the same home there is more to say than that it has the port.
        if (config.port() != 0 && !(Sighting.in(home) instanceof Sighting.Running)) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(config.host(), config.port()));
            } catch (IOException e) {
                throw cannotListen(config, e);
            }
        }
    }

    private static CliException cannotListen(ServerConfig config, Exception cause) {
        return new CliException(Exit.USAGE, "cannot listen on " + config.host() + ":" + config.port()
                + ": another program does, or it is not allowed; choose another port with --port or"
                + " server.port, or 0 for any", cause);
    }

    private static void apply(PoolConfig config, PoolBuilder builder) {
        builder.workers(config.workers()).timeout(config.timeout()).closeTimeout(config.closeTimeout())
                .claimAhead(config.claiming().ahead())
                .claimErrors(config.claiming().maxErrors(), config.claiming().maxBackoff())
                .maxCrashes(config.recovering().maxCrashes()).staging(config.recovering().staging())
                .retention(config.retention());
        Duration pollEvery = config.claiming().pollEvery();
        if (pollEvery != null) {
            builder.pollEvery(pollEvery);
        }
    }

    private static HeddleServer server(Config config, Pool pool, HomeFiles files,
            Consumer<Duration> onDrain) {
        ServerConfig settings = config.server();
        try {
            var builder = HeddleServer.on(pool).host(settings.host()).port(settings.port())
                    .allowedHosts(settings.allowedHosts()).files(files).onDrain(onDrain);
            if (!settings.allowRun()) {
                builder.hereOnly(config.ofThisMachine(BuiltInTypes.RUN))
                        .hereOnly(config.ofThisMachine(BuiltInTypes.BATCH));
            }
            return (settings.token() == null ? builder : builder.token(settings.token())).start();
        } catch (ControlException e) {
            throw cannotListen(settings, e);
        }
    }

    /** The same, but worktrees stay as their jobs leave them. */
    static Config keepingWorktrees(Config config) {
        Worktrees.Settings trees = config.workshop().worktrees();
        return config.with(config.workshop().worktrees(
                new Worktrees.Settings(trees.baseDirectory(), true, trees.cleanUpOnExit(), trees.spare())));
    }

    /** Says where it listens; a person at a terminal gets a link too. */
    public void greet() {
        greeted = true;
        desk.screen()
                .say("node " + pool.nodeId() + " on " + config.store().label() + ", "
                        + config.pool().workers()
                        + " workers, types " + String.join(", ", pool.types()));
        if (pool.opening().found() > 0) {
            desk.screen().say("recovered " + pool.opening().summary());
        }
        desk.screen().say("listening on " + server.uri() + "; Ctrl-C closes");
        if (desk.screen().terminal().err()) {
            desk.screen().say("open " + server.loginLink() + " (works once)");
        }
    }

    /** Returns when it is time to close: told so, or drained. */
    void serveUntil(CompletableFuture<Void> told) {
        CompletableFuture.anyOf(told, askedToDrain).join();
        if (!told.isDone()) {
            Duration atMost = askedToDrain.join();
            desk.screen().say("draining; a signal closes at once");
            CompletableFuture.anyOf(told, CompletableFuture.supplyAsync(() -> pool.drain(atMost),
                    task -> Thread.ofPlatform().daemon().name("heddle-draining").start(task))).join();
        }
        if (told.isDone()) {
            desk.screen().say("closing; again to force");
        }
    }

    /** Asks the node in this process. */
    Control control() {
        return LocalControl.on(pool).as("command line").with(files);
    }

    /** Whether other jobs run here than this one, whoever submitted them. */
    boolean isBusyBesides(String job) {
        return pool.workers().stream().map(WorkerSnapshot::job)
                .anyMatch(running -> running != null && !running.toString().equals(job));
    }

    @Override
    public void close() {
        CliException problems = new CliException(Exit.FAILED, "could not close cleanly");
        closeAll(open, problems);
        for (Throwable problem : problems.getSuppressed()) {
            desk.screen().say(String.valueOf(problem.getMessage()));
        }
        if (greeted) {
            pool.closing().ifPresent(report -> desk.screen().say("closed: " + report.summary()));
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
