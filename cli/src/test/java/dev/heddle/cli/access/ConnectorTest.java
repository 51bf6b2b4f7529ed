package dev.heddle.cli.access;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import dev.heddle.cli.Cli;
import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.home.Home;
import dev.heddle.cli.home.HomeLock;
import dev.heddle.cli.home.NodeInfo;
import dev.heddle.sqlite.SqliteStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** How commands wait for a node that is there, but does not answer yet or any more. */
class ConnectorTest {

    @TempDir
    private Path directory;

    private Home home() {
        return new Home(directory.resolve(".heddle"));
    }

    private Cli cli() {
        return new Cli(Map.of("HEDDLE_HOME", home().directory().toString()));
    }

    @Test
    void waitsForANodeThatIsStartingOrClosing() {
        Cli cli = cli();
        CompletableFuture<Answer> answer;
        try (HomeLock _ = HomeLock.acquire(home());
                SqliteStore _ = SqliteStore.at(home().directory().resolve("heddle.db"))) {
            answer = CompletableFuture.supplyAsync(() -> cli.call("queue", "list"));
            Cli.await().until(() -> !cli.answer(0).err().isEmpty());
        }
        assertThat(answer.join().err()).isEqualToIgnoringNewLines("heddle: waiting for the node on "
                + home().directory() + ", which is starting or closing");
        assertThat(answer.join().exit()).isZero();
    }

    @Test
    void waitsForANodeThatIsNotAvailable() throws Exception {
        AtomicInteger requests = new AtomicInteger();
        HttpServer node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        node.createContext("/", exchange -> {
            boolean available = requests.incrementAndGet() > 2;
            byte[] body = (available ? "[]" : "{}").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(available ? 200 : 503, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        node.start();
        try (HomeLock lock = HomeLock.acquire(home())) {
            lock.publish(NodeInfo.ofThisProcess("127.0.0.1", node.getAddress().getPort()), "token");
            Answer answer = cli().call("queue", "list", "-q");
            assertThat(answer.err()).startsWith("heddle: waiting for the node at http://127.0.0.1:").hasLineCount(1);
            assertThat(answer.exit()).isZero();
            assertThat(requests).hasValue(3);
        } finally {
            node.stop(0);
        }
    }
}
