package dev.heddle.control.remote;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.locks.LockSupport;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocketFactory;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoint.Method;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.Problem;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * Sends requests to one node over HTTP and reads its responses.
 *
 * <p>It uses {@link HttpURLConnection} because {@code java.net.http} takes longer to load than a whole command of the
 * command line takes to run. {@link HttpURLConnection} may repeat a request if it finds that a kept connection was
 * closed; every request of this API is safe to repeat. A large request is different: a node that does not accept it
 * answers before it has read it and closes the connection. Only {@code java.net.http} asks the node first.
 *
 * @param base such as {@code http://127.0.0.1:7420}
 * @param user who runs this command, for the audit log of the node; null if nobody in particular
 * @param tls trusts the certificate of the node; null to trust the authorities that the JVM trusts
 * @param reveal whether queries ask for masked values
 * @param waiting what to do if the node is not available
 */
record NodeConnection(URI base, String token, @Nullable String user, @Nullable SSLSocketFactory tls, boolean reveal,
        Waiting waiting) {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);
    private static final Duration UPLOAD_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration RETRY_DELAY = Duration.ofMillis(250);
    private static final int LARGE = 1 << 20;

    /**
     * How long to repeat a request that the node answers with status 503.
     *
     * @param onWait called when the first answer is that
     */
    record Waiting(Duration atMost, Runnable onWait) {
        static final Waiting NONE = new Waiting(Duration.ZERO, () -> {});
    }

    NodeConnection waiting(Waiting changed) {
        return new NodeConnection(base, token, user, tls, reveal, changed);
    }

    <T> T send(EndpointRequest<T> request) {
        if (reveal && request.endpoint().method() == Method.GET) {
            request.with(Endpoint.REVEAL, true);
        }
        byte[] response = exchangeWhenAvailable(request);
        try {
            return ControlJson.responseReader(request.endpoint().responseType()).readValue(response);
        } catch (JacksonException e) {
            throw new ControlException(Kind.UNREACHABLE, "the response from " + base
                    + " is not from a Heddle node; check whether another program listens there", e);
        }
    }

    /** Opens a response that is not JSON and may be long. */
    InputStream open(String target) {
        try {
            HttpURLConnection http = prepared((HttpURLConnection) base.resolve(target).toURL().openConnection(),
                    Method.GET);
            int status = http.getResponseCode();
            if (status / 100 == 2) {
                return http.getInputStream();
            }
            try (InputStream in = http.getErrorStream()) {
                throw problem(status, in == null ? new byte[0] : in.readAllBytes());
            }
        } catch (IOException e) {
            throw unreachable("the connection to the node at " + base + " failed: " + e.getMessage(), e);
        }
    }

    private byte[] exchangeWhenAvailable(EndpointRequest<?> request) {
        long began = System.nanoTime();
        while (true) {
            try {
                return exchange(request);
            } catch (Unavailable e) {
                if (System.nanoTime() - began >= waiting.atMost.toNanos() || Thread.currentThread().isInterrupted()) {
                    throw e.problem;
                }
                waiting.onWait.run();
                LockSupport.parkNanos(RETRY_DELAY.toNanos());
            }
        }
    }

    /** The node answered, and did nothing, because it is not available now. */
    private static final class Unavailable extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final ControlException problem;

        Unavailable(ControlException problem) {
            super(problem);
            this.problem = problem;
        }
    }

    private byte[] exchange(EndpointRequest<?> request) {
        byte[] json = request.json();
        URI uri = base.resolve(request.target());
        try {
            return json.length > LARGE ? upload(uri, json)
                    : exchange((HttpURLConnection) uri.toURL().openConnection(), request.endpoint().method(), json);
        } catch (ConnectException e) {
            throw unreachable("no node answers at " + base + "; check that one is running", e);
        } catch (SocketTimeoutException | HttpTimeoutException e) {
            throw unreachable("the node at " + base + " did not answer in time", e);
        } catch (SSLException e) {
            throw unreachable("cannot verify the certificate of the node at " + base + ": " + e.getMessage()
                    + "; 'heddle login --certificate FILE' trusts one that no authority has signed", e);
        } catch (IOException e) {
            throw unreachable("the connection to the node at " + base + " failed: " + e.getMessage(), e);
        }
    }

    private static ControlException unreachable(String message, IOException cause) {
        return new ControlException(Kind.UNREACHABLE, message, cause);
    }

    /** Opens the stream of events. */
    EventStream events(Map<String, List<String>> filters, @Nullable String position) {
        StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
        filters.forEach((name, values) -> values
                .forEach(value -> query.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8))));
        try {
            HttpURLConnection http = prepared((HttpURLConnection) base.resolve(Endpoints.BASE + "/events" + query)
                    .toURL().openConnection(), Method.GET);
            http.setRequestProperty("Accept", "text/event-stream");
            if (position != null) {
                http.setRequestProperty("Last-Event-ID", position);
            }
            if (http.getResponseCode() != 200) {
                try (InputStream in = http.getErrorStream()) {
                    throw problem(http.getResponseCode(), in == null ? new byte[0] : in.readAllBytes());
                }
            }
            return new EventStream(http.getInputStream(), position);
        } catch (IOException e) {
            throw unreachable("no node answers at " + base + "; check that one is running", e);
        }
    }

    private HttpURLConnection prepared(HttpURLConnection http, Method method) throws IOException {
        if (tls != null && http instanceof HttpsURLConnection https) {
            https.setSSLSocketFactory(tls);
            // Only one certificate is accepted at all, so its names say nothing more.
            https.setHostnameVerifier((_, _) -> true);
        }
        http.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        http.setReadTimeout((int) READ_TIMEOUT.toMillis());
        http.setInstanceFollowRedirects(false);
        http.setUseCaches(false);
        http.setRequestMethod(method.name());
        http.setRequestProperty("Authorization", "Bearer " + token);
        if (user != null) {
            http.setRequestProperty(Endpoints.USER_HEADER, user);
        }
        http.setRequestProperty("Accept", "application/json, */*");
        return http;
    }

    private byte[] exchange(HttpURLConnection connection, Method method, byte[] json) throws IOException {
        HttpURLConnection http = prepared(connection, method);
        if (method == Method.POST) {
            http.setRequestProperty("Content-Type", "application/json");
            http.setDoOutput(true);
            try (OutputStream out = http.getOutputStream()) {
                out.write(json);
            }
        }
        int status = http.getResponseCode();
        try (InputStream in = status < 400 ? http.getInputStream() : http.getErrorStream()) {
            return accepted(status, in == null ? new byte[0] : in.readAllBytes());
        }
    }

    /** Sends a large body, but only once the node has agreed to read it. */
    private byte[] upload(URI uri, byte[] json) throws IOException {
        HttpRequest.Builder builder = HttpRequest.newBuilder(uri).timeout(UPLOAD_TIMEOUT).expectContinue(true)
                .header("Authorization", "Bearer " + token).header("Accept", "application/json")
                .header("Content-Type", "application/json").POST(BodyPublishers.ofByteArray(json));
        if (user != null) {
            builder.header(Endpoints.USER_HEADER, user);
        }
        HttpRequest request = builder.build();
        try (HttpClient http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(CONNECT_TIMEOUT).build()) {
            HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
            return accepted(response.statusCode(), response.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    private byte[] accepted(int status, byte[] response) {
        if (status == HttpURLConnection.HTTP_UNAVAILABLE) {
            throw new Unavailable(problem(status, response));
        }
        if (status / 100 != 2) {
            throw problem(status, response);
        }
        return response;
    }

    private ControlException problem(int status, byte[] response) {
        try {
            return ControlJson.responseReader(Problem.class).<Problem>readValue(response).toException();
        } catch (JacksonException e) {
            return new ControlException(Problem.kindOf(status),
                    "the node at " + base + " answered with status " + status, e);
        }
    }
}
