package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.reflect.Proxy;
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
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;

import dev.heddle.control.ControlJson;
import dev.heddle.control.TestPool;
import dev.heddle.control.local.NodeFiles;
import dev.heddle.control.model.ConversationView;
import dev.heddle.control.model.JobDiff;
import dev.heddle.control.model.LogChunk;
import dev.heddle.job.JobCaller;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobId;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.run.Run;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A pool with a server in fixture of it, for one test. */
final class ServerFixture implements AutoCloseable {

    final TestPool testPool = new TestPool();
    final Pool pool;
    final HeddleServer server;
    /** The longest time of each drain request. */
    final List<Duration> drains = new CopyOnWriteArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();

    private ServerFixture(Store store, UnaryOperator<HeddleServerBuilder> settings) {
        this.pool = testPool.on(store).open();
        this.server = settings.apply(HeddleServer.on(pool).port(0).files(new ConversationFiles()).onDrain(drains::add))
                .start();
    }

    /** Has a conversation for every job. */
    private static final class ConversationFiles implements NodeFiles {
        @Override
        public Optional<ConversationView> conversation(JobId job, @Nullable Integer attempt) {
            return Optional.of(new ConversationView(job.toString(), 1, "Hello?", ControlJson.tree("{\"turns\": []}")));
        }

        @Override
        public Optional<JobDiff> diff(Run run) {
            return Optional.of(new JobDiff(run.job().toString(), run.attempt(), "/src", "abc", "refs/heddle/x/1", 2, 1,
                    0,
                    List.of(new JobDiff.FileChange("a", "b", JobDiff.Status.RENAMED, 1L, 0L, false, "+x", false),
                            new JobDiff.FileChange("c", null, JobDiff.Status.ADDED, null, null, true, null, false)),
                    false));
        }

        @Override
        public Optional<byte[]> output(Run run, Run.Channel channel, long offset, int most) {
            return Optional.empty();
        }

        @Override
        public Optional<LogChunk> log(String worker, long offset, int most) {
            return Optional.empty();
        }
    }

    static ServerFixture open() {
        return open(new MemoryStore(), UnaryOperator.identity());
    }

    static ServerFixture open(Store store, UnaryOperator<HeddleServerBuilder> settings) {
        return new ServerFixture(store, settings);
    }

    /** Returns a running job that does nothing of what it is told. */
    static JobCaller jobCaller(JobId id) {
        JobContext job = (JobContext) Proxy.newProxyInstance(JobContext.class.getClassLoader(),
                new Class<?>[]{JobContext.class},
                (_, method, _) -> List.of("id", "spawn").contains(method.getName()) ? id : null);
        return new JobCaller(job, Set.of("echo"));
    }

    /** Sends a request with the token. */
    HttpResponse<String> send(String method, String path, @Nullable String body) {
        return ask(method, path, body, "Authorization", "Bearer " + server.token());
    }

    HttpResponse<String> get(String path) {
        return send("GET", path, null);
    }

    /** Sends a request with these headers only. */
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

    /** Sends bytes that no HTTP client would send, and returns everything up to the end of the connection. */
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
            // The server may answer and close before it has read everything, which can arrive here as a reset.
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
        testPool.openGate();
        pool.close();
    }
}
