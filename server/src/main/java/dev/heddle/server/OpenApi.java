package dev.heddle.server;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

import dev.heddle.access.Role;
import dev.heddle.control.http.Endpoint;
import dev.heddle.control.http.Endpoints;
import dev.heddle.control.http.Parameter;
import dev.heddle.control.http.Problem;
import dev.heddle.control.model.EventView;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Derives the OpenAPI document from {@link Endpoints} and from the records that requests and responses consist of. */
final class OpenApi {

    private final Map<String, Object> schemas = new TreeMap<>();

    private OpenApi() {}

    /** Returns the document as JSON values. */
    static Map<String, Object> document() {
        OpenApi api = new OpenApi();
        Map<String, Map<String, Object>> paths = new LinkedHashMap<>();
        for (Endpoint<?> endpoint : Endpoints.all()) {
            paths.computeIfAbsent(Endpoints.BASE + endpoint.template(), _ -> new LinkedHashMap<>())
                    .put(endpoint.method().name().toLowerCase(Locale.ROOT), api.operation(endpoint));
        }
        paths.put(Endpoints.BASE + "/events", Map.of("get", api.events()));
        paths.put(Endpoints.BASE + "/openapi.json", Map.of("get", plain("Get this document", "application/json")));
        paths.put("/metrics", Map.of("get", plain("Get metrics in the Prometheus text format", "text/plain")));
        paths.put("/healthz", Map.of("get", open("Check that the process answers", "healthy")));
        paths.put("/readyz", Map.of("get", open("Check that the node can take jobs", "ready")));
        paths.put("/login", Map.of("get", api.login()));
        paths.put("/logout", Map.of("post", api.logout()));
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("openapi", "3.1.0");
        document.put("info", ordered("title", "Heddle", "version", "v1", "description",
                "A durable job queue and worker pool. Times and durations are ISO-8601; errors are problem details (RFC 9457)."));
        document.put("paths", paths);
        document.put("components", ordered("schemas", api.schemas, "securitySchemes",
                ordered("token", ordered("type", "http", "scheme", "bearer"))));
        document.put("security", List.of(Map.of("token", List.of())));
        return document;
    }

    private Map<String, Object> operation(Endpoint<?> endpoint) {
        Map<String, Object> operation = new LinkedHashMap<>();
        operation.put("summary", endpoint.summary());
        Role role = endpoint.role();
        operation.put("description", role == null ? "Needs the token of a job."
                : "Needs the role " + role.text() + (role == Role.ADMIN ? "." : " or higher."));
        List<Object> parameters = new ArrayList<>();
        if (endpoint.hasId()) {
            parameters.add(ordered("name", "id", "in", "path", "required", true, "description",
                    endpoint.idDescription(), "schema", ordered("type", "string")));
        }
        endpoint.parameters().forEach(parameter -> parameters.add(query(parameter)));
        if (!parameters.isEmpty()) {
            operation.put("parameters", parameters);
        }
        if (endpoint.body() != null) {
            operation.put("requestBody",
                    ordered("required", endpoint.body().required(), "content", json(schema(endpoint.body().type()))));
        }
        operation.put("responses",
                ordered(Integer.toString(endpoint.status()),
                        ordered("description", "Success", "content", json(schema(endpoint.responseType()))), "default",
                        problem()));
        return operation;
    }

    private static Map<String, Object> query(Parameter parameter) {
        Map<String, Object> value = ordered("type", parameter.type());
        return ordered("name", parameter.name(), "in", "query", "description", parameter.description(), "schema",
                parameter.repeatable() ? ordered("type", "array", "items", value) : value);
    }

    private static Map<String, Object> json(Object schema) {
        return ordered("application/json", ordered("schema", schema));
    }

    private Map<String, Object> problem() {
        return ordered("description", "Problem details (RFC 9457)", "content",
                ordered(Problem.MEDIA_TYPE, ordered("schema", schema(Problem.class))));
    }

    private Map<String, Object> events() {
        return ordered("summary", "Stream the events of this node as server-sent events", "parameters",
                List.of(ordered("name", "Last-Event-ID", "in", "header", "description",
                        "The id of the last event received, to resume after it.", "schema", ordered("type", "string"))),
                "responses",
                ordered("200",
                        ordered("description", "A stream that does not end", "content",
                                ordered("text/event-stream", ordered("schema", schema(EventView.class)))),
                        "default", problem()));
    }

    private Map<String, Object> login() {
        return ordered("summary", "Exchange a one-time code for a session cookie", "security", List.of(), "parameters",
                List.of(ordered("name", "code", "in", "query", "required", true, "schema", ordered("type", "string"))),
                "responses", ordered("303", ordered("description", "Logged in"), "default", problem()));
    }

    private Map<String, Object> logout() {
        return ordered("summary", "End the session of a browser", "responses",
                ordered("204", ordered("description", "Logged out"), "default", problem()));
    }

    private static Map<String, Object> plain(String summary, String type) {
        return ordered("summary", summary, "responses",
                ordered("200", ordered("description", "Success", "content", ordered(type, Map.of()))));
    }

    private static Map<String, Object> open(String summary, String state) {
        return ordered("summary", summary, "security", List.of(), "responses",
                ordered("200", ordered("description", "The node is " + state), "503",
                        ordered("description", "The node is not " + state)));
    }

    private Object schema(Type type) {
        if (type instanceof ParameterizedType generic) {
            boolean map = generic.getRawType() == Map.class;
            Object of = schema(generic.getActualTypeArguments()[map ? 1 : 0]);
            return map ? ordered("type", "object", "additionalProperties", of) : ordered("type", "array", "items", of);
        }
        if (!(type instanceof Class<?> raw) || raw == JsonNode.class || Collection.class.isAssignableFrom(raw)) {
            return Map.of();
        }
        if (raw.isRecord()) {
            return named(raw);
        }
        if (raw.isEnum()) {
            return ordered("type", "string", "enum",
                    Arrays.stream(raw.getEnumConstants()).map(Object::toString).toList());
        }
        return simple(raw);
    }

    private static Map<String, Object> simple(Class<?> raw) {
        if (raw == Instant.class) {
            return ordered("type", "string", "format", "date-time");
        }
        if (raw == Duration.class) {
            return ordered("type", "string", "format", "duration");
        }
        if (raw == boolean.class || raw == Boolean.class) {
            return ordered("type", "boolean");
        }
        if (raw == double.class || raw == Double.class || raw == BigDecimal.class) {
            return ordered("type", "number");
        }
        return ordered("type", raw == String.class ? "string" : "integer");
    }

    private Map<String, Object> named(Class<?> raw) {
        String name = raw.getSimpleName();
        if (!schemas.containsKey(name)) {
            schemas.put(name, Map.of());
            Map<String, Object> properties = new LinkedHashMap<>();
            List<String> required = new ArrayList<>();
            for (RecordComponent component : raw.getRecordComponents()) {
                properties.put(component.getName(), schema(component.getGenericType()));
                if (!component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    required.add(component.getName());
                }
            }
            Map<String, Object> schema = ordered("type", "object", "properties", properties);
            if (!required.isEmpty()) {
                schema.put("required", required);
            }
            schemas.put(name, schema);
        }
        return ordered("$ref", "#/components/schemas/" + name);
    }

    private static Map<String, Object> ordered(Object... pairs) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            map.put(pairs[i].toString(), pairs[i + 1]);
        }
        return map;
    }
}
