package dev.heddle.cli.serve;

import java.util.concurrent.Callable;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.PoolConfig;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a node until it is told to stop. */
@Command(name = "serve", description = {
    "Run a node in the foreground until SIGINT or SIGTERM; a second one forces. 'heddle node drain' ends it too.",
    "What heddle.yaml says holds, except for what is said here."})
public final class ServeCommand implements Callable<Integer> {

    private final Desk desk;

    @Option(names = "--host", paramLabel = "HOST", description = "The address to listen on; any but loopback needs server.token.") private @Nullable String host;

    @Option(names = "--port", paramLabel = "PORT", description = "The port to listen on; 0 for any that is free.") private @Nullable Integer port;

    @Option(names = "--workers", paramLabel = "N", description = "Jobs that run at once.") private @Nullable Integer workers;

    @Option(names = "--keep-worktrees", description = "Leave the worktree of every job as the job left it.") private boolean keepWorktrees;

    public ServeCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() {
        return serve(desk, config());
    }

    /** A node in the foreground, until it is told to stop. */
    static int serve(Desk desk, Config config) {
        StopSignal stop = StopSignal
                .listen(() -> desk.screen().say("stopped at once; what ran will run again"));
        try (Daemon daemon = Daemon.start(desk, config)) {
            daemon.greet();
            daemon.serveUntil(stop.told());
        }
        return Exit.OK.code();
    }

    private Config config() {
        if (port != null && (port < 0 || port > 65_535)) {
            throw CliException.usage("--port must be from 0 to 65535: " + port);
        }
        if (workers != null && workers < 1) {
            throw CliException.usage("--workers must be at least 1: " + workers);
        }
        Config config = keepWorktrees ? Daemon.keepingWorktrees(desk.place().config())
                : desk.place().config();
        PoolConfig pool = config.pool();
        ServerConfig server = config.server();
        return config.with(workers == null ? pool : pool.withWorkers(workers))
                .with(new ServerConfig(host == null ? server.host() : host,
                        port == null ? server.port() : port,
                        server.token(), server.allowedHosts(), server.allowRun()));
    }
}
