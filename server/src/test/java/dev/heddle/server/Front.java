package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import dev.heddle.control.Bench;
import dev.heddle.control.ControlJson;
import dev.heddle.control.ConversationView;
import dev.heddle.control.NodeFiles;
import dev.heddle.job.JobId;
import dev.heddle.pool.Pool;
import dev.heddle.run.Run;
import dev.heddle.store.MemoryStore;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A pool with a server in front of it, for one test. */
final class Front implements AutoCloseable {

    final Bench bench = new Bench();
    final Pool pool;
    final HeddleServer server;
    /** How long the node was asked to drain, each time. */
    final List<Duration> drains = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    private Front(Store store, UnaryOperator<HeddleServerBuilder> settings) {
        this.pool = bench.on(store).open();
        this.server = settings.apply(HeddleServer.on(pool).port(0).files(new Talk()).onDrain(drains::add))
                .start();
    }

    /** Whatever job is asked for, an agent has said something. */
    private static final class Talk implements NodeFiles {
        @Override
        public Optional<ConversationView> conversation(JobId job, @Nullable Integer attempt) {
            return Optional.of(
                    new ConversationView(job.toString(), 1, "Hello?", ControlJson.tree("{\"turns\": []}")));
        }

        @Override
        public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most) {
            return Optional.empty();
        }

        @Override
        public Optional<byte[]> log(String worker, long offset, int most) {
            return Optional.empty();
        }
    }

    static Front open() {
        return open(new MemoryStore(), UnaryOperator.identity());
    }

    static Front open(Store store, UnaryOperator<HeddleServerBuilder> settings) {
        return new Front(store, settings);
    }

    /** With the token. */
    HttpResponse<String> send(String method, String path, @Nullable String body) {
        return ask(method, path, body, "Authorization", "Bearer " + server.token());
    }

    HttpResponse<String> get(String path) {
        return send("GET", path, null);
    }

    /** With these headers and no others. */
    HttpResponse<String> ask(String method, String path, @Nullable String body, String... headers) {
        var request = HttpRequest.newBuilder(URI.create(server.uri() + path)).timeout(Duration.ofSeconds(60));
        if (headers.length > 0) {
            request.headers(headers);
        }
        if (body == null) {
            request.method(method, BodyPublishers.noBody());
        } else {
            request.header("Content-Type", "application/json").method(method, BodyPublishers.ofString(body));
        }
        try {
            return http.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(method + " " + path, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Bytes as they are, for what no client would send; the answer up to the end of the connection. */
    String raw(String request) throws IOException {
        return raw(request.getBytes(StandardCharsets.ISO_8859_1));
    }

    String raw(byte[] request) throws IOException {
        ByteArrayOutputStream answer = new ByteArrayOutputStream();
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.setSoTimeout(30_000);
            OutputStream out = socket.getOutputStream();
            out.write(request);
            out.flush();
            socket.getInputStream().transferTo(answer);
        } catch (SocketException e) {
            // It has answered and hung up before it took all of it, which may reach us as a reset.
        }
        return answer.toString(StandardCharsets.UTF_8);
    }

    static JsonNode json(HttpResponse<String> answer) {
        return ControlJson.tree(answer.body());
    }

    @Override
    public void close() {
        http.shutdownNow();
        http.close();
        server.close();
        bench.openGate();
        pool.close();
    }
}
