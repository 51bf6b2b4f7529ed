package dev.heddle.cli.callback;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Where webhooks may lead, with a receiver on this machine. */
class WebhookClientTest {

    private final List<String> requests = new CopyOnWriteArrayList<>();
    private HttpServer receiver;

    @BeforeEach
    void receive() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            requests.add(exchange.getRequestURI().getPath() + " " + exchange.getRequestHeaders().getFirst("Host"));
            exchange.getResponseHeaders().add("Location", "/elsewhere");
            exchange.sendResponseHeaders(exchange.getRequestURI().getPath().equals("/moved") ? 302 : 204, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private URI uri(String host, String path) {
        return URI.create("http://" + host + ":" + receiver.getAddress().getPort() + path);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost", "[::1]", "0.0.0.0"})
    void refusesThisMachine(String host) throws Exception {
        try (WebhookClient client = new WebhookClient(false)) {
            assertThatThrownBy(() -> client.post(uri(host, "/hook"), Map.of(), "{}"))
                    .isInstanceOf(PrivateAddressException.class).hasMessageContaining("which is not public");
        }
        assertThat(requests).isEmpty();
    }

    @Test
    void reachesThisMachineIfAllowed() throws Exception {
        try (WebhookClient client = new WebhookClient(true)) {
            assertThat(client.post(uri("localhost", "/hook"), Map.of("webhook-id", "1"), "{}")).isEqualTo(204);
        }
        assertThat(requests).containsExactly("/hook localhost:" + receiver.getAddress().getPort());
    }

    @Test
    void refusesANameIfAnyOfItsAddressesIsPrivate() throws Exception {
        InetAddress[] addresses = {InetAddress.getByName("8.8.8.8"), InetAddress.getByName("10.0.0.1")};
        try (WebhookClient client = new WebhookClient(false, _ -> addresses)) {
            assertThatThrownBy(() -> client.post(uri("example.org", "/"), Map.of(), "{}"))
                    .isInstanceOf(PrivateAddressException.class)
                    .hasMessageContaining("example.org has the address 10.0.0.1");
        }
    }

    @Test
    void connectsToTheAddressThatItChecked() throws Exception {
        AtomicInteger lookups = new AtomicInteger();
        try (WebhookClient client = new WebhookClient(true, _ -> {
            lookups.incrementAndGet();
            return new InetAddress[]{InetAddress.getLoopbackAddress()};
        })) {
            assertThat(client.post(uri("name.that.does.not.exist.invalid", "/hook"), Map.of(), "{}")).isEqualTo(204);
        }
        assertThat(lookups).as("no second lookup, whose answer could differ").hasValue(1);
        assertThat(requests).containsExactly(
                "/hook name.that.does.not.exist.invalid:" + receiver.getAddress().getPort());
    }

    @Test
    void followsNoRedirects() throws Exception {
        try (WebhookClient client = new WebhookClient(true)) {
            assertThat(client.post(uri("127.0.0.1", "/moved"), Map.of(), "{}")).isEqualTo(302);
        }
        assertThat(requests).hasSize(1);
    }
}
