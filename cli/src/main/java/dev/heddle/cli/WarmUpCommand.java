package dev.heddle.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.home.HomeLock;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.JobFilter;
import dev.heddle.memory.MemoryStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Parameters;

/**
 * Runs the most common commands while the JVM records which classes they load. The launcher builds its AOT cache from
 * that. Every start loads all classes of the cache, so this uses a small HTTP server that responds like a node instead
 * of a real node.
 */
@Command(name = WarmUpCommand.NAME, hidden = true, description = "Used by the launcher.")
final class WarmUpCommand implements Callable<Integer> {

    static final String NAME = "warm-up";

    private static final List<String> COMMON_COMMANDS = List.of("version", "--help", "submit echo --payload {\"a\":1}",
            "job list", "job list -o json", "job show 0", "job lsit", "stats", "queue list", "dead list");

    @Parameters(paramLabel = "DIR")
    @SuppressWarnings("NullAway.Init") // set before call()
    private Path directory;

    @Override
    public Integer call() throws Exception {
        // The JVM archives no class that refers to one that was loaded but never linked.
        Class.forName(IParameterExceptionHandler.class.getName());
        Files.createDirectories(directory);
        runAll();
        HttpServer node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (Control control = LocalControl.on(new MemoryStore());
                HomeLock lock = HomeLock.acquire(context().options().home())) {
            control.submit(List.of(JobDraft.of("echo", null)));
            node.createContext("/", exchange -> respond(control, exchange));
            node.start();
            lock.publish(NodeInfo.ofThisProcess("127.0.0.1", node.getAddress().getPort()), "token");
            runAll();
        } finally {
            node.stop(0);
        }
        return ExitCode.OK.code();
    }

    private static void respond(Control control, HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Object response = switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "jobs" -> exchange.getRequestMethod().equals("GET") ? control.jobs(JobFilter.ALL)
                    : control.submit(List.of(JobDraft.of("echo", null)));
            case "queues" -> control.queues();
            case "stats" -> control.stats();
            case "dead" -> control.deadLetters(JobFilter.ALL);
            default -> control.job("0");
        };
        byte[] body = ControlJson.bytes(response);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private CliContext context() {
        PrintWriter discard = new PrintWriter(Writer.nullWriter());
        return new CliContext(new CliOutput(discard, discard, new Terminal(true, false, true, 80)),
                Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString()), InputStream.nullInputStream());
    }

    private void runAll() {
        for (String line : COMMON_COMMANDS) {
            new Commands(context()).execute(line.split(" "));
        }
    }
}
