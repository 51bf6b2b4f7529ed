package dev.heddle.control.remote;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.StringJoiner;
import java.util.stream.Collectors;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlJson;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.Parameter;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobLogQuery;
import org.jspecify.annotations.Nullable;

/** Builds one request to an {@link Endpoint}: path, query and body. */
final class EndpointRequest<T> {

    private final Endpoint<T> endpoint;
    private final String path;
    private final StringJoiner query = new StringJoiner("&", "?", "").setEmptyValue("");
    private @Nullable Object body;

    private EndpointRequest(Endpoint<T> endpoint, String path) {
        this.endpoint = endpoint;
        this.path = path;
    }

    static <T> EndpointRequest<T> to(Endpoint<T> endpoint) {
        return new EndpointRequest<>(endpoint, endpoint.path());
    }

    static <T> EndpointRequest<T> to(Endpoint<T> endpoint, String id) {
        String encoded = endpoint.idMayHaveSlashes()
                ? segments(id)
                : segment(id);
        return new EndpointRequest<>(endpoint, endpoint.template().replace("{id}", encoded));
    }

    /** Returns the path of an artifact below the host, with the query. */
    static String artifact(String id, String name, @Nullable Integer attempt) {
        return Endpoints.BASE + Endpoints.ARTIFACT.replace("{id}", segment(id)).replace("<name>", segments(name))
                + (attempt == null ? "" : "?" + Endpoints.ATTEMPT.name() + "=" + attempt);
    }

    private static String segments(String path) {
        return Arrays.stream(path.split("/", -1)).map(EndpointRequest::segment).collect(Collectors.joining("/"));
    }

    /** Refuses segments that would change the path: the server would see a request to another endpoint. */
    private static String segment(String text) {
        if (text.isEmpty() || text.equals(".") || text.equals("..")) {
            throw ControlException.invalid("not an id: '" + text + "'");
        }
        return encoded(text);
    }

    /** Adds a query parameter unless the value is null. */
    EndpointRequest<T> with(Parameter parameter, @Nullable Object value) {
        if (!endpoint.parameters().contains(parameter)) {
            throw new IllegalArgumentException(endpoint.path() + " does not declare the parameter " + parameter.name());
        }
        if (value != null) {
            query.add(parameter.name() + "=" + encoded(value.toString()));
        }
        return this;
    }

    EndpointRequest<T> with(JobFilter filter) {
        if (filter.states() != null) {
            filter.states().forEach(state -> with(Endpoints.STATE, state));
        }
        return with(Endpoints.TYPE, filter.type()).with(Endpoints.QUEUE, filter.queue())
                .with(Endpoints.SUBJECT, filter.subject()).with(Endpoints.TAG, filter.tag())
                .with(Endpoints.PARENT, filter.parent()).with(Endpoints.TEXT, filter.text())
                .with(Endpoints.Q, filter.q())
                .with(Endpoints.CURSOR, filter.cursor()).with(Endpoints.LIMIT, filter.limit());
    }

    EndpointRequest<T> with(JobLogQuery query) {
        if (query.streams() != null) {
            query.streams().forEach(stream -> with(Endpoints.STREAM, stream));
        }
        return with(Endpoints.LOG_ATTEMPT, query.attempt()).with(Endpoints.LEVEL, query.level())
                .with(Endpoints.LINE_TEXT, query.text()).with(Endpoints.CURSOR, query.cursor())
                .with(Endpoints.LINES, query.limit()).with(Endpoints.LINES_TIMEOUT, query.timeout());
    }

    EndpointRequest<T> body(Object json) {
        this.body = json;
        return this;
    }

    Endpoint<T> endpoint() {
        return endpoint;
    }

    /** Returns the path below the host, with the query. */
    String target() {
        return Endpoints.BASE + path + query;
    }

    /** Returns the body as JSON; empty if there is none. */
    byte[] json() {
        return body == null ? new byte[0] : ControlJson.exactBytes(body);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
