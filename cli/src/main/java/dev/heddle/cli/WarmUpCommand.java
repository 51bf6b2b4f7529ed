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
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.cli.home.Tenancy;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.JobDraft;
import dev.heddle.control.JobFilter;
import dev.heddle.control.LocalControl;
import dev.heddle.store.MemoryStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Parameters;

/**
 * Runs through the usual commands while the JVM takes down which classes they need: the launcher makes its archive for
 * fast starts of that. All classes of the archive are loaded at every start, so there is no node in here, only
 * something that answers like one.
 */
@Command(name = WarmUpCommand.NAME, hidden = true, description = "Part of the launcher.")
final class WarmUpCommand implements Callable<Integer> {

    static final String NAME = "warm-up";

    private static final List<String> USUAL = List.of("version", "--help", "submit echo --payload {\"a\":1}",
            "job list", "job list -o json", "job show 0", "job lsit", "stats", "queue list", "dead list");

    @Parameters(paramLabel = "DIR") @SuppressWarnings("NullAway.Init") // set before call()
    private Path directory;

    @Override
    public Integer call() throws Exception {
        // The JVM archives nothing that refers to a class which was loaded and never linked.
        Class.forName(IParameterExceptionHandler.class.getName());
        Files.createDirectories(directory);
        runAll();
        HttpServer node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        try (Control control = LocalControl.on(new MemoryStore());
                Tenancy tenancy = Tenancy.of(desk().place().home())) {
            control.submit(List.of(JobDraft.of("echo", null)));
            node.createContext("/", exchange -> answer(control, exchange));
            node.start();
            tenancy.announce(NodeInfo.ofThisProcess("127.0.0.1", node.getAddress().getPort()), "token");
            runAll();
        } finally {
            node.stop(0);
        }
        return Exit.OK.code();
    }

    private static void answer(Control control, HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        Object answer = switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "jobs" -> exchange.getRequestMethod().equals("GET") ? control.jobs(JobFilter.ALL)
                    : control.submit(List.of(JobDraft.of("echo", null)));
            case "queues" -> control.queues();
            case "stats" -> control.stats();
            case "dead" -> control.deadLetters(JobFilter.ALL);
            default -> control.job("0");
        };
        byte[] body = ControlJson.bytes(answer);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private Desk desk() {
        PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
        return new Desk(new Screen(nowhere, nowhere, new Terminal(true, false, true, 80)),
                Map.of("HEDDLE_HOME", directory.resolve(".heddle").toString()),
                InputStream.nullInputStream());
    }

    private void runAll() {
        for (String line : USUAL) {
            new Commands(desk()).execute(line.split(" "));
        }
    }
}
