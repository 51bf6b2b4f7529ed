package dev.heddle.cli.serve;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import dev.heddle.access.Caller;
import dev.heddle.agent.AgentRuntime;
import dev.heddle.agent.BudgetGate;
import dev.heddle.budget.SpendStore;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Stores;
import dev.heddle.cli.batch.BatchHandler;
import dev.heddle.cli.callback.Callbacks;
import dev.heddle.cli.callback.TypeCallbacks;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.ListenerGuard;
import dev.heddle.cli.config.Config.MoneyConfig;
import dev.heddle.cli.config.Config.PoolConfig;
import dev.heddle.cli.config.Config.ProxyConfig;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.config.Config.TlsConfig;
import dev.heddle.cli.config.ConfigSummary;
import dev.heddle.cli.config.TypesConfig;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.HomeFiles;
import dev.heddle.cli.home.HomeLock;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.cli.log.Logging;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.command.CommandRuntime;
import dev.heddle.command.JobTokens;
import dev.heddle.control.Control;
import dev.heddle.control.ControlException;
import dev.heddle.control.local.BulkHandler;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.pool.ClosingReport;
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
import dev.heddle.worktree.WorktreePool;

/** A node in this process: locks the home, opens store, pool and HTTP server, and publishes its address. */
public final class Daemon implements AutoCloseable {

    /** Commands without a node hold a SQLite file only briefly. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Duration RETRY_DELAY = Duration.ofMillis(25);
    private static final Duration REAP_INTERVAL = Duration.ofMinutes(1);

    private final CliContext context;
    private final Config config;
    private final HomeFiles files;
    private final Pool pool;
    private final HeddleServer server;
    /** Completed with the time limit when a drain is requested. */
    private final CompletableFuture<Duration> drainRequested;
    /** What to close, most recently opened first. */
    private final Deque<AutoCloseable> open;
    /** Whether the start was announced, so the end is too. */
    private boolean announced;

    /** Which job types a node runs. */
    enum Role {
        /** All types: built-in ones and those of the configuration. */
        ALL_TYPES,
        /** Only {@code run} and {@code batch}, for commands that found no running node. */
        COMMANDS_ONLY
    }

    private Daemon(CliContext context, Config config, HomeFiles files, Pool pool, HeddleServer server,
            CompletableFuture<Duration> drainRequested, Deque<AutoCloseable> open) {
        this.context = context;
        this.config = config;
        this.files = files;
        this.pool = pool;
        this.server = server;
        this.drainRequested = drainRequested;
        this.open = open;
    }

    /** Starts a node that runs all types. */
    public static Daemon start(CliContext context, Config config) {
        return start(context, config, Role.ALL_TYPES);
    }

    static Daemon start(CliContext context, Config config, Role role) {
        Home home = context.options().home();
        check(config.server(), home);
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            HomeLock lock = HomeLock.acquire(home);
            open.push(lock);
            open.push(Logging.openNodeLog(config.log().level(), home.logs(), home::workerLog,
                    role == Role.ALL_TYPES ? config.log().format() : null));
            Store store = store(config, home);
            open.push(store);
            JobTokens tokens = new JobTokens();
            CommandRuntime workshop = CommandRuntime.open(config.workshop().tokens(tokens),
                    store.capability(RunArchive.class).orElseThrow());
            open.push(workshop);
            AgentRuntime agents = agents(config.money(), store, workshop);
            Callbacks callbacks = new Callbacks(store.capability(RunArchive.class).orElseThrow(), workshop,
                    config.privateWebhooks());
            open.push(callbacks);
            BatchHandler batches = new BatchHandler(workshop, agents, store.capability(SpendStore.class).orElseThrow(),
                    home.batches(),
                    context.options().environment(), callbacks);
            List<TypeCallbacks> subscribed = role == Role.ALL_TYPES ? callbacks(config.types()) : List.of();
            PoolBuilder builder = agents.attachTo(Pool.on(store));
            Pool pool = pool(config, builder, workshop, agents, batches, role,
                    () -> subscribed.forEach(type -> callbacks.addTo(builder, type)));
            open.push(pool);
            subscribed.forEach(type -> callbacks.catchUp(pool, type));
            batches.open(pool, config.localType(ReservedNames.BATCH));
            open.push(startReaper(agents, pool));
            CompletableFuture<Duration> drainRequested = new CompletableFuture<>();
            HomeFiles files = new HomeFiles(home, workshop::read, config.money().prices());
            HeddleServer server = server(config, pool, files, tokens, limit -> {
                if (!drainRequested.complete(limit)) {
                    var _ = drain(pool, limit); // it may be more urgent than the first request
                }
            });
            open.push(server);
            tokens.serveAt(server.uri());
            TlsConfig tls = config.server().guard().tls();
            lock.publish(NodeInfo.ofThisProcess(config.server().host(), server.port(),
                    tls == null ? null : tls.certificate().toString()), server.token());
            open.push(lock::unpublish);
            return new Daemon(context, config, files, pool, server, drainRequested, open);
        } catch (Throwable e) {
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
                LockSupport.parkNanos(RETRY_DELAY.toNanos());
            }
        }
    }

    private static Pool pool(Config config, PoolBuilder builder, CommandRuntime workshop, AgentRuntime agents,
            BatchHandler batches, Role role, Runnable addCallbacks) {
        apply(config.pool(), builder);
        try {
            addCallbacks.run();
            if (role == Role.ALL_TYPES) {
                BuiltInTypes.addTo(builder);
                config.types().commands().forEach(command -> workshop.register(command, builder));
                config.types().agents().forEach(agent -> agents.register(agent, builder));
                config.types().external().forEach(external -> workshop.register(external, builder));
                config.schedules().forEach(builder::schedule);
                builder.describe(ConfigSummary.of(config));
            }
            workshop.registerAdHoc(config.localType(ReservedNames.RUN), builder);
            batches.addTo(builder, config.localType(ReservedNames.BATCH));
            Pool pool = builder.open();
            if (role == Role.ALL_TYPES) {
                BulkHandler.register(pool);
            }
            // They apply from now on, until they are changed by command.
            config.pool().limits().forEach(pool.admin()::setLimit);
            return pool;
        } catch (LaunchException e) {
            throw new CliException(ExitCode.NOT_FOUND, e.type().map(type -> place(type, config)).orElse("")
                    + e.getMessage(), e);
        }
    }

    /** Returns where a type, or the type of one of its callbacks, is configured. */
    private static String place(String type, Config config) {
        return config.types().locations().entrySet().stream()
                .filter(entry -> type.equals(entry.getKey()) || type.startsWith(entry.getKey() + ":"))
                .map(entry -> entry.getValue() + ": ").findFirst().orElse("");
    }

    private static List<TypeCallbacks> callbacks(TypesConfig types) {
        return types.callbacks().entrySet().stream()
                .map(type -> new TypeCallbacks(type.getKey(), null, type.getValue())).toList();
    }

    /** Budgets of the configuration apply from now on, until they are changed by command. */
    private static AgentRuntime agents(MoneyConfig config, Store store, CommandRuntime workshop) {
        SpendStore book = store.capability(SpendStore.class).orElseThrow();
        book.setBudgets(config.budgets());
        return new AgentRuntime(workshop, new AgentRuntime.Services(new BudgetGate(book, InstantSource.system()),
                store.capability(TextIndex.class).orElseThrow(), config.prices()), InstantSource.system());
    }

    /** Reaps runs every minute. Stops before the pool closes, which leaves its runs to the next node. */
    private static AutoCloseable startReaper(AgentRuntime agents, Pool pool) {
        Thread reaper = Thread.ofPlatform().daemon().name("heddle-reaper").start(() -> {
            try {
                while (true) {
                    agents.stopOrphans(pool::find);
                    Thread.sleep(REAP_INTERVAL);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        return reaper::interrupt;
    }

    /** Rejects an invalid address before anything is created. */
    private static void check(ServerConfig config, Home home) {
        try {
            HeddleServerBuilder.check(config.host(), config.port(), config.token());
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
        // If a node runs on this home, locking the home gives a better error than the port.
        if (config.port() != 0 && !(NodeStatus.of(home) instanceof NodeStatus.Running)) {
            try (ServerSocket probe = new ServerSocket()) {
                probe.setReuseAddress(true);
                probe.bind(new InetSocketAddress(config.host(), config.port()));
            } catch (IOException e) {
                throw cannotListen(config, e);
            }
        }
    }

    private static CliException cannotListen(ServerConfig config, Exception cause) {
        return new CliException(ExitCode.USAGE,
                "cannot listen on " + config.host() + ":" + config.port()
                        + ": the port is in use or not permitted; choose another with --port or"
                        + " server.port (0 picks a free one)",
                cause);
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

    private static HeddleServer server(Config config, Pool pool, HomeFiles files, JobTokens tokens,
            Consumer<Duration> onDrain) {
        ServerConfig settings = config.server();
        try {
            var builder = HeddleServer.on(pool).host(settings.host()).port(settings.port())
                    .allowedHosts(settings.allowedHosts()).files(files).jobTokens(tokens::find).onDrain(onDrain)
                    .allowRun(settings.allowRun()).redaction(settings.redaction());
            protect(builder, settings.guard());
            return (settings.token() == null ? builder : builder.token(settings.token())).start();
        } catch (ControlException e) {
            throw cannotListen(settings, e);
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    private static void protect(HeddleServerBuilder builder, ListenerGuard guard) {
        builder.requestTimeouts(guard.headerTimeout(), guard.bodyTimeout());
        if (guard.maxConnections() != null || guard.maxPerAddress() != null) {
            int total = Objects.requireNonNullElseGet(guard.maxConnections(),
                    HeddleServerBuilder::defaultMaxConnections);
            builder.maxConnections(total, Objects.requireNonNullElse(guard.maxPerAddress(), total));
        }
        if (guard.behindProxy()) {
            builder.behindProxy();
        }
        ProxyConfig proxy = guard.proxy();
        if (proxy != null) {
            builder.proxyHeaders(proxy.userHeader(), proxy.groupsHeader()).proxyUsers(proxy.addresses(),
                    proxy.groups());
        }
        builder.auditRetention(guard.auditRetention());
        if (guard.tls() != null) {
            builder.tls(guard.tls().certificate(), guard.tls().key());
        }
    }

    /** Returns the configuration with worktrees kept after their jobs. */
    static Config keepingWorktrees(Config config) {
        WorktreePool.Settings trees = config.workshop().worktrees();
        return config.with(config.workshop().worktrees(trees.keep(true)));
    }

    /** Prints what the node runs and where it listens, with a login link on a terminal. */
    public void announce() {
        announced = true;
        context.output().info("node " + pool.admin().nodeId() + " on " + config.store().label() + ", "
                + config.pool().workers() + " workers, types " + String.join(", ", pool.admin().types()));
        if (pool.recoveryReport().found() > 0) {
            context.output().info("recovered " + pool.recoveryReport().summary());
        }
        context.output().info("listening on " + server.uri() + "; press Ctrl-C to stop");
        if (context.output().terminal().err()) {
            context.output()
                    .info("browser login: " + server.loginLink(Caller.cli(CliContext.user())) + " (works once)");
        }
    }

    /** Returns when the node should close: a stop was requested, or it has drained. */
    void serveUntil(CompletableFuture<Void> stop) {
        CompletableFuture.anyOf(stop, drainRequested).join();
        if (!stop.isDone()) {
            Duration limit = drainRequested.join();
            context.output().info("draining; press Ctrl-C to stop now");
            CompletableFuture.anyOf(stop, drain(pool, limit)).join();
        }
        if (stop.isDone()) {
            context.output().info("stopping; press Ctrl-C again to force");
        }
    }

    private static CompletableFuture<ClosingReport> drain(Pool pool, Duration limit) {
        return CompletableFuture.supplyAsync(() -> pool.closeWithin(limit),
                task -> Thread.ofPlatform().daemon().name("heddle-draining").start(task));
    }

    /** Returns the pool of this node. */
    Pool pool() {
        return pool;
    }

    /** Returns a control for this node, without HTTP. */
    Control control() {
        return LocalControl.on(pool).as(Caller.cli(CliContext.user())).with(files).audited();
    }

    /** Returns whether jobs other than the given one run here. */
    boolean hasOtherJobs(String job) {
        return pool.admin().workers().stream().map(WorkerSnapshot::job)
                .anyMatch(running -> running != null && !running.toString().equals(job));
    }

    @Override
    public void close() {
        CliException problems = new CliException(ExitCode.FAILED, "node did not close cleanly");
        closeAll(open, problems);
        for (Throwable problem : problems.getSuppressed()) {
            context.output().info(problem instanceof Error ? problem.toString() : String.valueOf(problem.getMessage()));
        }
        if (announced) {
            pool.closingReport().ifPresent(report -> context.output().info("stopped: " + report.summary()));
        }
    }

    /** Closes everything, also after an error such as a class that cannot be loaded because its jar was replaced. */
    private static void closeAll(Deque<AutoCloseable> open, Throwable problems) {
        while (!open.isEmpty()) {
            try {
                open.pop().close();
            } catch (Throwable e) {
                problems.addSuppressed(e);
            }
        }
    }
}
