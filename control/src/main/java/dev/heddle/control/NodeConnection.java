package dev.heddle.control;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;

import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.Endpoint.Method;
import tools.jackson.core.JacksonException;

/**
 * Sends requests to one node over HTTP and reads its responses.
 *
 * <p>It uses {@link HttpURLConnection} because {@code java.net.http} takes longer to load than a whole command of the
 * command line takes to run. {@link HttpURLConnection} may repeat a request if it finds that a kept connection was
 * closed; every request of this API is safe to repeat.
 *
 * @param base such as {@code http://127.0.0.1:7420}
 */
record NodeConnection(URI base, String token) {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(60);

    <T> T send(EndpointRequest<T> request) {
        byte[] response = exchange(request);
        try {
            return ControlJson.readResponse(response, request.endpoint());
        } catch (JacksonException e) {
            throw new ControlException(Kind.UNREACHABLE, "the response from " + base
                    + " is not from a Heddle node; check whether another program listens there", e);
        }
    }

    private byte[] exchange(EndpointRequest<?> request) {
        byte[] json = request.json();
        URI uri = base.resolve(request.target());
        try {
            return exchange((HttpURLConnection) uri.toURL().openConnection(), request.endpoint().method(), json);
        } catch (ConnectException e) {
            throw unreachable("no node answers at " + base + "; check that one is running", e);
        } catch (SocketTimeoutException e) {
            throw unreachable("the node at " + base + " did not answer in time", e);
        } catch (IOException e) {
            throw unreachable("the connection to the node at " + base + " failed: " + e.getMessage(), e);
        }
    }

    private static ControlException unreachable(String message, IOException cause) {
        return new ControlException(Kind.UNREACHABLE, message, cause);
    }

    private byte[] exchange(HttpURLConnection http, Method method, byte[] json) throws IOException {
        http.setConnectTimeout((int) CONNECT_TIMEOUT.toMillis());
        http.setReadTimeout((int) READ_TIMEOUT.toMillis());
        http.setInstanceFollowRedirects(false);
        http.setUseCaches(false);
        http.setRequestMethod(method.name());
        http.setRequestProperty("Authorization", "Bearer " + token);
        http.setRequestProperty("Accept", "application/json");
        if (method == Method.POST) {
            http.setRequestProperty("Content-Type", "application/json");
            http.setDoOutput(true);
            try (OutputStream out = http.getOutputStream()) {
                out.write(json);
            }
        }
        int status = http.getResponseCode();
        try (InputStream in = status < 400 ? http.getInputStream() : http.getErrorStream()) {
            byte[] response = in == null ? new byte[0] : in.readAllBytes();
            if (status / 100 != 2) {
                throw problem(status, response);
            }
            return response;
        }
    }

    private ControlException problem(int status, byte[] response) {
        try {
            return ControlJson.readResponse(response, Problem.class).toException();
        } catch (JacksonException e) {
            return new ControlException(Problem.kindOf(status),
                    "the node at " + base + " answered with status " + status, e);
        }
    }
}
