package dev.heddle.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Connections that are too many or too slow. */
@Timeout(60)
class ConnectionWatchTest {

    private static final Duration SHORT = Duration.ofMillis(300);
    /** Longer than a test takes, so that nothing else ends a connection. */
    private static final Duration LONG = Duration.ofMinutes(10);

    private static Socket connect(ServerFixture fixture) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), fixture.server.port());
        socket.setSoTimeout(30_000);
        return socket;
    }

    /** Sends the text, then one character after the other until the server hangs up. */
    private static void trickleUntilClosed(Socket socket, String text) throws IOException {
        try (socket) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            while (socket.getInputStream().available() == 0) {
                socket.getOutputStream().write('x');
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            }
            socket.getInputStream().readAllBytes();
        } catch (SocketException e) {
            // The server hung up.
        }
    }

    /** Asks and reads the whole answer: now the server knows the connection, which waits for the next request. */
    private static void ask(Socket socket) throws IOException {
        socket.getOutputStream()
                .write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
        int read = 0;
        while (read != '}') {
            read = socket.getInputStream().read();
            assertThat(read).as("the answer goes on").isNotEqualTo(-1);
        }
    }

    @Test
    void closesTheLongestIdleConnectionsBeyondTheLimit() throws IOException {
        List<Socket> idle = new ArrayList<>();
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                server -> server.maxConnections(10, 8).requestTimeouts(LONG, LONG))) {
            for (int i = 0; i < 20; i++) {
                idle.add(connect(fixture));
                ask(idle.getLast());
            }
            for (Socket surplus : idle.subList(0, 12)) {
                assertThat(surplus.getInputStream().read()).as("closed by the server").isEqualTo(-1);
            }
            for (Socket kept : idle.subList(12, 20)) {
                ask(kept);
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void closesTheNewConnectionIfAllOthersAreServed() throws IOException {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                server -> server.maxConnections(1, 1).requestTimeouts(LONG, LONG));
                SseReader reader = new SseReader(fixture.server, null)) {
            assertThat(reader.next()).isNotNull();
            try (Socket second = connect(fixture)) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void closesAConnectionWhoseHeaderTakesTooLong() throws IOException {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                server -> server.requestTimeouts(SHORT, LONG))) {
            trickleUntilClosed(connect(fixture), "GET /api/v1/stats HTTP/1.1\r\nHost: localhost\r\nX: ");
        }
    }

    @Test
    void closesAConnectionWhoseSecondHeaderTakesTooLong() throws IOException {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                server -> server.requestTimeouts(SHORT, LONG)); Socket socket = connect(fixture)) {
            ask(socket);
            trickleUntilClosed(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\nX: ");
        }
    }

    @Test
    void closesAConnectionWhoseBodyTakesTooLong() throws IOException {
        try (ServerFixture fixture = ServerFixture.open(new MemoryStore(),
                server -> server.requestTimeouts(LONG, SHORT))) {
            trickleUntilClosed(connect(fixture),
                    "POST /api/v1/jobs HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
                            + fixture.server.token()
                            + "\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n");
        }
    }

    @Test
    void refusesMoreConnectionsThanTheProcessMayOpenFiles() {
        assertThatThrownBy(() -> ServerFixture.open(new MemoryStore(),
                server -> server.maxConnections(Integer.MAX_VALUE, Integer.MAX_VALUE)).close())
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("files");
        assertThatThrownBy(() -> ServerFixture.open(new MemoryStore(), server -> server.maxConnections(1, 2)).close())
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("perAddress");
    }
}
