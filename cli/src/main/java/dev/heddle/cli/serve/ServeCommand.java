package dev.heddle.cli.serve;

import java.util.concurrent.Callable;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.PoolConfig;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.LogFormat;
import dev.heddle.process.NodeProtection;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs a node in the foreground. */
@Command(name = "serve", description = {"Run a node in the foreground.",
    "Stops on Ctrl-C, SIGTERM or 'heddle node drain'. A second signal forces the stop. Options override heddle.yaml."})
public final class ServeCommand implements Callable<Integer> {

    private final CliContext context;

    @Option(names = "--host", paramLabel = "HOST",
            description = "Address to listen on. Any address other than loopback requires server.token.")
    private @Nullable String host;

    @Option(names = "--port", paramLabel = "PORT", description = "Port to listen on; 0 picks a free one.")
    private @Nullable Integer port;

    @Option(names = "--workers", paramLabel = "N", description = "Number of workers.")
    private @Nullable Integer workers;

    @Option(names = "--log-format", paramLabel = "FORMAT", converter = LogFormatConverter.class,
            completionCandidates = LogFormatConverter.Names.class,
            description = "Log to standard error as text, or as json for services that collect logs (default: text).")
    private @Nullable LogFormat logFormat;

    @Option(names = "--keep-worktrees", description = "Keep the worktree of every job.")
    private boolean keepWorktrees;

    /** Creates the command. */
    public ServeCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        Config config = config();
        return serve(config.log().format() == LogFormat.JSON
                ? new CliContext(context.output().withJsonMessages(), context.options(), context.in(), context.clock())
                : context, config);
    }

    /** Runs a node until it is told to stop. */
    static int serve(CliContext context, Config config) {
        if (config.protectNode()) {
            var _ = NodeProtection.apply(); // 'heddle doctor' says where it is not available
        }
        StopSignal stop = StopSignal.listen(() -> context.output().info("forced stop; running jobs will run again"));
        try (Daemon daemon = Daemon.start(context, config)) {
            daemon.announce();
            daemon.serveUntil(stop.requested());
        }
        return ExitCode.OK.code();
    }

    private Config config() {
        if (port != null && (port < 0 || port > 65_535)) {
            throw CliException.usage("--port must be from 0 to 65535: " + port);
        }
        if (workers != null && workers < 1) {
            throw CliException.usage("--workers must be at least 1: " + workers);
        }
        Config config = keepWorktrees ? Daemon.keepingWorktrees(context.options().nodeConfig())
                : context.options().nodeConfig();
        PoolConfig pool = config.pool();
        ServerConfig server = config.server();
        config = logFormat == null ? config : config.with(logFormat);
        return config.with(workers == null ? pool : pool.withWorkers(workers))
                .with(server.at(host == null ? server.host() : host, port == null ? server.port() : port));
    }
}
